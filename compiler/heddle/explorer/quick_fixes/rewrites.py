"""Other ways to write what was refused: guesses from the command and from what the refusal advises. Whether one helps
is for the compile to say."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.advice import (
    CutFirst,
    KeepApart,
    NestFirst,
    PositionsFirst,
    StoreInOtherParts,
    TaggedBefore,
    WalkPositions,
)
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import loop_variables, loops, variables
from heddle.loop_ir.nodes import LoopKind
from heddle.names import Names
from heddle.result import CompileResult
from heddle.schedule.command import Parameter
from heddle.schedule.primitives.concat import Concat
from heddle.schedule.primitives.parallelize import Parallelize
from heddle.schedule.removal import removal
from heddle.schedule.syntax.parser import ParsedCommand, parse_command
from heddle.targets import target_named

WITH_PROTECTION = ("ParallelReduction", "Atomics", "Temporary")
"""Strategies under which iterations may meet."""
TILE = 64
"""Iterations of a tile where a loop is cut so that its tiles can run in parallel."""


def rewrites(diagnostic: Diagnostic, result: CompileResult) -> Iterator[Fix]:
    """Repairs to try, the likely ones first; nothing where no command is at fault."""
    location, schedule = diagnostic.location, result.plan.schedule
    if location is None or location.part is not Part.SCHEDULE or location.command is None:
        return
    number = location.command
    try:
        parsed = parse_command(schedule[number], number)
    except CompileError:
        text = schedule[number].strip()
        for candidate in diagnostic.candidates:
            yield _write(schedule, number, _replace(schedule[number], location, candidate))
        yield Fix(f"Remove {text}", schedule=(*schedule[:number], *schedule[number + 1 :]))
        return
    graph = result.graphs[min(number, len(result.graphs) - 1)] if result.graphs else None
    if graph is not None:
        for advice in diagnostic.advice:
            match advice:
                case KeepApart(variable=variable):
                    yield from _kept_apart(variable, parsed, schedule, graph)
                case StoreInOtherParts():
                    yield from _in_other_parts(advice, parsed, schedule)
                case CutFirst(variable=variable):
                    yield from _cut_first(variable, parsed, schedule, graph)
                case WalkPositions():
                    yield from _over_positions(advice, parsed, schedule, graph)
                case PositionsFirst(variable=variable, tensor=tensor):
                    position = _names(graph).fresh(f"{variable}pos")
                    walk = f"pos({variable}, {position}, {tensor})"
                    yield from _rename(walk, variable, position, parsed, schedule)
                case TaggedBefore(command=tagging):
                    others = (*schedule[:tagging], *schedule[tagging + 1 :])
                    yield Fix(f"Remove {schedule[tagging].strip()}", schedule=others)
                case NestFirst():
                    yield from _nest(advice, parsed, schedule, graph)
                case _:
                    pass
        yield from _other_values(diagnostic, location, parsed, result, graph)
    yield removal(parsed, schedule)


def _kept_apart(
    variable: str, parsed: ParsedCommand, schedule: tuple[str, ...], graph: IterationGraph
) -> Iterator[Fix]:
    """Another strategy for the loop whose iterations meet, whichever command ran it in parallel; another loop."""
    number = parsed.number
    if not isinstance(parsed.command, Parallelize):
        tag = graph.parallel.get(variable)
        if tag is None:
            return
        number = tag.command
    command = parse_command(schedule[number], number).command
    assert isinstance(command, Parallelize)
    for race in WITH_PROTECTION:
        yield _write(schedule, number, f"parallelize({command.variable}, {command.unit}, {race})")
    for loop in loop_variables(graph.statement):
        yield _write(schedule, number, f"parallelize({loop}, {command.unit}, NoRaces)")


def _in_other_parts(advice: StoreInOtherParts, parsed: ParsedCommand, schedule: tuple[str, ...]) -> Iterator[Fix]:
    """Parts of whole rows under the same schedule; ranges of rows under one loop for all parts in place of two ends."""
    yield Fix(f"Store {advice.tensor} as {advice.whole}", formats={advice.tensor: advice.whole})
    command = parsed.command
    if not isinstance(command, Parallelize):
        return
    joined = [number for number, text in enumerate(schedule) if _joins(text, number, command.variable)]
    if not joined:
        return
    loop = f"{advice.row}_part"
    texts = list(schedule)
    texts[joined[-1]] = f"share({loop}, {advice.tensor}[*])"
    texts[parsed.number] = f"parallelize({loop}, {command.unit}, {command.race})"
    title = f"Store {advice.tensor} as {advice.ranges}, and write {texts[joined[-1]]}, {texts[parsed.number]}"
    yield Fix(title, schedule=tuple(texts), formats={advice.tensor: advice.ranges})


def _joins(text: str, number: int, variable: str) -> bool:
    """Whether the command puts loops one after the other as ``variable``."""
    command = parse_command(text, number).command
    return isinstance(command, Concat) and command.whole == variable


def _cut_first(variable: str, parsed: ParsedCommand, schedule: tuple[str, ...], graph: IterationGraph) -> Iterator[Fix]:
    names = _names(graph)
    tile, inner = names.fresh(f"{variable}0"), names.fresh(f"{variable}1")
    cut = f"split({variable}, {tile}, {inner}, {TILE})"
    yield from _rename(cut, variable, tile, parsed, schedule)


def _rename(first: str, variable: str, name: str, parsed: ParsedCommand, schedule: tuple[str, ...]) -> Iterator[Fix]:
    """``first`` in front of the command, which then names what that makes; nothing where it does not name it."""
    arguments = [name if argument.text == variable else argument.text for argument in parsed.arguments]
    if name in arguments:
        yield _write(schedule, parsed.number, first, f"{parsed.spec.name}({', '.join(arguments)})")


def _nest(advice: NestFirst, parsed: ParsedCommand, schedule: tuple[str, ...], graph: IterationGraph) -> Iterator[Fix]:
    outer, inner = advice.outer, advice.inner
    chain = next((path for path in loops(graph.statement) if {outer, inner} <= {*path}), ())
    swapped = {outer: inner, inner: outer}
    arguments = [swapped.get(argument.text, argument.text) for argument in parsed.arguments]
    yield _write(schedule, parsed.number, f"{parsed.spec.name}({', '.join(arguments)})")
    rest = [loop for loop in chain if loop != inner]
    if outer in rest:
        place = rest.index(outer) + 1
        order = f"reorder({', '.join((*rest[:place], inner, *rest[place:]))})"
        yield _write(schedule, parsed.number, order, parsed.text.strip())


def _over_positions(
    advice: WalkPositions, parsed: ParsedCommand, schedule: tuple[str, ...], graph: IterationGraph
) -> Iterator[Fix]:
    if not isinstance(parsed.command, Parallelize):
        return
    names = _names(graph)
    fused = names.fresh(advice.outer + advice.inner)
    position = names.fresh(f"{fused}pos")
    yield _write(
        schedule,
        parsed.number,
        f"fuse({advice.outer}, {advice.inner}, {fused})",
        f"pos({fused}, {position}, {advice.tensor})",
        f"parallelize({position}, {parsed.command.unit}, Atomics)",
    )


def _other_values(
    diagnostic: Diagnostic, location: Location, parsed: ParsedCommand, result: CompileResult, graph: IterationGraph
) -> Iterator[Fix]:
    """The argument at fault with every other value that it may have; of a refused ``parallelize`` its unit and its
    strategy, too."""
    schedule, units = result.plan.schedule, target_named(result.plan.target).units
    candidates = diagnostic.candidates
    for parameter, argument in zip(parsed.spec.parameters, parsed.arguments, strict=False):
        at_fault = (location.start, location.end) == (argument.start, argument.end)
        if not at_fault and not isinstance(parsed.command, Parallelize):
            continue
        values = _values(parameter, graph, [unit.value for unit in units], candidates if at_fault else ())
        for value in values:
            place = Location(Part.SCHEDULE, argument.start, argument.end)
            yield _write(schedule, parsed.number, _replace(parsed.text, place, value))


def _values(
    parameter: Parameter, graph: IterationGraph, units: list[str], candidates: tuple[str, ...]
) -> tuple[str, ...]:
    match parameter.kind:
        case "enumeration" if parameter.name == "unit":
            return tuple(unit for unit in units if unit != LoopKind.SERIAL.value)
        case "enumeration" if parameter.name == "race":
            return candidates or ("NoRaces", *WITH_PROTECTION)
        case "enumeration":
            return (*candidates, *parameter.choices)
        case "tensor":
            return (*candidates, *(tensor.name for tensor in graph.signature.tensors.values()))
        case "integer":
            return (*candidates, *(str(value) for value in parameter.suggestions))
        case _:
            return candidates


def _names(graph: IterationGraph) -> Names:
    return Names({*variables(graph), *graph.signature.tensors, *graph.workspaces})


def _replace(text: str, location: Location, value: str) -> str:
    return (text[: location.start] + value + text[location.end :]).strip()


def _write(schedule: tuple[str, ...], number: int, *texts: str) -> Fix:
    return Fix(f"Write {', '.join(texts)}", schedule=(*schedule[:number], *texts, *schedule[number + 1 :]))
