"""A plan whose parts run in one launch, beside the same plan with a launch for each (docs/sources.md V15)."""

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
from heddle.schedule.parser import ParsedCommand
from heddle.schedule.part_statements import part_statements
from heddle.schedule.primitives.concat import Concat

_NAMES = re.compile(r"[A-Za-z_]\w*")


def fusion_view(result: CompileResult, lower: Callable[[Plan], CompileResult]) -> FusionView:
    """The launches of ``result``, and those of its plan without the first ``concat``, which ``lower`` compiles."""
    view = FusionView(
        ok=False, diagnostics=[], command=None, schedule=[], separate=[], fused=[], cases=[], adds_up=None
    )
    try:
        result.raise_errors()
        joined = _joined(result)
        schedule, own = _apart(result, joined)
        apart = lower(replace(result.plan, schedule=schedule))
        apart.raise_errors()
    except CompileError as error:
        view["diagnostics"] = [diagnostic_view(one) for one in error.diagnostics]
        return view
    command = joined.command
    assert isinstance(command, Concat)
    separate, fused = _launches(apart, own), _launches(result, {})
    cases, adds_up = _cases(separate, fused)
    view["ok"], view["command"], view["schedule"] = True, joined.number, list(schedule)
    view["separate"], view["fused"], view["cases"], view["adds_up"] = separate, fused, cases, adds_up
    return view


def _joined(result: CompileResult) -> ParsedCommand:
    """The command that puts parts into one loop."""
    found = next((one for one in result.commands if isinstance(one.command, Concat)), None)
    if found is not None and result.launches:
        return found
    message, expected = (
        ("No command puts the loops of the parts one after the other.", "a schedule with concat")
        if found is None
        else (f"A plan for {result.plan.target} has no launches.", "a plan for a GPU, through OpenCL or CUDA")
    )
    raise CompileError(
        Diagnostic(
            "fusion/none",
            message,
            Location(Part.SCHEDULE, 0, 0),
            expected=expected,
            found="none" if found is None else result.plan.target,
            hint="On a GPU, concat(t, A[*]) makes one launch of those of all parts.",
        )
    )


def _apart(result: CompileResult, joined: ParsedCommand) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The schedule without the command, in which each part has what the one loop had; and the part of each loop."""
    command = joined.command
    assert isinstance(command, Concat)
    graph = result.graphs[joined.number]
    parts = [part.name for _, part in command.parts.of(graph)]
    loops = [one.loop.variable for one in part_statements(graph, command.parts, "concat")]
    own = dict(zip(loops, parts, strict=True))
    names = [{command.whole: loop} for loop in loops]
    schedule = list(result.plan.schedule[: joined.number])
    for parsed in result.commands[joined.number + 1 :]:
        used = set(_NAMES.findall(parsed.text))
        if not used & names[0].keys():
            schedule.append(parsed.text.strip())
            continue
        made = [
            argument.text
            for parameter, argument in zip(parsed.spec.parameters, parsed.arguments, strict=False)
            if parameter.kind == "new-variable"
        ]
        for part, known in zip(parts, names, strict=True):
            known.update({name: f"{name}_{part}" for name in made})
            own |= {f"{name}_{part}": part for name in made}
            schedule.append(_renamed(parsed.text, known))
    return tuple(schedule), own


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return _NAMES.sub(lambda found: names.get(found.group(), found.group()), text)


def _launches(result: CompileResult, own: Mapping[str, str]) -> list[PartLaunchView]:
    try:
        traced = {one["launch"]: one["blocks"] for one in trace_view(result)["launches"]}
    except CompileError:  # It has too many iterations to be followed.
        traced = {}
    return [
        PartLaunchView(
            name=launch.name,
            part=next((own[one] for loop in launch.loops if (one := loop.variable) is not None and one in own), None),
            grid=launch.grid,
            work=[sum(block["work"]) for block in traced[number]] if number in traced else None,
        )
        for number, launch in enumerate(result.launches)
    ]


def _cases(separate: Sequence[PartLaunchView], fused: Sequence[PartLaunchView]) -> tuple[list[CaseView], bool | None]:
    """Which blocks of the one launch are whose, in the order of the parts."""
    of_parts = [one for one in separate if one["part"] is not None]
    cases: list[CaseView] = []
    first = 0
    for one in of_parts:
        if one["work"] is None or one["part"] is None:
            return [], None
        cases.append(CaseView(part=one["part"], first=first, blocks=len(one["work"])))
        first += len(one["work"])
    apart = [work for one in of_parts for work in one["work"] or ()]
    return cases, any(one["work"] == apart for one in fused)
