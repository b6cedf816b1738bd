"""What the first automatic calls measure of a machine is kept for all processes: these tests measure nothing."""

from __future__ import annotations

import pytest

from heddle.library.einsum import evaluation
from heddle.tuning.facts.machine import this_machine
from heddle.tuning.search import automatic


@pytest.fixture(autouse=True)
def measured_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def known(threads: int | None = None, measure: bool = False) -> object:
        return this_machine(threads)

    monkeypatch.setattr(evaluation, "this_machine", known)
    monkeypatch.setattr(automatic, "this_machine", known)
