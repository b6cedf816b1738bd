"""Removing a command from a schedule, with what needs the variables that it would have made."""

from __future__ import annotations

from heddle.diagnostics import CompileError, Fix
from heddle.schedule.syntax.parser import ParsedCommand, parse_command


def removal(removed: ParsedCommand, schedule: tuple[str, ...]) -> Fix:
    """The repair that removes a command. Later commands that name its variables go with it; a later reorder only loses
    these variables while two are left."""
    missing = _find_defined_variables(removed)
    remaining = list(schedule[: removed.number])
    named: dict[str, None] = {}
    for number, text in enumerate(schedule[removed.number + 1 :], start=removed.number + 1):
        try:
            command = parse_command(text, number)
        except CompileError:  # it has its own message, when its turn comes
            remaining.append(text)
            continue
        used = [argument.text for argument in command.arguments if argument.text in missing]
        if not used:
            remaining.append(text)
            continue
        named |= dict.fromkeys(name for name in used if name in _find_defined_variables(removed))
        left = [argument.text for argument in command.arguments if argument.text not in missing]
        if command.spec.parameters[0].kind == "variables" and len(left) > 1:
            remaining.append(f"{command.spec.name}({', '.join(left)})")
        else:
            missing |= _find_defined_variables(command)
    needs = f" and what needs {' and '.join(named)}" if named else ""
    return Fix(f"Remove {removed.text.strip()}{needs}", schedule=tuple(remaining))


def _find_defined_variables(command: ParsedCommand) -> set[str]:
    """The variables that a command makes."""
    pairs = zip(command.spec.parameters, command.arguments, strict=False)
    return {argument.text for parameter, argument in pairs if parameter.kind == "new-variable"}
