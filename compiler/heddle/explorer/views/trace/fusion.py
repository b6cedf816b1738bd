"""A plan whose parts run in one launch, beside the same plan with a launch for each (docs/sources.toml V15)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.trace.fusion_schema import CaseView, FusionView, PartLaunchView
from heddle.explorer.views.trace.trace import trace_view
from heddle.plan import Plan
from heddle.result import CompileResult
from heddle.schedule.parts.part_statements import part_statements
from heddle.schedule.primitives.concat import Concat
from heddle.schedule.syntax.parser import ParsedCommand

_NAMES = re.compile(r"[A-Za-z_]\w*")


def fusion_view(result: CompileResult, lower: Callable[[Plan], CompileResult]) -> FusionView:
    """The launches of ``result``, and those of its plan without the first ``concat``, which ``lower`` compiles."""
    view = FusionView(
        ok=False, diagnostics=[], command=None, schedule=[], separate=[], fused=[], cases=[], adds_up=None
    )
    try:
        result.raise_errors()
        joined = _find_join(result)
        schedule, part_of_loop = _split_schedule(result, joined)
        apart = lower(replace(result.plan, schedule=schedule))
        apart.raise_errors()
    except CompileError as error:
        view["diagnostics"] = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
        return view
    command = joined.command
    assert isinstance(command, Concat)
    separate, fused = _launches(apart, part_of_loop), _launches(result, {})
    cases, adds_up = _cases(separate, fused)
    view["ok"], view["command"], view["schedule"] = True, joined.number, list(schedule)
    view["separate"], view["fused"], view["cases"], view["adds_up"] = separate, fused, cases, adds_up
    return view


def _find_join(result: CompileResult) -> ParsedCommand:
    """The command that puts parts into one loop."""
    concatenation = next((command for command in result.commands if isinstance(command.command, Concat)), None)
    if concatenation is not None and result.launches:
        return concatenation
    message, expected = (
        ("No command puts the loops of the parts one after the other.", "a schedule with concat")
        if concatenation is None
        else (f"A plan for {result.plan.target} has no launches.", "a plan for a GPU, through OpenCL or CUDA")
    )
    raise CompileError(
        Diagnostic(
            "fusion/none",
            message,
            Location(Part.SCHEDULE, 0, 0),
            expected=expected,
            actual="none" if concatenation is None else result.plan.target,
            hint="On a GPU, concat(t, A[*]) makes one launch of those of all parts.",
        )
    )


def _split_schedule(result: CompileResult, joined: ParsedCommand) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The schedule without the command, in which each part has what the one loop had; and the part of each loop."""
    command = joined.command
    assert isinstance(command, Concat)
    graph = result.graphs[joined.number]
    parts = [part.name for _, part in command.parts.of(graph)]
    loops = [statement.loop.variable for statement in part_statements(graph, command.parts, "concat")]
    part_of_loop = dict(zip(loops, parts, strict=True))
    names = [{command.whole: loop} for loop in loops]
    schedule = list(result.plan.schedule[: joined.number])
    for parsed in result.commands[joined.number + 1 :]:
        used = set(_NAMES.findall(parsed.text))
        if not used & names[0].keys():
            schedule.append(parsed.text.strip())
            continue
        new_variables = [
            argument.text
            for parameter, argument in zip(parsed.spec.parameters, parsed.arguments, strict=False)
            if parameter.kind == "new-variable"
        ]
        for part, known in zip(parts, names, strict=True):
            known.update({name: f"{name}_{part}" for name in new_variables})
            part_of_loop |= {f"{name}_{part}": part for name in new_variables}
            schedule.append(_rename(parsed.text, known))
    return tuple(schedule), part_of_loop


def _rename(text: str, names: Mapping[str, str]) -> str:
    return _NAMES.sub(lambda match: names.get(match.group(), match.group()), text)


def _launches(result: CompileResult, part_of_loop: Mapping[str, str]) -> list[PartLaunchView]:
    try:
        traced = {launch_work["launch"]: launch_work["blocks"] for launch_work in trace_view(result)["launches"]}
    except CompileError:  # It has too many iterations to be followed.
        traced = {}
    return [
        PartLaunchView(
            name=launch.name,
            part=next(
                (
                    part_of_loop[variable]
                    for loop in launch.loops
                    if (variable := loop.variable) is not None and variable in part_of_loop
                ),
                None,
            ),
            grid=launch.grid,
            work=[sum(block["work"]) for block in traced[number]] if number in traced else None,
        )
        for number, launch in enumerate(result.launches)
    ]


def _cases(separate: Sequence[PartLaunchView], fused: Sequence[PartLaunchView]) -> tuple[list[CaseView], bool | None]:
    """Which blocks of the one launch are whose, in the order of the parts."""
    of_parts = [launch for launch in separate if launch["part"] is not None]
    cases: list[CaseView] = []
    first = 0
    for part in of_parts:
        if part["work"] is None or part["part"] is None:
            return [], None
        cases.append(CaseView(part=part["part"], first=first, blocks=len(part["work"])))
        first += len(part["work"])
    apart = [work for part in of_parts for work in part["work"] or ()]
    return cases, any(launch["work"] == apart for launch in fused)
