"""What runs take in the database: some 20 kB at most, and every number comes back as it was."""

from __future__ import annotations

import base64
import json
import math
import random
import struct
import zlib
from typing import Any

import pytest

from heddle_server.store.packed_results import FEWEST, LISTS, RESULT, pack, pack_numbers, unpack, unpack_numbers

ROUNDS, CONTENDERS = 980, 5
"""As many as a run has at most."""
LARGEST_BYTES = 16_000
"""Events take the rest of 20 kB."""


def result(samples: list[Any], **more: Any) -> dict[str, Any]:
    return {"entries": [{"id": "heddle", "samples_ns": samples, "median_ns": 1.0, **more}], "date": "-"}


def through_the_database(stored: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(json.dumps(pack(stored)))
    return unpack(told)


def test_the_largest_run_takes_a_quarter_and_every_number_comes_back() -> None:
    numbers = random.Random(1)
    entries = [
        {
            "id": f"contender {each}",
            "samples_ns": [
                round(numbers.gauss(9_000.0, 400.0) * numbers.choice((1, 1, 1, 3)), 1) for _ in range(ROUNDS)
            ],
            "flagged": sorted(numbers.sample(range(ROUNDS), 200)),
            "note": "a sentence",
        }
        for each in range(CONTENDERS)
    ]
    stored = {"entries": entries, "machine": {"cpu": "a processor", "compiler": "gcc"}, "date": "-"}
    assert through_the_database(stored) == stored
    assert len(json.dumps(pack(stored))) < LARGEST_BYTES < len(json.dumps(stored)) / 2


@pytest.mark.parametrize(
    "numbers",
    [
        [float(100 + number) for number in range(64)],
        [0.1 * number for number in range(64)],
        [-0.0, 0.0] * 8,
        [1e300, 5e-324] * 8,
        [1e16 + 2, 0.1] * 8,
        [2**53 + 1, -(2**53) - 1] * 8,
        [2**80, 1] * 8,
        [1, 1.0] * 8,
        [True, False] * 8,
        [math.inf, -math.inf] * 8,
        ["x"] * FEWEST,
        [None] * FEWEST,
        [1.0] * (FEWEST - 1),
        [],
        None,
    ],
)
def test_numbers_of_all_kinds_come_back_as_they_were(numbers: Any) -> None:
    told = through_the_database(result(numbers, flagged=numbers))["entries"][0]
    assert repr([told["samples_ns"], told["flagged"]]) == repr([numbers, numbers])
    packed = pack_numbers(numbers)
    assert packed is None or repr(unpack_numbers(packed)) == repr(numbers)


def test_times_are_packed() -> None:
    assert pack_numbers([0.1, 2.5, 1e6] * 8) is not None
    assert RESULT in pack(result([1.0] * 100))
    assert LISTS not in json.dumps(pack(result([1.0] * 100)))


def test_what_queries_look_into_stays_beside_it() -> None:
    """By its artifacts a decomposition is found whose model is to be kept."""
    stored = {"model": {"artifact": "sha256:1"}, "state": {"artifact": "sha256:2"}, "history": [{"fit": 0.5}] * 100}
    assert {name: pack(stored)[name] for name in ("model", "state")} == {
        "model": {"artifact": "sha256:1"},
        "state": {"artifact": "sha256:2"},
    }
    assert through_the_database(stored) == stored


@pytest.mark.parametrize("entries", ["none", [1, None], [], None])
def test_what_is_no_result_comes_back(entries: Any) -> None:
    stored = {"entries": entries, "text": "x" * 1000}
    assert through_the_database(stored) == stored


def test_results_of_earlier_versions_are_read() -> None:
    """Samples in the digits that 32 bits have, and results as plain JSON."""
    numbers = struct.pack("<4f", 1.5, 533_123.0, 0.1, 7.0)
    planes = b"".join(numbers[offset::4] for offset in range(4))
    entry = {"id": "heddle", "packed_samples_ns": base64.b64encode(zlib.compress(planes, 9)).decode()}
    told = unpack({"entries": [entry], "date": "-"})
    assert told == {"entries": [{"id": "heddle", "samples_ns": [1.5, 533_123.0, 0.1, 7.0]}], "date": "-"}
    assert unpack(result([1.0, 2.0])) == result([1.0, 2.0])
