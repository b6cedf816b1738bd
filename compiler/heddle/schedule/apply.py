"""Applying a schedule: every command either gives a new, verified iteration graph or a diagnostic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heddle.advice import Advice, SelectParts, UseOther, WriteInstead
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Severity
from heddle.iteration_graph.checks.verify import verify
from heddle.iteration_graph.graph.nodes import IterationGraph, Remark
from heddle.schedule.automatic_workspace import apply_with_workspace
from heddle.schedule.command import Refusal
from heddle.schedule.parts.for_parts import ForParts
from heddle.schedule.removal import removal
from heddle.schedule.syntax.parser import ParsedCommand


def apply(
    graph: IterationGraph, parsed: ParsedCommand, schedule: tuple[str, ...], settled: bool = True
) -> IterationGraph:
    """The graph after one command. Raises CompileError located at the argument at fault. ``settled``: see
    :func:`heddle.iteration_graph.checks.verify.verify`."""
    try:
        return apply_command(graph, parsed, settled)
    except Refusal as refusal:
        raise CompileError(diagnose(refusal, parsed, schedule)) from None


def apply_command(graph: IterationGraph, parsed: ParsedCommand, settled: bool = True) -> IterationGraph:
    """The same; raises the Refusal itself. The first command finds the automatic workspace there, if one is needed."""
    changed = apply_with_workspace(graph, lambda variant: _change(variant, parsed, settled))
    return changed.with_tags(commands=(*graph.commands, parsed.text))


def _change(graph: IterationGraph, parsed: ParsedCommand, settled: bool) -> IterationGraph:
    command = parsed.command
    changed = command.apply(graph, parsed.number)
    try:
        verify(changed, settled)
    except Refusal as refusal:
        if isinstance(command, ForParts):
            raise command.at_fault(graph, parsed.number, refusal, lambda stage: verify(stage, settled)) from None
        raise
    return changed


def refusal_error(
    refusal: Refusal, commands: Sequence[ParsedCommand], schedule: tuple[str, ...], otherwise: Location
) -> CompileError:
    """The schedule as a whole is refused: at the command at fault, else at ``otherwise``."""
    if refusal.command is not None:
        return CompileError(diagnose(refusal, commands[refusal.command], schedule))
    return CompileError(
        Diagnostic(
            refusal.code,
            refusal.message,
            otherwise,
            expected=refusal.expected,
            actual=refusal.actual,
            candidates=refusal.candidates,
            hint=refusal.hint,
            fixes=refusal.fixes,
            advice=refusal.advice,
        )
    )


def remarks(
    graph: IterationGraph, commands: Sequence[ParsedCommand], schedule: tuple[str, ...]
) -> tuple[Diagnostic, ...]:
    """Warnings about commands that applied."""
    return tuple(make_warning(remark, commands[remark.command], schedule) for remark in graph.remarks)


def make_warning(remark: Remark, parsed: ParsedCommand, schedule: tuple[str, ...]) -> Diagnostic:
    """The warning that a remark about a command is."""
    return replace(diagnose(remark.refusal, parsed, schedule), severity=Severity.WARNING)


def diagnose(refusal: Refusal, parsed: ParsedCommand, schedule: tuple[str, ...]) -> Diagnostic:
    """The diagnostic of a command that is refused, with the repairs that the refusal advises."""
    location = parsed.location(refusal.argument, refusal.actual)
    fixes = refusal.fixes
    for advice in refusal.advice:
        written = _rewrite_commands(advice, refusal, parsed)
        if written:
            title = f"Write {', '.join(text.strip() for text in written)}"
            fixes = (Fix(title, schedule=_with(schedule, parsed.number, *written)), *fixes)
    if not fixes:
        fixes = (removal(parsed, schedule),)
    return Diagnostic(
        refusal.code,
        f"`{parsed.text.strip()}`: {refusal.message}",
        location,
        expected=refusal.expected,
        actual=refusal.actual,
        candidates=refusal.candidates,
        hint=refusal.hint,
        fixes=fixes,
        advice=refusal.advice,
    )


def _rewrite_commands(advice: Advice, refusal: Refusal, parsed: ParsedCommand) -> tuple[str, ...]:
    """The commands that the advice puts in the place of the refused one, if it does."""
    match advice:
        case UseOther(argument=argument, value=value) if argument == refusal.argument:
            location = parsed.location(argument, refusal.actual)
            return (parsed.text[: location.start] + value + parsed.text[location.end :],)
        case WriteInstead(commands=commands):
            return commands
        case SelectParts(selection=selection):
            return (selection + parsed.text[parsed.text.index("]") + 1 :],)
        case _:
            return ()


def _with(schedule: tuple[str, ...], number: int, *texts: str) -> tuple[str, ...]:
    return (*schedule[:number], *texts, *schedule[number + 1 :])
