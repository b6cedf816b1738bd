"""A kernel with its arguments in place, for calls that are repeated with new values in the same memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NoReturn, TypeVar, cast

from heddle.diagnostics import CompileError
from heddle.formats.printer import format_text
from heddle.loop_ir.nodes import INDEX_OVERFLOW
from heddle.runtime.kernels.binding import Preparation
from heddle.runtime.kernels.bound_operands import Guard
from heddle.runtime.kernels.calling import Prepared
from heddle.runtime.kernels.nan_search import NanSearch, holds_nan
from heddle.runtime.kernels.pickling import bound_here
from heddle.runtime.packing.snapshot import writable_copy
from heddle.runtime.storage.device_arrays import fill_with
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.tensor import Tensor

if TYPE_CHECKING:
    # A default is for type checkers: a program that runs needs neither it nor the package that has it.
    import typing_extensions

    ResultType = typing_extensions.TypeVar("ResultType", default=Tensor)
else:
    ResultType = TypeVar("ResultType")
"""What calls of a kernel return: a tensor, or :class:`Outputs`."""

__all__ = ["BoundCall", "Outputs"]


class Outputs(Mapping[str, Tensor]):
    """The results of a program by name, in the order in which it returns them."""

    __slots__ = ("_tensors",)

    def __init__(self, tensors: dict[str, Tensor]) -> None:
        self._tensors = tensors

    def __getitem__(self, name: str) -> Tensor:
        return self._tensors[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def __repr__(self) -> str:
        return f"Outputs({', '.join(self._tensors)})"


@dataclass(frozen=True, slots=True, eq=False)
class Binder(Generic[ResultType]):
    """What makes the calls of one kernel: ``pack`` brings operands into its formats and ``prepare`` puts them in place.
    ``pack_in_place`` refuses operands whose new values a repeated call would not see, and so does ``pack_some``, None
    where the operands are all or have a wrong name. ``guard`` says what such a call looks at before each run, ``look``
    warns of operands. ``results`` are the names of a program's results, in its order."""

    pack: Callable[[Mapping[str, object]], dict[str, Tensor]]
    pack_in_place: Callable[[Mapping[str, object]], dict[str, Tensor]]
    pack_some: Callable[[Mapping[str, object]], dict[str, Tensor] | None]
    prepare: Callable[[dict[str, Tensor]], BoundCall[ResultType]]
    guard: Callable[[BoundCall[ResultType]], Guard | None]
    look: Callable[[Mapping[str, Tensor]], None]
    results: tuple[str, ...]

    def bind(self, operands: Mapping[str, object]) -> BoundCall[ResultType]:
        """A call that can be repeated.

        Raises
        ------
        OperandError
            as ``pack_in_place``.
        """
        some = self.pack_some(operands)
        if some is not None:
            return PartialCall(self, some)
        packed = self.pack_in_place(operands)
        call = self._bind(packed)
        self.look(call.operands)
        return call

    def complete(self, some: Mapping[str, Tensor], others: Mapping[str, object]) -> BoundCall[ResultType]:
        """A call on ``some`` operands that were packed in place, and on copies of the ``others``."""
        packed = self.pack({**some, **others})
        copies = {name: writable_copy(tensor) for name, tensor in packed.items() if name not in some}
        call = self._bind({**packed, **some, **copies})
        call._replaced = _select_writable(copies)
        self.look(call.operands)
        return call

    def _bind(self, packed: dict[str, Tensor]) -> BoundCall[ResultType]:
        call = self.prepare(packed)
        call._bind_to(self, packed)
        return call


class BoundCall(Generic[ResultType]):
    """A kernel with its arguments marshalled: ``run()`` computes ``output`` again each time, in the same memory unless
    the kernel obtains it itself, from the values that its operands have by then. ``call(x=…)`` replaces operands and
    runs. Before the first run an output that the kernel obtains has no entries. ``initial`` is what the result
    holds before each run, for kernels that accumulate. ``widen`` prepares the kernel whose result counts with 64 bits,
    for results with more entries than 32 bits can count. ``search``: how a NaN is looked for that padding may have
    made. ``preparation``: what was converted for this call."""

    __slots__ = (
        "_binder",
        "_bound_operands",
        "_compute",
        "_guard",
        "_initial",
        "_refusal",
        "_replaced",
        "_search",
        "_take",
        "_widen",
        "device",
        "operands",
        "output",
        "pattern",
        "preparation",
        "result",
        "shown",
    )

    def __init__(
        self,
        operands: Mapping[str, Tensor],
        output: Tensor,
        prepared: Prepared,
        refusal: Callable[[int], CompileError],
        initial: Tensor | None = None,
        widen: Callable[[], tuple[Tensor, Prepared]] | None = None,
        preparation: tuple[Preparation, ...] = (),
        result: str = "output",
        search: NanSearch | None = None,
    ) -> None:
        self.preparation = preparation
        self.shown: dict[str, Tensor] = {}
        """The results of a program beside its last one, by name."""
        self.result = result
        """The name of ``output``."""
        self.pattern: str | None = None
        """The borrowed operand of whose coordinates the output has a copy."""
        self._initial = initial
        self._widen = widen
        self._search = search
        self.operands = operands  # Kept alive: the arguments point into their memory.
        self.output = output
        self._compute, self._take, self.device = prepared.compute, prepared.take, prepared.device
        self._refusal = refusal
        self._binder: Binder[ResultType] | None = None
        self._guard: Guard | None = None
        self._bound_operands: dict[str, Tensor] = {}
        self._replaced: dict[str, Tensor] = {}

    def _bind_to(self, binder: Binder[ResultType], operands: dict[str, Tensor]) -> None:
        """Makes this a call to be repeated, for which ``binder`` packed the ``operands``."""
        self._binder, self._bound_operands, self._guard = binder, operands, binder.guard(self)

    def __repr__(self) -> str:
        shown = self._bound_operands or self.operands
        operands = ", ".join(f"{name}: {describe_tensor(tensor)}" for name, tensor in shown.items())
        return f"<{type(self).__name__} {self.result}: {describe_tensor(self.output)} from {operands}>"

    def __call__(self, /, **operands: object) -> ResultType:
        """Replaces these operands, for this run and those that follow, and runs.

        Their values are copied as they are now: of any dtype and layout that a call of the kernel takes, of the shapes
        that were bound.

        Raises
        ------
        OperandError
            as a call of the kernel.
        """
        if operands:
            self._replace(operands)
        return self.run()

    def __reduce__(self) -> tuple[object, ...]:
        raise bound_here("A bound call", "Send the kernel and the operands, and bind them there.")

    def run(self) -> ResultType:
        """Calls the kernel. Returns ``output``, or all results of a program with several by name: the next run writes
        into the same memory.

        Raises
        ------
        OperandError
            ``runtime/refused``, ``runtime/out-of-memory`` or ``runtime/index-overflow``; ``runtime/pattern-changed`` or
            ``runtime/bound-sizes`` where an operand is no longer what was bound.
        """
        self.compute()
        if self.device is not None:
            self.device.fetch()
        if self._take is not None:
            self.output = self._take()
        if self._search is not None and self._has_nan(self._search):
            self._leave_padding_out(self._search)
        if not self.shown:
            return cast("ResultType", self.output)
        return self.results

    @property
    def results(self) -> ResultType:
        """``output``, or all results of a program with several by name."""
        names = self._binder.results if self._binder is not None else ()
        return named_results(self, names)

    def compute(self) -> None:
        """The same, but leaves the result where it is computed: on its own device, until the next ``run``. This is
        what is timed there.

        Raises
        ------
        CompileError
            as ``run``.
        """
        if self._guard is not None:
            self._guard()
        self.reset()
        status = self._compute()
        if status == INDEX_OVERFLOW and self._widen is not None:
            self.output, prepared = self._widen()
            self._compute, self._take, self._widen = prepared.compute, prepared.take, None
            self.device = prepared.device
            status = self._compute()
        if status:
            raise self._refusal(status)

    def _leave_padding_out(self, search: NanSearch) -> None:
        """Computes the result again, without padding."""
        output, prepared = search.exact(self.output)
        self.reset()
        status = prepared.compute()
        if status:
            raise self._refusal(status)
        self.output = output if prepared.take is None else prepared.take()

    def _has_nan(self, search: NanSearch) -> bool:
        """Whether a result has a NaN, so that padding may have been multiplied by what is not finite."""
        results = [self.output, *self.shown.values()]
        return any(holds_nan(result.vals, search.on_threads) for result in results)

    @property
    def timed(self) -> Callable[[], object]:
        """What a measurement calls."""
        return self.run if self.device is None else self.compute

    def reset(self) -> None:
        """Puts into the output what the kernel finds there: the initial values of one that accumulates."""
        if self._initial is not None:
            fill_with(self.output.vals, self._initial.vals)

    def _replace(self, operands: Mapping[str, object]) -> None:
        binder = self._binder
        assert binder is not None
        packed = binder.pack({**self._bound_operands, **operands})
        fresh = {name: tensor for name, tensor in packed.items() if tensor is not self._bound_operands.get(name)}
        if all(self._takes_in_place(name, tensor) for name, tensor in fresh.items()):
            for name, tensor in fresh.items():
                fill_with(self._replaced[name].vals, tensor.vals)
            return
        copies = {name: writable_copy(tensor) for name, tensor in fresh.items()}
        inputs = {**self._bound_operands, **copies}
        call = binder._bind(inputs)
        others = {name: tensor for name, tensor in self._replaced.items() if name not in copies}
        call._replaced = others | _select_writable(copies)
        self._become(call)

    def _become(self, call: BoundCall[ResultType]) -> None:
        for slot in BoundCall.__slots__:
            setattr(self, slot, getattr(call, slot))

    def _takes_in_place(self, name: str, tensor: Tensor) -> bool:
        """Whether the values of ``tensor`` can go to where the kernel reads those of an operand that was replaced
        before: not where it reads another copy of them."""
        before = self._replaced.get(name)
        if before is None or self.device is not None or self.preparation:
            return False
        return before.format.is_dense and before.shape == tensor.shape and before.resident == tensor.resident


class PartialCall(BoundCall[ResultType]):
    """A bound call that waits for the rest of its operands: the first ``call(x=…)`` has all that are missing, of any
    dtype and layout that a call of the kernel takes. From then on it is as any other bound call."""

    __slots__ = ("_some",)

    def __init__(self, binder: Binder[ResultType], some: dict[str, Tensor]) -> None:
        self._binder, self._some, self._bound_operands = binder, some, {}

    def __repr__(self) -> str:
        if not self._some:
            return super().__repr__()
        operands = ", ".join(f"{name}: {describe_tensor(tensor)}" for name, tensor in self._some.items())
        return f"<{type(self).__name__} of {operands}, which waits for the other operands>"

    def __getattr__(self, name: str) -> NoReturn:
        """A call that waits has nothing else."""
        raise AttributeError(f"{name}: this call waits for operands; it has one once they are passed: call(x=...)")

    def __call__(self, /, **operands: object) -> ResultType:
        return super().run() if self._complete(operands) else super().__call__(**operands)

    def run(self) -> ResultType:
        self._complete({})
        return super().run()

    def compute(self) -> None:
        self._complete({})
        super().compute()

    def _complete(self, operands: Mapping[str, object]) -> bool:
        """Whether it waited for these operands."""
        if not self._some:
            return False
        assert self._binder is not None
        self._become(self._binder.complete(self._some, operands))
        self._some = {}
        return True


def _select_writable(copies: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Those of the copies that later values may be written into."""
    return {name: copy for name, copy in copies.items() if copy.ownership is Ownership.RESULT}


def named_results(call: BoundCall[ResultType], names: tuple[str, ...]) -> ResultType:
    """The output of ``call``, or the results of a program with several ``names``, in its order."""
    if len(names) < 2:
        return cast("ResultType", call.output)
    whole = {**call.shown, call.result: call.output}
    return cast("ResultType", Outputs({name: whole[name] for name in names}))


def describe_tensor(tensor: Tensor) -> str:
    """Its shape, its format and who may write it."""
    shape = " × ".join(map(str, tensor.shape)) or "a number"
    layout = "" if tensor.format.is_dense else f" {format_text(tensor.format)}"
    match tensor.ownership:
        case Ownership.BORROWED:
            return f"{shape}{layout}, borrowed"
        case Ownership.SNAPSHOT:
            return f"{shape}{layout}, a snapshot"
        case Ownership.RESULT:
            return f"{shape}{layout}"
        case _:
            raise TypeError(f"unexpected ownership {tensor.ownership!r}")
