"""Links with every macro of a format, which were given out: what they hold is read here as well, compiles, and has a
short link."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from heddle.formats.parser import parse_format
from heddle.formats.presets import PRESETS
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle_server.lessons.receipts import plan_in
from tests.backend.serving import Server

FILE = Path(__file__).resolve().parents[2] / "data" / "links" / "formats.json"
LINKS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
"""``fragment`` comes after the # of an address; frontend/src/state/address/format-links.test.ts opens each."""
FORMATS = [link["plan"]["tensors"]["A"]["format"] for link in LINKS]


@pytest.mark.parametrize("link", LINKS, ids=FORMATS)
def test_a_link_holds_its_plan_and_the_plan_compiles(link: dict[str, Any]) -> None:
    plan = plan_in(link["fragment"])
    assert plan == parse_plan(link["plan"])
    result = lower(plan)
    assert result.diagnostics == ()
    assert result.source is not None


def test_every_macro_and_every_format_of_parts_has_a_link() -> None:
    """``hyb`` with two, three numbers, ``whole`` and both; sums; and the presets that parts are mostly made of."""
    text = " ".join(FORMATS)
    forms = {(len(one.split(",")), "whole" in one) for one in FORMATS if one.startswith("hyb(")}
    assert forms == {(2, False), (3, False), (3, True), (4, True)}
    numbered = {"ell", "pieces", "bcsr", "dbsr", "srbcrs", "csb", "ell3d"}
    assert numbered <= {preset.stem for preset in PRESETS if preset.numbers}
    for named in (*(f"{stem}(" for stem in sorted(numbered)), "dia", "csr", "csc", "coo", "dcsr", "csf"):
        assert named in text
    sums = [parse_format(one, 3 if "ell3d" in one else 2, "A").composition for one in FORMATS]
    tested = {test.quantity for sum_ in sums if sum_ is not None for part in sum_.parts for test in part.tests}
    assert tested == {"length", "slot", "piece", "tile", "diagonal", "depth", "row", "column", "along", "count"}


def test_short_links_lead_to_the_same_plans(server: Server) -> None:
    for link in LINKS[:: len(LINKS) // 4]:
        made = server.client.post("/api/v1/links", json={"plan": link["plan"]}).json()
        found = server.client.get(f"/api/v1/links/{made['id']}").json()
        assert parse_plan(found["plan"]) == parse_plan(link["plan"])
