"""The one error type of the service: a problem document (RFC 9457) on its way to a person."""

from __future__ import annotations

from math import ceil
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.explorer.views.diagnostics_schema import DiagnosticView

MEDIA_TYPE = "application/problem+json"
TYPES = "urn:heddle:problem:"
FOUND_LENGTH = 200
RETRY_SECONDS = 5


class ProblemError(Exception):
    """An answer other than success. ``slug`` is stable and becomes the problem's ``type``; ``command``
    is what a person may type to have it otherwise."""

    def __init__(
        self,
        status: int,
        slug: str,
        title: str,
        detail: str,
        *,
        diagnostics: list[DiagnosticView] | None = None,
        headers: dict[str, str] | None = None,
        command: str | None = None,
    ) -> None:
        super().__init__(f"{status} {slug}: {detail}")
        self.status = status
        self.slug = slug
        self.title = title
        self.detail = detail
        self.diagnostics = diagnostics
        self.headers = headers or {}
        self.command = command

    def __reduce__(self) -> tuple[Any, ...]:
        told = (self.status, self.slug, self.title, self.detail, self.diagnostics, self.headers, self.command)
        return (rebuild, told)

    def document(self, instance: str | None = None) -> dict[str, Any]:
        document: dict[str, Any] = {
            "type": TYPES + self.slug,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "instance": instance,
        }
        if self.diagnostics is not None:
            document["diagnostics"] = self.diagnostics
        if self.command is not None:
            document["command"] = self.command
        return document


def rebuild(
    status: int, slug: str, title: str, detail: str, diagnostics: Any, headers: dict[str, str], command: str | None
) -> ProblemError:
    return ProblemError(status, slug, title, detail, diagnostics=diagnostics, headers=headers, command=command)


def missing_error(what: str, identity: str, hint: str) -> ProblemError:
    return ProblemError(404, "not-found", f"No such {what}", f"There is no {what} {clip(identity)!r}. {hint}")


def too_many(slug: str, title: str, detail: str, after_seconds: float) -> ProblemError:
    """429: what was asked for is right, but not now."""
    return ProblemError(429, slug, title, detail, headers={"Retry-After": str(max(1, ceil(after_seconds)))})


def busy(title: str, detail: str) -> ProblemError:
    """503: what was asked for is right, and the system has ended what was to do it, often because memory ran out."""
    again = f"{detail} Often memory has run out. Try again in a moment."
    return ProblemError(503, "interrupted", title, again, headers={"Retry-After": str(RETRY_SECONDS)})


def bad_plan(error: CompileError, title: str = "This is not a valid plan") -> ProblemError:
    return ProblemError(
        400, "invalid-plan", title, error.messages, diagnostics=[diagnostic_view(item) for item in error.diagnostics]
    )


def clip(text: object) -> str:
    """A person's text, short enough to be repeated in a message."""
    words = str(text)
    return words if len(words) <= FOUND_LENGTH else words[:FOUND_LENGTH] + "…"
