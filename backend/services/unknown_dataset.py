"""What is said about an input that names data which is not here."""

from __future__ import annotations

from compiler.diagnostics import Diagnostic, Location, Part, nearest


def unknown_dataset(tensor: str, identity: str, known: tuple[str, ...]) -> Diagnostic:
    return Diagnostic(
        code="input/unknown-dataset",
        message=f"The input of {tensor} is dataset {identity[:100]!r}, which is not here. "
        f"Built in are {', '.join(known)}.",
        location=Location(Part.INPUT, tensor=tensor),
        expected=f"one of {', '.join(known)}, or an upload",
        found=identity[:100],
        candidates=nearest(identity[:100], known),
        hint="Uploads are made on the page or with PUT /api/v1/datasets.",
    )
