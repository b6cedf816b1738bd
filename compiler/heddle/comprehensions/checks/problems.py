"""Problems of a program, collected with the places in its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part, Severity
from heddle.notation.nodes import Span


@dataclass(slots=True)
class Problems:
    """``text`` is that of the program: repairs are made of it."""

    text: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    notes: list[Diagnostic] = field(default_factory=list)

    def add(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        expected: str | None = None,
        actual: str | None = None,
        hint: str | None = None,
        candidates: Sequence[str] = (),
        fixes: Sequence[Fix] = (),
    ) -> None:
        place = Location(Part.EXPRESSION, span.start, span.end)
        diagnostic = Diagnostic(
            code,
            message,
            place,
            expected=expected,
            actual=actual,
            hint=hint,
            candidates=tuple(candidates),
            fixes=tuple(fixes),
        )
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)

    def note(
        self,
        code: str,
        message: str,
        span: Span,
        severity: Severity,
        hint: str | None = None,
        fixes: Sequence[Fix] = (),
    ) -> None:
        place = Location(Part.EXPRESSION, span.start, span.end)
        self.notes.append(Diagnostic(code, message, place, severity, hint=hint, fixes=tuple(fixes)))

    def check(self) -> None:
        """Raises CompileError with all problems so far, if there are any."""
        if self.diagnostics:
            raise CompileError(*self.diagnostics)

    def replacement(self, title: str, span: Span, text: str) -> Fix:
        """The repair that puts ``text`` in the place of ``span``."""
        return Fix(title, expression=self.text[: span.start] + text + self.text[span.end :])
