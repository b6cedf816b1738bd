"""Applying a schedule: every command either gives a new, verified iteration graph or a diagnostic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compiler.conversions import WrongOrderError
from compiler.diagnostics import CompileError, Diagnostic, Fix, Location, Severity
from compiler.iteration_graph.checks.verify import verify
from compiler.iteration_graph.graph.nodes import IterationGraph, Remark
from compiler.schedule.command import Refusal
from compiler.schedule.parser import ParsedCommand
from compiler.schedule.removal import removal


def apply(
    graph: IterationGraph, parsed: ParsedCommand, schedule: tuple[str, ...], settled: bool = True
) -> IterationGraph:
    """The graph after one command. Raises CompileError located at the argument at fault. ``settled``: see
    :func:`compiler.iteration_graph.checks.verify.verify`."""
    try:
        changed = parsed.command.apply(graph, parsed.number)
        verify(changed, settled)
        return changed
    except Refusal as refusal:
        diagnostic = _diagnostic(refusal, parsed, schedule)
        if refusal.wanted:
            raise WrongOrderError(diagnostic, wanted=refusal.wanted, command=parsed.number) from None
        raise CompileError(diagnostic) from None


def refused(
    refusal: Refusal, commands: Sequence[ParsedCommand], schedule: tuple[str, ...], otherwise: Location
) -> CompileError:
    """The schedule as a whole is refused: at the command at fault, else at ``otherwise``."""
    if refusal.command is not None:
        return CompileError(_diagnostic(refusal, commands[refusal.command], schedule))
    return CompileError(
        Diagnostic(
            refusal.code,
            refusal.message,
            otherwise,
            expected=refusal.expected,
            found=refusal.found,
            candidates=refusal.candidates,
            hint=refusal.hint,
            fixes=refusal.fixes,
        )
    )


def remarks(
    graph: IterationGraph, commands: Sequence[ParsedCommand], schedule: tuple[str, ...]
) -> tuple[Diagnostic, ...]:
    """Warnings about commands that applied."""
    return tuple(about(remark, commands[remark.command], schedule) for remark in graph.remarks)


def about(remark: Remark, parsed: ParsedCommand, schedule: tuple[str, ...]) -> Diagnostic:
    """The warning that a remark about a command is."""
    return replace(_diagnostic(remark.refusal, parsed, schedule), severity=Severity.WARNING)


def _diagnostic(refusal: Refusal, parsed: ParsedCommand, schedule: tuple[str, ...]) -> Diagnostic:
    location = parsed.location(refusal.argument, refusal.found)
    fixes = refusal.fixes
    if refusal.replacement is not None and refusal.argument is not None:
        text = parsed.text[: location.start] + refusal.replacement + parsed.text[location.end :]
        fixes = (Fix(f"Write {text.strip()}", schedule=_with(schedule, parsed.number, text)), *fixes)
    if refusal.instead:
        title = f"Write {', '.join(refusal.instead)}"
        fixes = (Fix(title, schedule=_with(schedule, parsed.number, *refusal.instead)), *fixes)
    if not fixes:
        fixes = (removal(parsed, schedule),)
    return Diagnostic(
        refusal.code,
        f"`{parsed.text.strip()}`: {refusal.message}",
        location,
        expected=refusal.expected,
        found=refusal.found,
        candidates=refusal.candidates,
        hint=refusal.hint,
        fixes=fixes,
    )


def _with(schedule: tuple[str, ...], number: int, *texts: str) -> tuple[str, ...]:
    return (*schedule[:number], *texts, *schedule[number + 1 :])
