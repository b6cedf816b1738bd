"""What a planted mistake is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutation:
    """``text`` stands once in the compiler and the service; ``mistake`` takes its place. ``tests``: folders, files,
    single tests (``file::test``) or cases (``file::test[case]``) that know the area, without the golden texts, which
    every change of a text would break. They never take turns, and functions and cases are not drawn
    (tests/sampling/combinations.py): what they notice is noticed at each commit."""

    name: str
    text: str
    mistake: str
    tests: tuple[str, ...]
