"""What a program of several statements says beside them: coordinates that are formulas of index variables, how far
each loop runs, several results. Index notation itself needs none of it; languages that become statements do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from heddle.notation.expressions import Expression

if TYPE_CHECKING:
    from numpy.typing import NDArray

Shape = tuple[int, ...]


class Call(Protocol):
    """What is to be done when a kernel is called, in front of its loops."""

    def shapes(self, shape: Mapping[str, Shape], integers: Mapping[str, int]) -> Mapping[str, Shape]:
        """The shape of each result, from those of all operands and the values of integers among them.

        Raises
        ------
        CompileError
            for sizes that do not fit together, or for which the program has no meaning.
        """
        ...

    def limits(self, shape: Mapping[str, Shape]) -> Mapping[str, tuple[int, int]]:
        """From where to where, the end exclusive, the values of operands that are indices may lie."""
        ...

    def check(self, operands: Mapping[str, NDArray[Any]], shape: Mapping[str, Shape]) -> None:
        """Looks at the values of operands that are indices.

        Raises
        ------
        CompileError
            for an index that lies outside of the tensor that it is an index of.
        """
        ...

    @property
    def indices(self) -> tuple[str, ...]:
        """The operands that ``check`` looks at."""
        ...


SizeSource = tuple[str, int] | int
"""Where a size comes from: a tensor that is passed and one of its dimensions, or a number."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """``computed`` are coordinates by the name that stands in an access, ``extents`` the number of iterations of each
    index variable, from 0; both are integer expressions of index variables and sizes. ``sizes`` says where a size comes
    from; -1 as the dimension stands for the value of an integer that is passed.

    ``exported`` are temporaries that the caller gets as well, in ``results``, the order of all results. ``initial``
    are operands that the caller passes under the name of a result. ``checks`` are temporaries that must be 0 where
    they are computed, each with what it means otherwise. ``lazy`` are coordinates that exist only where a condition
    holds.
    """

    computed: Mapping[str, Expression] = field(default_factory=dict)
    extents: Mapping[str, Expression] = field(default_factory=dict)
    sizes: Mapping[str, SizeSource] = field(default_factory=dict)
    dtypes: Mapping[str, str] = field(default_factory=dict)
    operands: Mapping[str, tuple[str | int, ...]] = field(default_factory=dict)
    """All tensors that are passed, with the name or the number of each size: also those of which nothing is read."""
    exported: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    initial: Mapping[str, str] = field(default_factory=dict)
    checks: Mapping[str, str] = field(default_factory=dict)
    lazy: frozenset[str] = frozenset()
    fixed: Mapping[str, int] = field(default_factory=dict)
    """Sizes and integers that are known; an integer among them is no operand of the kernel."""
    call: Call | None = None

    @property
    def signed(self) -> frozenset[str]:
        """Sizes that are values of integers, which may be negative."""
        return frozenset(name for name, source in self.sizes.items() if not isinstance(source, int) and source[1] < 0)

    @property
    def looks_at_values(self) -> bool:
        """Whether what is done in front of the loops depends on values of operands: sizes and indices among them."""
        return bool(self.signed) or (self.call is not None and bool(self.call.indices))
