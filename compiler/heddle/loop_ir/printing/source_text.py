"""Printed text with its source map: which characters come from which origin."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.origin import Origin

SIGNATURE_LENGTH = 110  # columns


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A piece of one line: 1-based ``line``, 0-based ``column``, ``end_column`` exclusive."""

    line: int
    column: int
    end_column: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text and its spans in reading order. Lines without a span belong to no statement (signature, includes)."""

    text: str
    spans: tuple[SourceSpan, ...] = ()

    def line(self, number: int) -> str:
        """The 1-based line ``number`` without its line break."""
        return self.text.split("\n")[number - 1]


class SourceBuilder:
    """Collects lines under origins. ``indent`` and ``dedent`` move the left margin of the lines that follow."""

    def __init__(self, step: str = "  ") -> None:
        self._step = step
        self._lines: list[str] = []
        self._spans: list[SourceSpan] = []
        self._margin = ""

    @property
    def next_line(self) -> int:
        """The 1-based number of the line that is emitted next."""
        return len(self._lines) + 1

    def indent(self) -> None:
        self._margin += self._step

    def dedent(self) -> None:
        assert self._margin, "dedent without indent"
        self._margin = self._margin[: -len(self._step)]

    def line(self, text: str, origin: Origin | None = None) -> int:
        """Emits one line and returns its number."""
        column = len(self._margin)
        self._lines.append(self._margin + text)
        number = len(self._lines)
        if origin is not None:
            self._spans.append(SourceSpan(number, column, column + len(text), origin))
        return number

    def parts(self, *parts: tuple[str, Origin | None]) -> int:
        """Emits one line of several parts, each under its own origin, and returns its number."""
        number = self.next_line
        text = self._margin
        for part, origin in parts:
            if origin is not None and part.strip():
                start = len(text) + len(part) - len(part.lstrip())
                self._spans.append(SourceSpan(number, start, len(text) + len(part.rstrip()), origin))
            text += part
        self._lines.append(text)
        return number

    def emit_unmapped(self, text: str) -> None:
        """Emits lines that belong to no statement at the left margin: includes, support functions, blank lines."""
        self._lines.extend(text.split("\n"))

    def include(self, other: SourceBuilder) -> None:
        """Appends everything that ``other`` collected, with its spans."""
        offset = len(self._lines)
        self._lines.extend(other._lines)
        self._spans.extend(
            SourceSpan(span.line + offset, span.column, span.end_column, span.origin) for span in other._spans
        )

    def build(self) -> SourceText:
        return SourceText("\n".join(self._lines) + "\n", tuple(self._spans))


def signature_text(head: str, parameters: list[str], tail: str) -> str:
    """``head(parameters)tail``, wrapped between parameters when it is too long for one line."""
    single_line = f"{head}({', '.join(parameters)}){tail}"
    if len(single_line) <= SIGNATURE_LENGTH:
        return single_line
    margin = " " * 4
    lines, line = [f"{head}("], margin
    for number, parameter in enumerate(parameters, start=1):
        piece = parameter + (f"){tail}" if number == len(parameters) else ", ")
        if len(line) + len(piece) > SIGNATURE_LENGTH and line != margin:
            lines.append(line.rstrip())
            line = margin
        line += piece
    return "\n".join([*lines, line])
