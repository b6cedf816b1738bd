"""The matrices and tensors that ship with Heddle: real ones of different structure, small enough for a repository.

``builtin.json`` tells each one's origin and licence; the tests compare its shapes and counts with the files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class BuiltinDataset:
    """``nnz`` counts stored entries, both halves of symmetric matrices included. ``path`` is absolute."""

    id: str
    name: str
    path: Path
    shape: tuple[int, ...]
    nnz: int
    summary: str
    origin: str
    licence: str


def builtin_datasets() -> list[BuiltinDataset]:
    """All of them, in the order in which a person should meet them."""
    facts = json.loads((FOLDER / "builtin.json").read_text(encoding="utf-8"))
    return [
        BuiltinDataset(
            id=str(entry["id"]),
            name=str(entry["title"]),
            path=FOLDER / entry["file"],
            shape=tuple(entry["shape"]),
            nnz=int(entry["nnz"]),
            summary=str(entry["summary"]),
            origin=str(entry["origin"]),
            licence=str(entry["licence"]),
        )
        for entry in facts
    ]
