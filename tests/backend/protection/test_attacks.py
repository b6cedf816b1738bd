"""The floods of ``heddle prove attacks``, each for a moment: another visitor is served, and attackers get answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heddle.algorithms.document.reader import parse_algorithm
from heddle.pipeline import lower
from heddle.plan import parse_plan, to_document
from heddle_server.services.compiling.account_worker import account_document
from heddle_server.services.compiling.compile_cost import SMALL_CASES, predicted_cases
from proofs.attacks import ATTACKS, broken_by, stand
from proofs.heavy_programs import MADE, decomposition, tiles
from tests.backend.serving import Server

pytestmark = pytest.mark.takes_turns(4)


@pytest.mark.every_commit
@pytest.mark.parametrize("name", ["link flood", "deaf readers"])
def test_another_visitor_is_served_during_an_attack(name: str, tmp_path: Path) -> None:
    server = Server(tmp_path / "data", compile_processes=2, visitor_queued=2).start()
    try:
        found = stand(server, ATTACKS[name], 2, 0)
    finally:
        server.stop()
    assert "Traceback" not in server.log
    assert set(found["answers"]) == {"200"}
    # How long it took is measured by the proof, on a machine that does nothing else.
    assert [line for line in broken_by(name, found, 0) if "p95" not in line] == []


def test_heavy_programs_are_allowed_and_known_to_be_heavy() -> None:
    for plan in [parse_plan(made(7)) for route, made in MADE if route in ("compile", "legal")]:
        assert predicted_cases(plan) > SMALL_CASES
        assert lower(plan).ok
    # Other work is never taken for small.
    assert json.loads(account_document(to_document(parse_plan(tiles(7)))))["ok"]
    assert parse_algorithm(decomposition(7)).parameters.rank == 16


def test_a_broken_limit_is_named() -> None:
    held = {
        "compile_p95_milliseconds": 900.0,
        "answers": {"200": 9},
        "answers_to_attackers": {"201": 1, "429": 8},
        "memory_growth_bytes": 0,
        "free_disk_bytes": 5000,
    }

    def broken(**changes: object) -> list[str]:
        return broken_by("flood", {**held, **changes}, 4000)

    assert broken() == []
    assert broken(compile_p95_milliseconds=1200.0) == ["flood: compile p95 1200 ms, allowed 1000 ms"]
    assert broken(answers={"200": 8, "429": 1}) == ['flood: another visitor was answered {"200": 8, "429": 1}']
    assert broken(answers_to_attackers={"500": 1}) == ["flood: attackers were answered 500"]
    assert broken(memory_growth_bytes=60 << 20) == ["flood: the server's memory grew by 60 MiB, allowed 50 MiB"]
    assert broken(free_disk_bytes=3999) == ["flood: 3,999 bytes of disk were left, of which 4,000 are to stay"]
