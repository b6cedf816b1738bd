"""Long texts of an answer: the lines that it has room for, and how many it leaves out, which are asked for.

A merge whose loops are copied for every set of operands is megabytes of loops and C, in several stages, and each span
of a line has an origin. All of them are shown from their first lines on, the short ones whole.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heddle.explorer.views.code.code import IDENTIFIER
from heddle.explorer.views.code.code_schema import CodeView, TextView
from heddle.explorer.views.compile_schema import CompileView, StageView

MOST_BYTES = 380_000
"""Of all texts in one answer."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text of a view: its ``size`` in JSON, and what ``shorten`` leaves of it in so many bytes."""

    size: int
    shorten: Callable[[int], None]


def share_room(view: CompileView, room: int) -> CompileView:
    """``view`` with its texts in ``room`` bytes: what the short ones leave is for the long ones."""
    texts = sorted(_list_texts(view), key=lambda text: text.size)
    for number, text in enumerate(texts):
        share = room // (len(texts) - number)
        if text.size > share:
            text.shorten(share)
        room -= min(text.size, share)
    return view


def text_view(view: CompileView, stage: str, first: int, room: int) -> TextView:
    """The text of a stage from the 0-based line ``first`` on, as much of it as ``room`` bytes hold. That of the target
    is the text of the stage of its language."""
    chosen = next((other for other in view["stages"] if other["id"] == stage), None)
    code = _code_of(view, stage)
    if code is not None:
        part = _part_of_code(code, first, room)
        return TextView(text=part["text"], code=part, left_out=part.get("left_out", 0))
    lines = "" if chosen is None else chosen["text"]
    text, left_out = _part_of_text(lines, first, room)
    return TextView(text=text, code=None, left_out=left_out)


def _code_of(view: CompileView, stage: str) -> CodeView | None:
    if view["code"] is not None and view["code"]["language"] == stage:
        return view["code"]
    return next((other.get("code") for other in view["stages"] if other["id"] == stage), None)


def _list_texts(view: CompileView) -> list[_Text]:
    texts = [_stage_text(stage) for stage in view["stages"] if stage["text"]]
    texts += [_stage_code(stage) for stage in view["stages"] if stage.get("code") is not None]
    code = view["code"]
    if code is not None:

        def shorten(room: int) -> None:
            assert code is not None
            view["code"] = _part_of_code(code, 0, room)

        texts.append(_Text(_size(code), shorten))
    return texts


def _stage_text(stage: StageView) -> _Text:
    def shorten(room: int) -> None:
        stage["text"], stage["left_out"] = _part_of_text(stage["text"], 0, room)

    return _Text(_size(stage["text"]), shorten)


def _stage_code(stage: StageView) -> _Text:
    code = stage.get("code")
    assert code is not None

    def shorten(room: int) -> None:
        stage["code"] = _part_of_code(code, 0, room)

    return _Text(_size(code), shorten)


def _part_of_text(text: str, first: int, room: int) -> tuple[str, int]:
    """Whole lines from ``first`` on that fit, at least one, and how many lines come after them."""
    lines = text.split("\n")[first:]
    count = _count_fitting([_size(line) for line in lines], room)
    return "\n".join(lines[:count]), len(lines) - count


def _part_of_code(code: CodeView, first: int, room: int) -> CodeView:
    """The same with the spans and the symbols of these lines; spans keep their numbers of lines."""
    lines = code["text"].split("\n")
    first = min(first, len(lines))
    sizes = [_size(line) for line in lines]
    for span in code["spans"]:
        sizes[span["line"] - 1] += _size(span) + 1
    seen: set[str] = set()
    for number, line in enumerate(lines[first:], first):
        names = set(IDENTIFIER.findall(line)) & code["symbols"].keys() - seen
        sizes[number] += sum(len(name) + 4 + _size(code["symbols"][name]) for name in names)
        seen |= names
    last = first + _count_fitting(sizes[first:], room)
    text = "\n".join(lines[first:last])
    printed = set(IDENTIFIER.findall(text))
    return CodeView(
        language=code["language"],
        text=text,
        spans=[span for span in code["spans"] if first < span["line"] <= last],
        symbols={name: symbol for name, symbol in code["symbols"].items() if name in printed},
        left_out=len(lines) - last,
    )


def _count_fitting(sizes: Sequence[int], room: int) -> int:
    count = 0
    for size in sizes:
        room -= size
        if room < 0 and count > 0:
            break
        count += 1
    return count


def _size(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))
