"""A diagnostic as plain text, with the offending text underlined."""

from __future__ import annotations

from heddle.diagnostics import Diagnostic, Location, Part
from heddle.plan import Plan


def render(diagnostic: Diagnostic, plan: Plan | None) -> str:
    """Several lines without colour; ``plan`` is None when the document itself could not be read."""
    lines = [f"{diagnostic.severity.value}: {diagnostic.message} [{diagnostic.code}]"]
    if diagnostic.location is not None:
        lines += _excerpt(diagnostic.location, plan)
    lines += [f"  {sentence}" for sentence in diagnostic.evidence]
    if diagnostic.hint:
        lines.append(f"  hint: {diagnostic.hint}")
    if diagnostic.candidates and not diagnostic.fixes:
        lines.append(f"  possible: {', '.join(diagnostic.candidates)}")
    lines += [f"  fix: {fix.title}" for fix in diagnostic.fixes]
    return "\n".join(lines)


def _excerpt(location: Location, plan: Plan | None) -> list[str]:
    """The part of the plan, its line with the error, and carets below it."""
    if plan is None or location.part in (Part.PLAN, Part.INPUT):
        place = location.path or (f"/inputs/{location.tensor}" if location.tensor else "")
        return [f"  at {place}"] if place else []
    title, text = _text(location, plan)
    if text is None:
        return [f"  in {title}"]
    start = min(location.start, len(text))
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", first)
    line = text[first : last if last >= 0 else len(text)]
    width = max(1, min(location.end, first + len(line)) - start)
    prefix = f"  {title}: "
    shown = "".join(letter if letter.isprintable() else " " for letter in line)
    return [prefix + shown, " " * (len(prefix) + start - first) + "^" * width]


def _text(location: Location, plan: Plan) -> tuple[str, str | None]:
    """What the location's offsets count in, and its name."""
    match location.part:
        case Part.EXPRESSION:
            return "expression", plan.expression
        case Part.FORMAT:
            spec = plan.tensors.get(location.tensor or "")
            return f"format of {location.tensor}", spec.format if spec else None
        case Part.SCHEDULE:
            if location.command is None or location.command >= len(plan.schedule):
                return "schedule", None
            return f"schedule, command {location.command + 1}", plan.schedule[location.command]
        case _:
            raise TypeError(f"no text for {location.part!r}")
