"""The passes over the loops of one compile, as a table for the shell."""

from __future__ import annotations

from difflib import SequenceMatcher

from heddle.explorer.views.compile_schema import CompileView, StageView

PREFIX = "pass-"
"""Of the stages that are passes over the loops."""


def passes_table(view: CompileView) -> str | None:
    """A row for each pass: its time, the lines of the structured loops that it added and removed, and what it is for.
    None where the compile came to no loops."""
    lowered = next((stage for stage in view["stages"] if stage["id"] == "lowered"), None)
    if lowered is None:
        return None
    before = lowered["text"].splitlines()
    rows = [("pass", "ms", "lines", "what it does"), _row("lowered", lowered, str(len(before)), lowered["title"])]
    for stage in view["stages"]:
        if not stage["id"].startswith(PREFIX):
            continue
        after = stage["text"].splitlines() if stage["changed"] else before
        rows.append(_row(stage["id"].removeprefix(PREFIX), stage, _difference(before, after), stage["summary"] or ""))
        before = after
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:{widths[0]}}  {time:>{widths[1]}}  {lines:>{widths[2]}}  {what}" for name, time, lines, what in rows
    )


def loops_behind(view: CompileView, name: str) -> str | None:
    """The structured loops after the pass of that name, whether it changed them or not; None where there are none."""
    text = None
    for stage in view["stages"]:
        if stage["id"] == "lowered" or (stage["id"].startswith(PREFIX) and stage["changed"]):
            text = stage["text"]
        if stage["id"] == PREFIX + name:
            return text
    return None


def _row(name: str, stage: StageView, lines: str, what: str) -> tuple[str, str, str, str]:
    return name, f"{stage['milliseconds']:.2f}", lines, what


def _difference(before: list[str], after: list[str]) -> str:
    """``+3 -1``, or a dot for no change at all."""
    added = removed = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += i2 - i1
            added += j2 - j1
    parts = [f"+{added}" if added else "", f"-{removed}" if removed else ""]
    return " ".join(part for part in parts if part) or "·"
