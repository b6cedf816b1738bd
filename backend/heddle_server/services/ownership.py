"""Who may delete what they made: the one visitor who did. What two have made, neither deletes."""

from __future__ import annotations

from heddle_server.http.visitor import Visitor, is_shared
from heddle_server.problem import ProblemError
from heddle_server.store.tables import Dataset, Link

NOBODY = ""


def share(row: Dataset | Link, visitor: str) -> None:
    """Somebody made it once more."""
    if row.visitor != visitor:
        row.visitor = NOBODY


def owns(row: Dataset | Link, visitor: str | None) -> bool:
    return visitor is not None and row.visitor == visitor != NOBODY and not is_shared(visitor)


def require_owner(row: Dataset | Link, visitor: Visitor, noun: str) -> None:
    """Raises ProblemError 403."""
    if not owns(row, visitor.id):
        detail = (
            f"A {noun} can be deleted by the browser that made it, until it forgets its cookies, and only while nobody "
            "else has made the same."
        )
        raise ProblemError(403, "not-yours", f"This {noun} is not yours to delete", detail)
