"""What is said about an input that names data which is not here."""

from __future__ import annotations

from heddle.diagnostics import Diagnostic, Location, Part, nearest
from heddle_server.services.data.uploads import COLLECTED

FETCH = (
    "It can be fetched where this machine is online: on the page, choose From a collection… as the input, "
    "or use POST /api/v1/downloads."
)


def unknown_dataset(tensor: str, identity: str, known: tuple[str, ...]) -> Diagnostic:
    return Diagnostic(
        code="input/unknown-dataset",
        message=f"The input of {tensor} is dataset {identity[:100]!r}, which is not here. Built in are "
        f"{', '.join(known)}.",
        location=Location(Part.INPUT, tensor=tensor),
        expected=f"one of {', '.join(known)}, or an upload",
        actual=identity[:100],
        candidates=nearest(identity[:100], known),
        hint=FETCH if COLLECTED.fullmatch(identity) else "Uploads are made on the page or with PUT /api/v1/datasets.",
    )
