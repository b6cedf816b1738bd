"""Which index scalars of a launch have 32 bits in its text, and whether the sizes of a call leave them there.

The text for GPUs is written twice. In the short one, positions and coordinates are ints wherever a bound for them
follows from the sizes of operands; the wide one has 64 bits throughout. Each launch of the short text is looked at with
the sizes of the call: as soon as one value that it computes as an int could pass 32 bits, the wide one is launched.
"""

from __future__ import annotations

from collections.abc import Iterator

from heddle.index_width import LARGEST_NARROW
from heddle.loop_ir.analysis.index_knowledge import Ranges
from heddle.loop_ir.analysis.index_ranges import ranges_of
from heddle.loop_ir.analysis.intervals import EVERYTHING, Interval, exactly
from heddle.loop_ir.analysis.launch_facts import LaunchFacts
from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    AllocateResult,
    ArrayRole,
    Binary,
    CombineRuns,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Insert,
    Load,
    ParameterKind,
    Scan,
    Search,
    SearchKind,
    Select,
    Unary,
    Var,
)
from heddle.loop_ir.printing.expression_text import expression_text
from heddle.loop_ir.walk import statements

LARGEST = LARGEST_NARROW
"""The most that a short scalar may hold."""

_SOME = Interval(0, 64)
"""Any small sizes: what has a bound for these has one for all."""

_VALUES = (ArrayRole.VALS, ArrayRole.WORKSPACE, ArrayRole.MASK)


def counts_wide(function: Function) -> bool:
    """Whether one of its tensors has positions or coordinates of 64 bits: then all indices have them."""
    arrays = [parameter.array for parameter in function.parameters if parameter.array is not None]
    return any(array.dtype == INDEX and array.role not in _VALUES for array in arrays)


def short_scalars(function: Function) -> tuple[frozenset[str], ...]:
    """The index scalars of each launch that the short text holds in 32 bits: those with a bound."""
    scalars = {parameter.name: _SOME for parameter in function.parameters if parameter.kind is ParameterKind.DIMENSION}
    facts = LaunchFacts()
    for parameter in function.parameters:
        array = parameter.array
        if array is not None and not parameter.allocated:
            facts.sizes[parameter.name] = _SOME.high
            if array.role is not ArrayRole.VALS:
                facts.contents[parameter.name] = _SOME
    short_names = []
    for statement in function.body.statements:
        match statement:
            case Declare(name=name, dtype=dtype):
                scalars[name] = _SOME if dtype == INDEX else EVERYTHING
            case Search(name=name):
                scalars[name] = _SOME
            case Allocate(array=array, zero=zero):
                facts.record_allocation(array, _SOME.high, zero)
            case AllocateResult(array=array):
                facts.record_allocation(array, _SOME.high, False)
            case Fill(array=array, value=Const(value=int() as value)):
                facts.record_fill(array, value)
            case Scan(array=array):
                facts.record_scan(array, _SOME.high)
            case For():
                ranges = ranges_of(statement, facts.facts(scalars))
                facts.launched(ranges)
                bounds = {**scalars, **ranges.scalars}
                short_names.append(
                    frozenset(name for name in _index_scalars(statement, scalars) if _fits(bounds[name]))
                )
            case _:
                pass
    return tuple(short_names)


def _index_scalars(launch: For, outside: dict[str, Interval]) -> Iterator[str]:
    """Those with 64 bits in loop IR; a name that stands for other types as well is none."""
    others: set[str] = set()
    names = set(outside)
    for statement in statements(launch):
        match statement:
            case Declare(name=name, dtype=dtype):
                (names if dtype == INDEX else others).add(name)
            case Search(name=name) | For(variable=name) | Insert(name=name):
                names.add(name)
            case CombineRuns(head=name):
                others.add(name)
            case _:
                pass
    yield from names - others


def is_short(expression: Expr, short: frozenset[str]) -> bool:
    """Whether C computes an index ``expression`` as an int, where the scalars ``short`` are ints."""
    if dtype_of(expression) != INDEX:
        return False
    match expression:
        case Var(name=name):
            return name in short
        case Const(value=value):
            return isinstance(value, int) and abs(value) <= LARGEST_NARROW
        case Load(array=array):
            return array.dtype != INDEX
        case Binary(left=left, right=right) | Select(then=left, otherwise=right):
            return is_short(left, short) and is_short(right, short)
        case Unary(operand=operand):
            return is_short(operand, short)
        case _:
            return False


def short_search(search: Search, short: frozenset[str]) -> bool:
    """Whether all that ``search`` is given is an int: then it computes with ints itself."""
    return all(is_short(operand, short) for operand in (search.lower, search.upper, search.value))


def beyond(launch: For, short: frozenset[str], ranges: Ranges) -> str | None:
    """What could pass 32 bits in the short text of ``launch``, in words; None where nothing can."""
    for name in sorted(short):
        if name in ranges.scalars and not _fits(ranges.scalars[name]):
            return _describe(name, ranges.scalars[name])
    for expression, interval in ranges.expressions.items():
        if isinstance(expression, Var | Binary | Unary) and is_short(expression, short) and not _fits(interval):
            return _describe(expression_text(expression), interval)
    for search in statements(launch):
        if isinstance(search, Search) and short_search(search, short):
            lower, upper = (ranges.expressions[bound] for bound in (search.lower, search.upper))
            # Steps of a galloping search double until they are past the end.
            most = (3 if search.kind is SearchKind.GALLOP else 1) * upper.high - min(lower.low, 0) + 4
            if most > LARGEST:
                return _describe(f"the search for {search.name}", exactly(most))
    return None


def _fits(interval: Interval) -> bool:
    return interval.magnitude <= LARGEST


def _describe(what: str, interval: Interval) -> str:
    return f"{what} could be {max((interval.low, interval.high), key=abs):,}"
