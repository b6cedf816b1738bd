"""What is said of compositions holds for every matrix that is divided by them: brute force on packed arrays."""

from __future__ import annotations

import random

import numpy as np
import pytest

import heddle as hd
from heddle.decomposition.facts import deciding_dimensions, has_unique_rows
from heddle.formats.parser import parse_format
from heddle.formats.parts import Composition
from tests.fuzz.parts.part_programs import draw_composition


def composition(text: str, order: int = 2) -> Composition:
    found = parse_format(text, order, "A").composition
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "dimensions", "unique"),
    [
        ("hyb(1,1,whole)", {0}, [True, True, False]),
        ("hyb(2,1)", {0, 1}, [False, False]),
        ("pieces(4) where length <= 4 + dcsr", {0}, [True, False]),
        ("dcsr where length > 4 + pieces(4)", {0}, [False, True]),
        ("pieces(3) where length <= 4 + dcsr", {0}, [False, False]),
        ("pieces(2) where slot < 2 + coo", {0, 1}, [True, False]),
        ("pieces(2) where slot in 3..4 + coo", {0, 1}, [True, False]),
        ("pieces(2) where length != 1 + coo", {0}, [False, False]),
        ("csc where column < 2 + csc where count(1) > 4 + csc", {1}, [False, False, False]),
        ("csr where along(0) > 2 and row < 9 + csr", {0}, [False, False]),
        ("dia where depth >= 50 + csr", {0, 1}, [False, False]),
    ],
)
def test_what_is_known(text: str, dimensions: set[int], unique: list[bool]) -> None:
    found = composition(text)
    assert deciding_dimensions(found, 2) == dimensions
    assert [has_unique_rows(found, number) for number in range(len(found.parts))] == unique


def test_fibres_of_tensors_are_whole_where_rows_are_not() -> None:
    assert deciding_dimensions(composition("csf where length >= 2 + coo", 3), 3) == {0, 1}
    assert deciding_dimensions(composition("csf where count(1) >= 2 + coo", 3), 3) == {1}


@pytest.mark.parametrize("block", range(0, 200, 50))
def test_facts_never_lie(block: int) -> None:
    known = 0
    for seed in range(block, block + 50):
        rng, numbers = random.Random(f"facts {seed}"), np.random.default_rng(seed)
        text = draw_composition(rng)
        shape = (rng.randint(1, 9), rng.randint(1, 9))
        dense = numbers.integers(1, 5, shape) * (numbers.random(shape) < rng.choice((0.1, 0.3, 0.6, 1)))
        parts = composition(text)
        packed = hd.pack(dense.astype(float), text)
        dimensions = sorted(deciding_dimensions(parts, 2))
        places: dict[tuple[int, ...], int] = {}
        for number, part in enumerate(packed.parts):
            columns, _ = part.to_coo()
            for entry in zip(*(columns[d].tolist() for d in dimensions), strict=True):
                assert places.setdefault(entry, number) == number, (seed, text, entry)
            if has_unique_rows(parts, number):
                known += 1
                rows = part.levels[0].crd
                assert rows is not None
                assert len(set(rows.tolist())) == len(rows), (seed, text, rows)
    assert known > 5
