"""Schedule text -> commands. The grammar is ``[selector:] name(argument, …)``; the registry says what each argument
is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part, nearest
from heddle.schedule.command import Command, CommandSpec, Parameter
from heddle.schedule.parts.arithmetic import CONSTANTS, Arithmetic, ArithmeticMistake
from heddle.schedule.parts.for_parts import ForParts, Value
from heddle.schedule.parts.selection import Selection
from heddle.schedule.registry import COMMANDS
from heddle.schedule.syntax.command_spelling import meant_commands
from heddle.typography import plain_spaces

_ALIKE = 0.65
"""How close a word must be to the name of a command: tile is not meant to be inline."""
_AUTO = "auto"
"""The word that leaves a schedule to the rules."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_WORD = re.compile(r"\w+")
_PLAIN_ARGUMENTS = re.compile(r"\(\s*\w+\s*(?:,\s*\w+\s*)*\)\s*")
"""Words between commas alone, as most commands have them."""
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_SELECTOR = re.compile(r"\s*([A-Za-z_]\w*\s*\[[^\]:(]*\]?)\s*(:?)\s*")


SPARSETIR = {
    "sparse_reorder": ("reorder", "reorder here: no level comes before the levels above it in its tensor"),
    "sparse_fuse": (
        "fuse",
        "fuse here, which walks the positions of the last of sparse levels by itself: fuse(i, j, f); "
        "pos(f, p, A) gives the positions a name",
    ),
}
"""Its names of commands: what they are here, and in words (Ye et al. 2023)."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument's text and where it is in the command's text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    number: int
    text: str
    spec: CommandSpec
    command: Command
    arguments: tuple[Argument, ...]
    selector: Argument | None = None
    """In front of the command: the parts that it is for."""

    def location(self, parameter: str | None, actual: str | None = None) -> Location:
        """The place of a parameter's argument (the whole command for None); ``actual`` picks one of several."""
        names = [p.name for p in self.spec.parameters]
        if parameter == "parts" and self.selector is not None:
            return Location(Part.SCHEDULE, self.selector.start, self.selector.end, command=self.number)
        if parameter is None or parameter not in names:
            return Location(Part.SCHEDULE, 0, len(self.text), command=self.number)
        index = names.index(parameter)
        if self.spec.parameters[index].kind == "variables":
            listed = self.arguments[index:]
            first = last = next((a for a in listed if a.text == actual), listed[0])
            if first.text != actual:
                last = listed[-1]
        else:
            first = last = self.arguments[index]
        return Location(Part.SCHEDULE, first.start, last.end, command=self.number)


def parse_command(text: str, number: int, schedule: tuple[str, ...] = ()) -> ParsedCommand:
    """One command. Raises CompileError with a ``schedule/…`` code, a location inside ``text`` and a fix that replaces
    this command of ``schedule``."""
    try:
        return _parse(plain_spaces(text), number)
    except CompileError as error:
        raise CompileError(*(_with_fix(d, text, number, schedule) for d in error.diagnostics)) from None


def _with_fix(diagnostic: Diagnostic, text: str, number: int, schedule: tuple[str, ...]) -> Diagnostic:
    """What the command means in another spelling, or the nearest candidate in place of what was found; else the
    schedule without the command."""
    if number >= len(schedule):
        return diagnostic
    meant = meant_commands(schedule, number, _parses)
    if meant is not None:
        return replace(diagnostic, fixes=(Fix(_title(schedule, meant, number), schedule=meant),))
    others = schedule[:number], schedule[number + 1 :]
    location, actual = diagnostic.location, diagnostic.actual or ""
    alike = _ALIKE if diagnostic.candidates == tuple(COMMANDS) else 0.5
    close = nearest(actual.strip("`"), diagnostic.candidates, 1, alike)
    if diagnostic.candidates and actual.startswith(tuple(SPARSETIR)):
        close = diagnostic.candidates
    if close and location is not None:
        repaired = text[: location.start] + close[0] + text[location.end :]
        fix = Fix(f"Write {repaired.strip()}", schedule=(*others[0], repaired, *others[1]))
    else:
        fix = Fix(f"Remove {text.strip()}", schedule=others[0] + others[1])
    return replace(diagnostic, fixes=(fix,))


def _title(schedule: tuple[str, ...], meant: tuple[str, ...], number: int) -> str:
    """What a repair writes instead of the command at ``number``, and how much else with it."""
    last = next((n for n in range(1, len(meant) - number) if meant[-n] != schedule[-n]), len(meant) - number)
    changed = len(meant) - number - last + 1
    rest = f", and {changed - 1} more below it" if changed > 1 else ""
    return f"Write {meant[number]}{rest}"


def _parses(text: str) -> bool:
    try:
        _parse(plain_spaces(text), 0)
    except CompileError:
        return False
    return True


def _parse(text: str, number: int) -> ParsedCommand:
    selector, selection, start = _select(text, number)
    name_match = _NAME.match(text, start)
    if name_match is None:
        raise _error(
            "schedule/syntax",
            f"expected a command such as split(i, i0, i1, 32), found {_show(text)}.",
            number,
            (0, len(text)),
            expected="a command",
            actual=_show(text),
            candidates=tuple(COMMANDS),
        )
    name = name_match.group()
    if name in SPARSETIR:
        raise _sparsetir(name, text, name_match, number)
    if name not in COMMANDS:
        if text.strip() == name and nearest(name.lower(), (_AUTO,), 1):
            unknown = f"there is no command {name}. Did you mean {_AUTO}?"
            opening = f"{name} is not a command:" if name == _AUTO else unknown
            raise _error(
                "schedule/unknown-command",
                f'{opening} schedule="{_AUTO}" alone is for hd.compile, hd.evaluate and hd.einsum, which look at the '
                "operands of a call.",
                number,
                name_match.span(),
                expected="a command",
                actual=name,
            )
        close = nearest(name, tuple(COMMANDS), 1, _ALIKE)
        suggestion = f" Did you mean {close[0]}?" if close else ""
        raise _error(
            "schedule/unknown-command",
            f"there is no command {name}.{suggestion} Commands: {', '.join(COMMANDS)}.",
            number,
            name_match.span(),
            expected="a command",
            actual=name,
            candidates=close or tuple(COMMANDS),
        )
    spec = COMMANDS[name]
    arguments = _arguments(text, name_match.end(), spec, number)
    if selector is not None and any(parameter.kind == "parts" for parameter in spec.parameters):
        raise _error(
            "schedule/selector",
            f"{name} says by itself which parts it is for: {spec.signature}. Leave out {selector.text}: before it.",
            number,
            (selector.start, name_match.start()),
            expected=f"{name} without parts before it",
            actual=f"{selector.text}:",
        )
    values = _values(spec, arguments, text, number, selection is not None)
    if selection is None:
        return ParsedCommand(number, text, spec, spec.make(**values), arguments)
    part_arguments = tuple((name, value) for name, value in values.items() if not isinstance(value, Selection))
    return ParsedCommand(number, text, spec, ForParts(selection, spec, part_arguments), arguments, selector)


def _sparsetir(name: str, text: str, match: re.Match[str], number: int) -> CompileError:
    """What a command of SparseTIR is called here."""
    equivalent, explained = SPARSETIR[name]
    start, end = match.span()
    if name == "sparse_fuse":
        inside = text[end:].strip().removeprefix("(").partition(")")[0]
        loops = [word.strip() for word in inside.split(",") if _NAME.fullmatch(word.strip())]
        equivalent, end = f"fuse({', '.join([*loops, ''.join(loops)])})", len(text)
    return _error(
        "schedule/unknown-command",
        f"{name} of SparseTIR is {explained}.",
        number,
        (start, end),
        expected=equivalent.partition("(")[0],
        actual=text[start:end],
        candidates=(equivalent,),
    )


def _select(text: str, number: int) -> tuple[Argument | None, Selection | None, int]:
    """The parts in front of a command, if any, and where the command begins."""
    prefix = _SELECTOR.match(text)
    if prefix is None:
        return None, None, len(text) - len(text.lstrip())
    spelled = prefix.group(1).strip()
    selection = Selection.parse(spelled)
    if selection is None or not prefix.group(2):
        raise _error(
            "schedule/selector",
            "before a command come the parts of a tensor and a colon, such as A[*]: or A[ell4, csr]: or "
            f"A[0..2]:, found {_show(prefix.group())}.",
            number,
            (prefix.start(1), prefix.end(1)),
            expected="parts of a tensor and a colon",
            actual=_show(prefix.group()),
        )
    return Argument(spelled, prefix.start(1), prefix.start(1) + len(spelled)), selection, prefix.end()


def _arguments(text: str, start: int, spec: CommandSpec, number: int) -> tuple[Argument, ...]:
    """The texts between the parentheses, cut at top-level commas."""
    position = start + len(text[start:]) - len(text[start:].lstrip())
    if position >= len(text) or text[position] != "(":
        raise _error(
            "schedule/syntax",
            f"expected ( after {spec.name}: {spec.signature}.",
            number,
            (start, max(start + 1, len(text))),
            expected="(",
            actual=_show(text[position:]),
        )
    if (plain := _PLAIN_ARGUMENTS.fullmatch(text, position)) is not None:
        return tuple(Argument(word.group(), word.start(), word.end()) for word in _WORD.finditer(text, plain.start()))
    arguments: list[Argument] = []
    depth, begin = 0, position + 1
    for index in range(position, len(text)):
        character = text[index]
        if character in "({[":
            depth += 1
        elif character in ")}]":
            depth -= 1
        if (character == "," and depth == 1) or depth == 0:
            piece = text[begin:index]
            stripped = piece.strip()
            left = begin + len(piece) - len(piece.lstrip())
            if stripped or arguments or character == ",":
                arguments.append(Argument(stripped, left, left + max(1, len(stripped))))
            begin = index + 1
        if depth == 0:
            rest = text[index + 1 :]
            if rest.strip():
                raise _error(
                    "schedule/syntax",
                    f"unexpected text after the command: {_show(rest)}. One command per line.",
                    number,
                    (index + 1, len(text)),
                    expected="the end of the line",
                    actual=_show(rest),
                )
            return tuple(arguments)
    raise _error(
        "schedule/syntax",
        f"the parenthesis of {spec.name} is not closed: {spec.signature}.",
        number,
        (position, len(text)),
        expected=")",
        actual="the end of the line",
    )


def _values(
    spec: CommandSpec, arguments: tuple[Argument, ...], text: str, number: int, selected: bool
) -> dict[str, Value | Selection]:
    parameters = spec.parameters
    least = sum(not p.optional for p in parameters)
    variadic = bool(parameters) and parameters[-1].kind == "variables"
    if len(arguments) < least or (len(arguments) > len(parameters) and not variadic):
        wanted = f"at least {least}" if variadic else str(least) if least == len(parameters) else f"{least} or more"
        noun = "argument" if wanted.endswith(" 1") else "arguments"
        raise _error(
            "schedule/wrong-arguments",
            f"{spec.name} takes {wanted} {noun}, found {len(arguments)}: {spec.signature}.",
            number,
            (0, len(text)),
            expected=spec.signature,
            actual=f"{len(arguments)} arguments",
        )
    values: dict[str, Value | Selection] = {}
    for index, parameter in enumerate(parameters):
        if parameter.kind == "variables":
            values[parameter.name] = tuple(str(_value(a, parameter, spec, number, selected)) for a in arguments[index:])
        elif index < len(arguments):
            values[parameter.name] = _value(arguments[index], parameter, spec, number, selected)
    return values


def _value(
    argument: Argument, parameter: Parameter, spec: CommandSpec, number: int, selected: bool
) -> Value | Selection:
    text, where = argument.text, (argument.start, argument.end)
    match parameter.kind:
        case "parts":
            selection = Selection.parse(text)
            if selection is None:
                raise _bad(spec, parameter, argument, number, "parts of a tensor, such as A[*] or A[ell4, csr]")
            return selection
        case "integer" if selected and not _INTEGER.fullmatch(text):
            try:
                return Arithmetic.parse(text)
            except ArithmeticMistake:
                known = ", ".join(CONSTANTS)
                raise _bad(spec, parameter, argument, number, f"an integer, or arithmetic with {known}") from None
        case "integer":
            if not _INTEGER.fullmatch(text):
                raise _bad(spec, parameter, argument, number, "an integer")
            return int(text)
        case "variable" | "variables" | "new-variable" | "tensor" | "temporary" | "new-tensor":
            if not _NAME.fullmatch(text):
                raise _bad(spec, parameter, argument, number, "a name")
            return text
        case "variable-set" | "new-variable-set":
            names = tuple(name.strip() for name in text.removeprefix("{").removesuffix("}").split(","))
            if text.startswith("{") != text.endswith("}") or not all(map(_NAME.fullmatch, names)):
                raise _bad(spec, parameter, argument, number, "a name or several names in braces: {i, j}")
            return names
        case "enumeration":
            if text not in parameter.choices:
                close = nearest(text, parameter.choices, 1)
                raise _error(
                    "schedule/unknown-value",
                    f"{spec.name}: {parameter.name} must be one of {', '.join(parameter.choices)}, "
                    f"found {_show(text)}.",
                    number,
                    where,
                    expected=", ".join(parameter.choices),
                    actual=_show(text),
                    candidates=close or parameter.choices,
                )
            return text
        case "expression":
            return text
        case _:
            raise TypeError(f"unexpected kind {parameter.kind!r}")


def _bad(spec: CommandSpec, parameter: Parameter, argument: Argument, number: int, expected: str) -> CompileError:
    return _error(
        "schedule/bad-argument",
        f"{spec.name}: {parameter.name} ({parameter.doc}) must be {expected}, found {_show(argument.text)}.",
        number,
        (argument.start, argument.end),
        expected=expected,
        actual=_show(argument.text),
    )


def _show(text: str) -> str:
    text = text.strip()
    return (f"`{text[:40]}…`" if len(text) > 40 else f"`{text}`") if text else "nothing"


def _error(
    code: str,
    message: str,
    number: int,
    span: tuple[int, int],
    *,
    expected: str,
    actual: str,
    candidates: tuple[str, ...] = (),
) -> CompileError:
    location = Location(Part.SCHEDULE, span[0], span[1], command=number)
    return CompileError(Diagnostic(code, message, location, expected=expected, actual=actual, candidates=candidates))
