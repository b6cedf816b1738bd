"""Formats offered for tensors: short fibres become coordinates side by side, long ones stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heddle.plan import plan_from_arguments
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.program import Program, program_of
from heddle.tuning.search import format_offers
from heddle.tuning.search.format_offers import suggest_formats
from tests.compiler.tuning.programs import MTTKRP, MTTKRP4

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=32 << 20, core_cache_bytes=2 << 20)


@pytest.fixture(autouse=True)
def this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of 8 and a cache of 2 MB, whatever runs the test."""

    def program(*arguments: object, **named: object) -> Program:
        return replace(program_of(*arguments, **named), machine=MACHINE)  # type: ignore[arg-type]

    monkeypatch.setattr(format_offers, "program_of", program)


def uniform(shape: tuple[int, ...], nonzeros: int) -> Entries:
    rng = np.random.default_rng(len(shape))
    columns = tuple(rng.integers(0, size, nonzeros) for size in shape)
    return sort_and_sum(Entries(shape, columns, np.ones(nonzeros)), tuple(range(len(shape))))


def offered(expression: str, tensor: Entries, columns: int, format: str = "csf", **options: str) -> list[str]:
    factors = {name: (size, columns) for name, size in zip("CDE", tensor.shape[1:], strict=False) if name in expression}
    plan = plan_from_arguments(expression, {"B": format}, shapes=factors, target=options.get("target", "c"))
    offers = suggest_formats(plan, {"B": tensor})
    assert all(offer.tensor == "B" and "entries on average" in offer.reason for offer in offers)
    return [offer.format for offer in offers]


@pytest.mark.parametrize(
    ("shape", "nonzeros", "columns", "format"),
    [
        ((40, 60, 200), 4000, 16, "csl"),  # fibres of 2 entries
        ((40, 60, 200), 4000, 64, "csl"),
        ((40, 60, 200), 20_000, 16, "csl"),  # fibres of 8 entries, two vectors
        ((40, 60, 200), 20_000, 32, None),  # the same, four vectors
        ((40, 10, 400), 40_000, 16, None),  # fibres of 80 entries
        ((5000, 60, 200), 2000, 16, "compressed, compressed(nonunique), singleton"),  # most slices are empty
    ],
)
def test_short_fibres_are_stored_side_by_side(
    shape: tuple[int, ...], nonzeros: int, columns: int, format: str | None
) -> None:
    assert offered(MTTKRP, uniform(shape, nonzeros), columns) == ([] if format is None else [format])


def test_fibres_above_short_ones_stay() -> None:
    tensor = uniform((20, 20, 50, 50), 40_000)  # 100 entries of a pair (i, k), 2 of a triple
    assert offered(MTTKRP4, tensor, 32) == ["dense, compressed, compressed(nonunique), singleton"]
    tensor = uniform((40, 400, 50, 50), 20_000)  # 1.25 entries of a pair
    assert offered(MTTKRP4, tensor, 32) == ["dense, compressed(nonunique), singleton(nonunique), singleton"]


@pytest.mark.parametrize(
    ("expression", "format", "target"),
    [
        (MTTKRP, "coo", "c"),  # is side by side
        (MTTKRP, "csl", "c"),
        (MTTKRP, "csf:1,0,2", "c"),  # its outermost dimension is summed over
        (MTTKRP, "csf", "cuda"),
        ("A(i,r) = B(i,k,l) * C(k,r) * D(r,l)", "csf", "c"),  # columns of D lie apart
    ],
)
def test_no_offer_where_no_rule_was_measured(expression: str, format: str, target: str) -> None:
    assert offered(expression, uniform((40, 60, 200), 4000), 16, format, target=target) == []


def test_a_dense_factor_of_unknown_width_gets_no_offer() -> None:
    plan = plan_from_arguments(MTTKRP, {"B": "csf"})
    assert suggest_formats(plan, {"B": uniform((40, 60, 200), 4000)}) == ()
