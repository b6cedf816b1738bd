"""Plans that the fuzzers of the compiler draw, asked of every route that reads a plan: each is answered.

HEDDLE_FUZZ_PROGRAMS=2000 asks about that many.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from heddle.plan import to_document
from heddle_server.exports.registry import EXPORTS
from tests.backend.serving import Server
from tests.fuzz.listed_programs import DRAWS, draw_plan

PLANS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "144"))
ROUTES = ("compile", "legal", "suggest", "trace", "occupancy", "fusion", "account", "bridge", "exports")


def body(route: str, document: dict[str, Any], seed: int) -> dict[str, Any]:
    match route:
        case "trace":
            return {"plan": document}
        case "exports":
            return {"plan": document, "kind": list(EXPORTS)[seed % len(EXPORTS)]}
        case _:
            return document


@pytest.mark.combinations(16)
@pytest.mark.parametrize("block", range(0, PLANS, len(DRAWS)))
def test_every_route_answers(server: Server, block: int) -> None:
    """With 200, with the diagnostics of what cannot be exported, or because a limit of time is reached: never with a
    failure inside of Heddle."""
    for seed in range(block, block + len(DRAWS)):
        document = to_document(draw_plan(seed))
        for route in ROUTES:
            answer = server.client.post(f"/api/v1/{route}", json=body(route, document, seed))
            refused = route == "exports" and answer.status_code == 400 and answer.json()["diagnostics"]
            assert answer.status_code in (200, 422) or refused, (route, document, answer.text)
