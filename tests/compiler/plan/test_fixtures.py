"""Old plans open forever, and mean what they meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heddle.plan import VERSION, parse_plan, plan_hash, to_document

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("v*.json"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_plan_keeps_its_canonical_form_and_hash(path: Path) -> None:
    fixture = json.loads(path.read_text(encoding="utf-8"))
    plan = parse_plan(fixture["document"])
    assert to_document(plan) == fixture["canonical"]
    assert plan_hash(plan) == fixture["hash"]
    assert to_document(parse_plan(fixture["canonical"])) == fixture["canonical"]


def test_every_version_has_a_fixture() -> None:
    versions = {int(path.name[1 : path.name.index("-")]) for path in FIXTURES}
    assert versions == set(range(1, VERSION + 1))
