"""The checkout that this code is part of, where it is part of one, and what its program is called there."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


def is_checkout(folder: Path) -> bool:
    return (folder / "kernels_cache").is_dir() and (folder / "heddle").is_file()


PROGRAM = "./heddle" if is_checkout(REPOSITORY) else "heddle"
"""What a person types, here."""
