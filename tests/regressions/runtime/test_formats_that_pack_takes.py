"""One check of a format's levels: what pack takes, kernels and validation take, and what one refuses, all refuse."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.formats.level_problems import level_problems
from heddle.formats.parser import parse_format

IN_BLOCKS = (
    "dense, compressed, dense(4), bitmap(4) : 0,1,0,1",
    "dense, dense, bitmap(4), bitmap(3) : 0,1,0,1",
    "compressed, compressed, bitmap(4), compressed(4) : 0,1,0,1",
    "compressed, bitmap(2), compressed : 0,0,1",
    "parts(3), bitmap, compressed : 0,0,1",
)


@pytest.mark.combinations(4, "format", "target")
@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize("format", IN_BLOCKS)
def test_masks_inside_blocks(format: str, target: str) -> None:
    rng = np.random.default_rng(3)
    matrix, x = np.where(rng.random((9, 10)) < 0.3, rng.integers(1, 9, (9, 10)), 0.0), rng.random(10)
    packed = hd.pack(matrix, format)
    hd.validate(packed)
    np.testing.assert_array_equal(packed.to_numpy(), matrix)
    product = hd.compile("y(i) = A(i,j) * x(j)", {"A": format}, "", target)
    np.testing.assert_allclose(product(A=packed, x=x).to_numpy(), matrix @ x)
    total = hd.compile("C(i,j) = A(i,j) + B(i,j)", {"A": format, "B": "csr"}, "", target)
    np.testing.assert_allclose(total(A=packed, B=matrix).to_numpy(), 2 * matrix)


UNEVEN = (
    "level 1 of A cannot be parts(3,even): parts with equally many entries differ in length, so the coordinates inside "
    "have to be listed."
)
REFUSED = {
    "parts(3,even), dense, compressed : 0,0,1": UNEVEN,
    "parts(3,even), bitmap, compressed : 0,0,1": UNEVEN,
    "dense, compressed(nonunique), bitmap(4) : 0,1,0": "level 3 of A cannot be bitmap(4): the coordinates of the level "
    "above it repeat, so this level has to store one coordinate for each of them.",
    "dense, hashed(unordered,nonunique)": "level 2 of A cannot be hashed(unordered,nonunique): only compressed and "
    "singleton levels can be unordered or nonunique.",
}


@pytest.mark.parametrize("format", REFUSED)
def test_what_kernels_refuse_is_not_packed(format: str) -> None:
    compiled = hd.lower("y(i) = A(i,j) * x(j)", formats={"A": format})
    assert REFUSED[format] in [diagnostic.message for diagnostic in compiled.diagnostics]
    packs = [
        lambda: hd.pack(np.eye(8), format, name="A"),
        lambda: hd.convert(hd.pack(np.eye(8), "csr"), format, name="A"),
    ]
    if REFUSED[format] != UNEVEN:
        packs.append(lambda: hd.pack(np.eye(8), f"bcsr(2,2) where tile(2,2) >= 2 + {format}", name="A"))
    for pack in packs:
        with pytest.raises(hd.CompileError) as caught:
            pack()
        assert REFUSED[format] in [diagnostic.message for diagnostic in caught.value.diagnostics]


@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize("format", [format for format, text in REFUSED.items() if text == UNEVEN])
def test_even_parts_of_whole_rows_are_a_part_of_a_sum(format: str, target: str) -> None:
    rng = np.random.default_rng(4)
    matrix, x = np.where(rng.random((9, 8)) < 0.3, rng.integers(1, 9, (9, 8)), 0.0), rng.random(8)
    text = f"bcsr(2,2) where tile(2,2) >= 2 + {format}"
    packed = hd.pack(matrix, text)
    hd.validate(packed)
    np.testing.assert_array_equal(packed.to_numpy(), matrix)
    product = hd.compile("y(i) = A(i,j) * x(j)", {"A": text}, "", target)
    np.testing.assert_allclose(product(A=packed, x=x).to_numpy(), matrix @ x)


def test_a_format_without_problems_has_none() -> None:
    assert level_problems("A", parse_format("dense, compressed, dense(4), bitmap(4) : 0,1,0,1", 2, "A")) == ()
