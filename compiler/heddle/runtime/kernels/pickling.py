"""How kernels go through pickle, and what cannot go: a kernel travels as what it is made of, and is built where it is
first used; a call with its operands in place belongs to its process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Self, TypeVar

from heddle.diagnostics import CompileError, Diagnostic

KernelType = TypeVar("KernelType", bound="Travelling")


@dataclass(frozen=True, slots=True)
class Unbuilt:
    """What a kernel will be made of, and the class of its inspector; ``lock`` keeps two threads from building it at
    once."""

    arguments: tuple[object, ...]
    inspector: Callable[[Any], Any] | None
    lock: Any = field(default_factory=Lock)


class Travelling:
    """A kernel that pickle and cloudpickle take as what its class is called with. Copies are the kernel itself, which
    holds nothing that calls change but what it remembers. ``result`` is the compile that it is a kernel of."""

    result: Any

    def made_of(self) -> tuple[object, ...]:
        """What its class is called with, all of which can be pickled."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        unbuilt = self.__dict__.get("_unbuilt")
        if unbuilt is not None:
            return rebuild_kernel, (type(self), unbuilt.inspector, *unbuilt.arguments)
        inspector = self.__dict__.get("inspector")
        return rebuild_kernel, (type(self), None if inspector is None else type(inspector), *self.made_of())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    if not TYPE_CHECKING:  # Whoever misspells an attribute is told when types are checked.

        def __getattr__(self, name: str) -> Any:
            """An attribute of one that has arrived is asked for the first time: builds it."""
            unbuilt = self.__dict__.get("_unbuilt")
            if unbuilt is not None and not name.startswith("__"):
                with unbuilt.lock:
                    if "_unbuilt" in self.__dict__:
                        attributes = dict(vars(type(self)(*unbuilt.arguments)))
                        if unbuilt.inspector is not None:
                            del attributes["inspector"]  # until it is made, other threads ask for it here
                        self.__dict__.update(attributes)
                        if unbuilt.inspector is not None:
                            self.__dict__["inspector"] = unbuilt.inspector(self)
                        del self.__dict__["_unbuilt"]
            if name in self.__dict__:
                return self.__dict__[name]
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def rebuild_kernel(kind: type[KernelType], inspector: Callable[[Any], Any] | None, *arguments: object) -> KernelType:
    """A kernel that is built when something of it is first asked for."""
    kernel = kind.__new__(kind)
    kernel.__dict__["_unbuilt"] = Unbuilt(arguments, inspector)
    return kernel


def bound_here(what: str, instead: str) -> CompileError:
    """The refusal to pickle or copy ``what`` holds addresses of this process's memory."""
    return CompileError(
        Diagnostic(
            code="runtime/bound-here",
            message=f"{what} can be neither pickled nor copied: it holds addresses of this process's memory.",
            expected="a kernel, a plan, a packed tensor or a result",
            actual=what[0].lower() + what[1:],
            hint=instead,
        )
    )
