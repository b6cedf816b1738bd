"""What a reduction combines for the coordinates that its loop does not visit: one step behind the loop."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.formats.levels.kinds import kind_of
from heddle.formats.levels.level import Range
from heddle.iteration_graph.algebra.lattice import Lattice
from heddle.iteration_graph.analysis.repeated_fill import (
    RepeatedFill,
    find_repeated_fill,
    find_repeated_loops,
    split_repeats,
)
from heddle.iteration_graph.graph.nodes import Forall, Statement
from heddle.loop_ir import build
from heddle.loop_ir.dtypes import INTEGERS, dtype_of
from heddle.loop_ir.nodes import INDEX, Assign, Binary, Block, Cast, Const, Declare, Expr, If, Var, While
from heddle.lowering.environment.loop_context import Repetition
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.store import note_absent
from heddle.lowering.nest.operand_iterators import OperandIterator
from heddle.notation.functions import ASSIGNMENTS
from heddle.origin import Origin, Role


def find_fill(
    environment: LoopEnvironment, loop: str, variable: str, body: Statement, lattice: Lattice
) -> RepeatedFill | None:
    """The fill that is combined behind the loop; None where the loop has to visit every coordinate."""
    fill = find_repeated_fill(environment.kernel.graph, loop, variable, body, lattice)
    return fill if fill is not None and _takes_steps(environment, fill) else None


@dataclass(frozen=True, slots=True)
class Visits:
    """How many coordinates a loop visits: ``count``, which ``counter`` counts in the loop unless it is known before."""

    count: Expr
    counter: Var | None

    def note(self, environment: LoopEnvironment) -> None:
        """Emit that a coordinate is visited here."""
        if self.counter is not None:
            environment.emit(Assign(self.counter.name, build.index(1), Origin(Role.BOUNDS), reduce="+"))


def count_visits(environment: LoopEnvironment, variable: str, alone: OperandIterator | None) -> Visits:
    """In front of the loop: the number of positions of the operand that drives it ``alone``, where each holds a
    coordinate of its own, or a counter."""
    if alone is not None and not alone.storage.repeats and kind_of(alone.storage).compact:
        return Visits(build.sub(alone.segment.upper, alone.segment.lower), None)
    counter = Var(environment.kernel.names.fresh(f"{variable}_count"), INDEX)
    environment.emit(Declare(counter.name, INDEX, build.index(0), Origin(Role.BOUNDS, variable), mutable=True))
    return Visits(counter, counter)


def lower_repeats(environment: LoopEnvironment, statement: Forall, lower: LowerStatement) -> bool:
    """The loops of ``statement`` that repeat the same term, in one step; False where they must run."""
    if statement.variable not in environment.context.repeats:
        return False
    fill = split_repeats(environment.kernel.graph, statement, environment.context.repeats)
    if not _takes_steps(environment, fill):
        return False
    _combine(environment, fill, statement.variable, (), lower)
    return True


def combine_fill(
    environment: LoopEnvironment,
    fill: RepeatedFill,
    body: Statement,
    variable: str,
    domain: Range,
    visits: Visits,
    lower: LowerStatement,
) -> None:
    """Behind the loop: the fill, where it left coordinates out."""
    note_absent(environment, body, fill.statement)
    left = build.sub(build.sub(domain.upper, domain.lower), visits.count)
    _combine(environment, fill, variable, (left,), lower)


def _takes_steps(environment: LoopEnvironment, fill: RepeatedFill) -> bool:
    """Whether a step more may be stored: not in sums that several lanes or places share, which take a single value from
    each."""
    destination = environment.destination(fill.term.target.tensor)
    return destination is None or destination.scalar is not None


def _combine(
    environment: LoopEnvironment, fill: RepeatedFill, variable: str, counts: tuple[Expr, ...], lower: LowerStatement
) -> None:
    """The fill for all combinations of ``counts`` and of the loops that repeat it."""
    origin, names = Origin(Role.REDUCTION, variable), environment.kernel.names
    factors = [*counts, *(environment.domain(repeated).upper for repeated in fill.repeats)]
    inner = environment.child()
    inner.note_repeats(find_repeated_loops(environment.kernel.graph, fill.statement))
    with names.scope():
        if not fill.once:  # factors by themselves: their product may pass the range of indices
            factors = [environment.declare(names.fresh(f"{variable}_left"), factor, origin) for factor in factors]
            inner.context = replace(inner.context, repetition=Repetition(fill.term.target.tensor, tuple(factors)))
        lower(inner, fill.statement)
    condition = build.both(*(build.compare(">", factor, build.index(0)) for factor in factors))
    environment.emit(If(condition, inner.builder.block(), origin))


def repeat_value(environment: LoopEnvironment, tensor: str, value: Expr, operator: str) -> Expr:
    """What an assignment of ``value`` to the tensor combines here: as often as its repetition says. What is emitted for
    that stands in front of it."""
    repetition, dtype = environment.context.repetition, dtype_of(value)
    if repetition is None or repetition.tensor != tensor:
        return value
    for times in repetition.times:
        match ASSIGNMENTS[operator]:
            case "+":
                value = Binary("*", Cast(times, dtype), value, dtype)
            case "*" if dtype in INTEGERS:
                value = _power(environment, value, times, dtype)
            case other:
                raise TypeError(f"no closed form of repeated {other}")
    return value


def _power(environment: LoopEnvironment, value: Expr, times: Expr, dtype: str) -> Expr:
    """By squaring: as many steps as the exponent has bits."""
    origin, names = Origin(Role.REDUCTION), environment.kernel.names
    square, power, exponent = (names.fresh(name) for name in ("square", "power", "exponent"))
    environment.emit(Declare(square, dtype, value, origin, mutable=True))
    environment.emit(Declare(power, dtype, Const(1, dtype), origin, mutable=True))
    environment.emit(Declare(exponent, INDEX, times, origin, mutable=True))
    odd = build.compare("==", build.modulo(Var(exponent), build.index(2)), build.index(1))
    steps = (
        If(odd, Block((Assign(power, Var(square, dtype), origin, reduce="*"),)), origin),
        Assign(square, Var(square, dtype), origin, reduce="*"),
        Assign(exponent, build.floor_divide(Var(exponent), build.index(2)), origin),
    )
    environment.emit(While(build.compare(">", Var(exponent), build.index(0)), Block(steps), origin))
    return Var(power, dtype)
