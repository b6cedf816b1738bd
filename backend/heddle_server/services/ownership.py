"""Who may delete what they made, and cancel what they wait for: the one visitor who did, and who does. What two have
made, neither deletes."""

from __future__ import annotations

from dataclasses import dataclass

from heddle_server.http.visitor import Visitor, is_shared
from heddle_server.problem import ProblemError
from heddle_server.store.tables import Dataset, Link

NOBODY = ""


@dataclass(frozen=True, slots=True)
class Canceller:
    """Who asks to end what is under way: a browser by the id of its cookie, or the operator, who may end everything."""

    browser: str | None
    is_operator: bool = False

    def require(self, owner: str, noun: str) -> None:
        """Raises ProblemError 403 unless the browser is ``owner``."""
        if not self.is_operator and (owner == NOBODY or self.browser != owner):
            raise not_yours_to_cancel(noun)


def not_yours_to_cancel(noun: str) -> ProblemError:
    detail = (
        f"A {noun} can be ended by the browser that asked for it, until it forgets its cookies. A script keeps the "
        "cookie that came with the answer; the operator sends Authorization: Bearer <operator token>."
    )
    return ProblemError(403, "not-yours", f"This {noun} is not yours to cancel", detail)


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
