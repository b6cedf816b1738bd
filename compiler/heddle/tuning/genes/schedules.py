"""From a choice of values to commands: free loops, or the schedule of a rule with other numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heddle.names import Names
from heddle.notation.printer import to_text
from heddle.schedule.syntax.parser import parse_command
from heddle.tuning.facts.program import Program
from heddle.tuning.genes.space import Value

NONE = "none"
NUMBERED = {"split": "tile", "divide": "tile", "balance": "parts", "unroll": "unroll", "prefetch": "ahead"}
"""Commands of rules whose number a gene replaces, by the beginning of the gene's name."""


@dataclass(slots=True)
class _Loops:
    """The loops on the way: ``order`` outermost first, ``pieces`` those that each variable has become."""

    order: list[str]
    pieces: dict[str, list[str]]
    commands: list[str]


def free_schedule(program: Program, choice: Mapping[str, Value]) -> tuple[str, ...]:
    """Loops reordered, cut, unrolled, summed in registers, in vectors and on threads, as ``choice`` says."""
    names = program.names(also=program.order)
    order = [str(word) for word in str(choice.get("order", "")).split()] or list(program.order)
    loops = _Loops(order, {loop: [loop] for loop in order}, [])
    if order != list(program.order):
        loops.commands.append(f"reorder({', '.join(order)})")
    _cut(loops, choice, names)
    lanes = str(choice.get("vectors", NONE))
    lane = loops.pieces[lanes][-1] if lanes in loops.pieces else None
    if lane is not None:
        _innermost(loops, lane)
        _vectors(program, loops, lane, lanes, choice, names)
    _unroll(loops, lane, choice)
    _threads(program, loops, choice, names)
    return tuple(loops.commands)


def with_numbers(schedule: Sequence[str], choice: Mapping[str, Value]) -> tuple[str, ...]:
    """A rule's ``schedule``, in which genes that are not 0 (1 for unrolling) replace the last number of commands."""
    roots: dict[str, str] = {}
    commands: list[str] = []
    for number, text in enumerate(schedule):
        command = parse_command(text, number)
        arguments = [argument.text for argument in command.arguments]
        for parameter, argument in zip(command.spec.parameters, arguments, strict=False):
            if parameter.kind == "new-variable":
                roots[argument] = roots.get(arguments[0], arguments[0])
        kind = NUMBERED.get(command.spec.name)
        gene = f"tile {roots.get(arguments[0], arguments[0])}" if kind == "tile" else kind
        places = [at for at, argument in enumerate(arguments) if argument.isdigit()]
        value = choice.get(gene or "", 0)
        if command.selector is None and places and isinstance(value, int) and value > (kind == "unroll"):
            arguments[places[-1]] = str(value)
            text = f"{command.spec.name}({', '.join(arguments)})"
        commands.append(text)
    return tuple(commands)


def _cut(loops: _Loops, choice: Mapping[str, Value], names: Names) -> None:
    for variable in list(loops.order):
        size = choice.get(f"tile {variable}", 0)
        if not isinstance(size, int) or size == 0:
            continue
        outer, inner = names.fresh(f"{variable}0"), names.fresh(f"{variable}1")
        loops.commands.append(f"split({variable}, {outer}, {inner}, {size})")
        at = loops.order.index(variable)
        loops.order[at : at + 1] = [outer, inner]
        loops.pieces[variable] = [outer, inner]
    if choice.get("tiles") == "outside":
        outside = [pieces[0] for pieces in loops.pieces.values() if len(pieces) > 1]
        inside = [loop for loop in loops.order if loop not in outside]
        _reorder(loops, [*outside, *inside])


def _innermost(loops: _Loops, lane: str) -> None:
    _reorder(loops, [*(loop for loop in loops.order if loop != lane), lane])


def _reorder(loops: _Loops, wanted: list[str]) -> None:
    if wanted != loops.order:
        loops.commands.append(f"reorder({', '.join(wanted)})")
        loops.order = wanted


def _vectors(
    program: Program, loops: _Loops, lane: str, variable: str, choice: Mapping[str, Value], names: Names
) -> None:
    summed = variable in program.summed
    if choice.get("copies") == "sums in registers" and not summed:
        lane_copy, workspace = names.fresh(f"{lane}w"), names.fresh("w")
        expression = to_text(program.assignment.expression)
        loops.commands.append(f"precompute({expression}, {lane}, {lane_copy}, {workspace})")
        loops.commands.append(f"parallelize({lane_copy}, CPUVector, NoRaces)")
    race = "ParallelReduction" if summed else "NoRaces"
    loops.commands.append(f"parallelize({lane}, CPUVector, {race})")


def _unroll(loops: _Loops, lane: str | None, choice: Mapping[str, Value]) -> None:
    factor = choice.get("unroll", 1)
    inner = [loop for loop in loops.order if loop != lane]
    if isinstance(factor, int) and factor > 1 and inner:
        loops.commands.append(f"unroll({inner[-1]}, {factor})")


def _threads(program: Program, loops: _Loops, choice: Mapping[str, Value], names: Names) -> None:
    """The outermost loop that is left of a variable; balanced, by the entries of the sparse operand."""
    variable, _, how = str(choice.get("threads", NONE)).partition(" ")
    if variable not in loops.pieces:
        return
    loop = loops.pieces[variable][0]
    if how.startswith("by "):
        outer, inner = names.fresh(f"{loop}p"), names.fresh(f"{loop}r")
        parts = choice.get("parts", 0) or 4 * program.machine.threads
        loops.commands.append(f"balance({loop}, {outer}, {inner}, {how.removeprefix('by ')}, {parts})")
        loop = outer
    race = how if how in ("Atomics", "Temporary") else "NoRaces"
    loops.commands.append(f"parallelize({loop}, CPUThread, {race})")
