"""The running example's storage in each format, worked out by hand."""

from __future__ import annotations

import pytest

import heddle as hd
from tests.compiler.lowering.traced import RUNNING

ROWS = [6, 9, 5, 7, 1, 2, 8]
COLUMNS = [6, 5, 2, 9, 7, 8, 1]


@pytest.mark.parametrize(
    ("format", "arrays"),
    [
        ("csr", {"pos2": [0, 2, 2, 5, 7], "crd2": [0, 2, 0, 3, 5, 1, 4], "vals0": ROWS}),
        ("csc", {"pos2": [0, 2, 3, 4, 5, 6, 7], "crd2": [0, 2, 3, 0, 2, 3, 2], "vals0": COLUMNS}),
        (
            "dcsr",
            {
                "pos1": [0, 3],
                "crd1": [0, 2, 3],
                "pos2": [0, 2, 5, 7],
                "crd2": [0, 2, 0, 3, 5, 1, 4],
                "vals0": ROWS,
            },
        ),
        (
            "dcsc",
            {
                "pos1": [0, 6],
                "crd1": [0, 1, 2, 3, 4, 5],
                "pos2": [0, 2, 3, 4, 5, 6, 7],
                "crd2": [0, 2, 3, 0, 2, 3, 2],
                "vals0": COLUMNS,
            },
        ),
        ("dense", {"vals0": RUNNING.ravel().tolist()}),
        ("dense, dense : 1,0", {"vals0": RUNNING.T.ravel().tolist()}),
    ],
)
def test_storage(format: str, arrays: dict[str, list[float]]) -> None:
    packed = hd.pack(RUNNING, format)
    assert {f"{role}{level}": array.tolist() for (role, level), array in packed.arrays().items()} == arrays
    assert (packed.to_numpy() == RUNNING).all()
