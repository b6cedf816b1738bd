"""A program as the rules see it: its product or its terms, which operands are sparse, and the sizes that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from heddle.formats.levels.kinds import counts_rows
from heddle.frontends.table import assignment_of
from heddle.names import Names
from heddle.notation.integers import program_integer
from heddle.notation.nodes import Access, Assignment, Binary, Expression, Reduce, index_variables, operand_accesses
from heddle.notation.reserved import RESERVED
from heddle.plan import Plan
from heddle.semantics.declared import declared_signature
from heddle.signature import Signature
from heddle.tuning.facts.machine import Machine, this_machine
from heddle.tuning.facts.statistics import Statistics


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """``statistics`` are of the sparse operands that were looked at, ``sizes`` of the index variables that are known,
    ``order`` the loops without a schedule, outermost first (empty when there are none), ``summed`` those of them that
    the result lacks; ``taken`` are names that commands must not make, in addition to those of the program."""

    assignment: Assignment
    signature: Signature
    statistics: Mapping[str, Statistics]
    sizes: Mapping[str, int]
    machine: Machine
    order: tuple[str, ...] = ()
    summed: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()

    @property
    def target(self) -> Access:
        return self.assignment.target

    @property
    def factors(self) -> tuple[Access, ...] | None:
        """The operands of a plain product, also of one whose sum is written out, as in comprehensions; None for
        everything else."""
        assignment, expression = self.assignment, self.assignment.expression
        if assignment.operator not in ("=", "+=") or assignment.temporaries:
            return None
        if assignment.program is not None and assignment.program.computed:
            return None
        while isinstance(expression, Reduce) and expression.operator == "+":
            expression = expression.operand
        return _operands(expression, "*")

    @property
    def terms(self) -> tuple[Access, ...] | None:
        """The operands of a plain sum of two or more, None for everything else."""
        if self.assignment.operator not in ("=", "+=") or self.assignment.temporaries:
            return None
        operands = _operands(self.assignment.expression, "+")
        return operands if operands is not None and len(operands) > 1 else None

    @property
    def sparse(self) -> tuple[Access, ...]:
        """The operands that do not store everything, in the order in which they are written."""
        return tuple(access for access in operand_accesses(self.assignment) if not self.is_dense(access))

    @property
    def driver(self) -> Access | None:
        """The one sparse operand of a plain product, stored without blocks; None where there is another number."""
        if self.factors is None or len(self.sparse) != 1 or self.is_blocked(self.sparse[0]):
            return None
        return self.sparse[0]

    def list_other_variables(self, driver: Access) -> set[str]:
        """The variables of the product that ``driver`` lacks."""
        return {variable for access in self.factors or () for variable in access.indices} - set(driver.indices)

    @property
    def depth(self) -> str | None:
        """The one variable that is summed over next to a driver with the indices of the result (SDDMM)."""
        driver = self.driver
        free = self.list_other_variables(driver) if driver is not None else set()
        if driver is None or len(free) != 1 or set(driver.indices) != set(self.target.indices):
            return None
        return next(iter(free))

    @property
    def element_bytes(self) -> int:
        """Of a value of the result."""
        return np.dtype(self.signature.result.dtype).itemsize

    @property
    def lanes(self) -> int:
        """Values of the result in one vector register."""
        return self.machine.lanes(self.element_bytes)

    def is_dense(self, access: Access) -> bool:
        return self.signature.tensors[access.tensor].format.is_dense

    def dense_bytes(self, access: Access) -> int | None:
        """What a dense operand takes in memory; None where a size is not known."""
        total = np.dtype(self.signature.tensors[access.tensor].dtype).itemsize
        for variable in access.indices:
            if variable not in self.sizes:
                return None
            total *= self.sizes[variable]
        return total

    def near_core(self, dense: Sequence[Access]) -> bool:
        """Whether each of these dense operands is known to fit the cache that a core has to itself."""
        cache = self.machine.core_cache_bytes
        sizes = [self.dense_bytes(access) for access in dense]
        return cache is not None and all(size is not None and size <= cache for size in sizes)

    def list_stored_variables(self, access: Access) -> tuple[str, ...]:
        """The variables of ``access``, outermost level first; blocked dimensions occur twice."""
        order = self.signature.tensors[access.tensor].format.order
        return tuple(access.indices[dimension] for dimension in order)

    def kinds(self, access: Access) -> tuple[str, ...]:
        """The level kinds of ``access``, outermost first."""
        return tuple(level.kind for level in self.signature.tensors[access.tensor].format.levels)

    def ordered(self, access: Access) -> bool:
        """Whether every level has its coordinates in order."""
        format = self.signature.tensors[access.tensor].format
        return all(format.ascends(number) for number in range(len(format.levels)))

    def is_blocked(self, access: Access) -> bool:
        return bool(self.signature.tensors[access.tensor].format.cuts)

    def has_rows(self, access: Access) -> bool:
        """Whether the entries are counted by rows, so that rows can be cut into parts with as many of them."""
        return counts_rows(self.kinds(access))

    def work(self, access: Access) -> float | None:
        """Multiplications, about: the entries of ``access`` times the loops beneath, over all of a dense dimension or
        the entries that another sparse operand holds on average; None when unknown."""
        known = self.statistics.get(access.tensor)
        if known is None:
            return None
        dense = {v for access in operand_accesses(self.assignment) if self.is_dense(access) for v in access.indices}
        total = float(known.nonzeros)
        for variable in index_variables(self.assignment):
            if variable in access.indices:
                continue
            total *= self.sizes.get(variable, 16) if variable in dense else self._entries_along(variable)
        return total

    def _entries_along(self, variable: str) -> float:
        """Entries of a row of the sparse operand that has ``variable``, on average; 1 when unknown."""
        known = (self.statistics.get(access.tensor) for access in self.sparse if variable in access.indices)
        return max((max(statistic.mean, 1.0) for statistic in known if statistic is not None), default=1.0)

    def column(self, driver: Access) -> str | None:
        """The one dense variable that ``driver`` lacks, where it is the contiguous dimension of all that have it."""
        free = self.list_other_variables(driver)
        if len(free) != 1 or not self.target.indices:
            return None
        (column,) = free
        using = [self.target, *(access for access in self.factors or () if column in access.indices)]
        contiguous = all(self.list_stored_variables(access)[-1:] == (column,) for access in using)
        return column if contiguous and self.target.indices[-1] == column else None

    def names(self, also: tuple[str, ...] = ()) -> Names:
        """Fresh names: neither those of the program nor those of the loops ``also``, nor words of the targets: ``i``
        fused would be ``if``."""
        tensors = {*self.signature.tensors, *self.signature.temporaries}
        computed = self.assignment.program.computed if self.assignment.program is not None else {}
        return Names({*index_variables(self.assignment), *computed, *tensors, *also, *self.taken, *RESERVED})


def program_of(
    plan: Plan,
    statistics: Mapping[str, Statistics] | None = None,
    machine: Machine | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> Program:
    """The program of ``plan``, whose schedule is left out, without the order of its loops.

    ``statistics`` of sparse operands and ``shapes`` of any, by name; ``machine`` where it is not this one.

    Raises
    ------
    CompileError
        the expression or a format is wrong.
    """
    assignment = assignment_of(plan.language, plan.expression, plan.sizes)
    known = statistics or {}
    sizes = _sizes(plan, assignment, known, shapes or {})
    machine = machine or this_machine(plan.run.threads)
    return Program(assignment, declared_signature(plan, assignment), known, sizes, machine)


def _sizes(
    plan: Plan, assignment: Assignment, known: Mapping[str, Statistics], operand_shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, int]:
    """The sizes of index variables, as far as declared shapes, inputs and statistics tell."""
    shapes: dict[str, tuple[int, ...]] = dict(plan.shapes)
    for name, source in plan.inputs.items():
        shape = source.get("shape")
        if isinstance(shape, list | tuple):
            shapes.setdefault(name, tuple(int(size) for size in shape))
    shapes.update({name: statistic.shape for name, statistic in known.items()})
    shapes.update(operand_shapes)
    sizes = {variable: size for variable, size in plan.sizes.items() if assignment.program is None}
    for access in (assignment.target, *operand_accesses(assignment)):
        shape = shapes.get(access.tensor)
        if shape is not None and len(shape) == len(access.indices):
            sizes.update(zip(access.indices, shape, strict=True))
    return {**_extents(plan, assignment, shapes), **sizes}


def _extents(plan: Plan, assignment: Assignment, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The iterations of a program's index variables that its known sizes tell: those of ``O(x) = I(2*x+k)``, too."""
    program = assignment.program
    if program is None:
        return {}
    known = {**program.fixed, **plan.sizes}
    for name, source in program.sizes.items():
        if isinstance(source, int):
            known[name] = source
        elif source[1] >= 0 and len(shapes.get(source[0], ())) > source[1]:
            known[name] = shapes[source[0]][source[1]]
    extents: dict[str, int] = {}
    for variable, extent in program.extents.items():
        try:
            extents[variable] = program_integer(extent, known)
        except (KeyError, TypeError):  # a size that is not known, or an extent that depends on a loop
            continue
    return extents


def _operands(expression: Expression, operator: str) -> tuple[Access, ...] | None:
    match expression:
        case Access():
            return (expression,)
        case Binary(operator=inner_operator, left=left, right=right) if inner_operator == operator:
            a, b = _operands(left, operator), _operands(right, operator)
            return None if a is None or b is None else a + b
        case _:
            return None
