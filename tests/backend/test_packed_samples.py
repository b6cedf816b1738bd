"""What runs take in the database: samples in a few bytes each, and the result once."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from heddle_server.store.packed_samples import FEWEST, PACKED, pack, unpack


def entry(samples: list[Any]) -> dict[str, Any]:
    return {"id": "heddle", "samples_ns": samples, "median_ns": 1.0}


def test_times_come_back_with_seven_digits() -> None:
    numbers = random.Random(1)
    samples = [float(round(numbers.gauss(533_000, 20_000))) for _ in range(980)]
    packed = pack(entry(samples))
    assert len(json.dumps(packed)) < 0.5 * len(json.dumps(entry(samples)))
    back = unpack(packed)
    assert set(back) == set(entry([]))
    assert back["samples_ns"] == pytest.approx(samples, rel=1e-7)
    assert pack(back) == packed


def test_whole_times_come_back_as_they_were() -> None:
    samples = [float(100 + number) for number in range(64)]
    assert unpack(pack(entry(samples)))["samples_ns"] == samples


@pytest.mark.parametrize("samples", [[], [1.0] * (FEWEST - 1), ["x"] * FEWEST, [1e300] * FEWEST, None])
def test_what_cannot_be_packed_stays(samples: Any) -> None:
    assert pack(entry(samples)) == entry(samples)
    assert unpack(entry(samples)) == entry(samples)
    assert PACKED not in pack(entry(samples))
