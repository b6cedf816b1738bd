"""Going on with a decomposition that has ended, for more sweeps: its stored state becomes the first checkpoint."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import fields
from typing import Any

from heddle.algorithms.algorithm import Algorithm, Parameters
from heddle.algorithms.document.reader import parse_algorithm
from heddle.plan import Plan
from heddle_server.problem import ProblemError, missing_error
from heddle_server.services.decompositions.models import Models
from heddle_server.services.decompositions.records import require_decomposition
from heddle_server.services.runs.documents import Document
from heddle_server.store import runs as store
from heddle_server.store.database import Database

MAY_DIFFER = ("sweeps", "tolerance", "seconds")
"""Parameters that say when to end."""


async def checkpoint_of(database: Database, models: Models, document: Document, run_id: str) -> dict[str, Any]:
    """Where the run ``run_id`` ended, as the checkpoint from which ``document`` goes on.

    Raises
    ------
    ProblemError
        404 for no such run; 409 where it is not a decomposition, has no state, or is of a document that differs in more
        than when to end.
    """
    async with database.read() as session:
        run = await store.find(session, run_id)
    if run is None:
        raise missing_error("run", run_id, "Leave resume out to start from the beginning.")
    require_decomposition(run)
    if isinstance(document, Plan):
        raise _refusal("The run to go on with is a decomposition, and what was sent is a plan. Send its document.")
    if run.result is None:
        raise _refusal(f"Run {run_id} is {run.state}: it left nothing to go on from. Run it from the beginning.")
    _require_same(document, parse_algorithm(run.plan))
    content = models.state_of(run.result)
    return {"state": b64encode(content).decode(), "records": run.result["history"]}


def _require_same(asked: Algorithm, before: Algorithm) -> None:
    changed = [
        (f"/parameters/{field.name}", getattr(before.parameters, field.name), getattr(asked.parameters, field.name))
        for field in fields(Parameters)
        if field.name not in MAY_DIFFER
    ]
    changed += [
        (f"/{name}", getattr(before, name), getattr(asked, name)) for name in ("algorithm", "inputs", "kernels")
    ]
    different = [(path, earlier, other) for path, earlier, other in changed if earlier != other]
    if different:
        places = "; ".join(f"{path} was {_show(earlier)} and is {_show(other)}" for path, earlier, other in different)
        detail = (
            f"A decomposition goes on with its own document, in which {', '.join(MAY_DIFFER)} alone may be others. "
            f"{places}. Change it back, or run the new document from the beginning."
        )
        raise _refusal(detail)


def _show(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _refusal(detail: str) -> ProblemError:
    return ProblemError(409, "algorithm-resume", "The decomposition cannot go on from there", detail)
