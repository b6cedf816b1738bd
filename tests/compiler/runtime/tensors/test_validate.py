"""Tensors built by hand: what fits is taken, and each way in which arrays may not fit is refused with its reason."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import heddle as hd
from heddle.formats.parser import parse_format
from heddle.runtime.tensors.tensor import LevelArrays

FORMATS = (
    "dense", "csr", "csc", "dcsr", "coo", "ell", "dia", "bcsr(2,3)", "compressed, compressed, dense(2), dense(2)",
    "dense, bitmap", "bitmap, bitmap", "dense, hashed", "hashed, hashed", "hashed, compressed", "compressed, padded",
    "dense, compressed(unordered)", "compressed(nonunique, unordered), singleton(unordered)", "ell : 1,0", "coo : 1,0",
    "sell(2)", "sell(2,4)", "sell-runs(2)", "sorted(3), slots, dense(3), runs : 1,0,1,0", "dia(3)",
    "dense, slots, dense(4), optional : 1,0,1,0", "dense, diagonals, dense(2), shifted : 1,0,1,0",
)  # fmt: skip
matrices = st.tuples(st.integers(0, 6), st.integers(0, 7)).flatmap(
    lambda shape: st.lists(
        st.sampled_from((0.0, 0.0, 1.0, 2.0, -3.0)), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]
    ).map(lambda values: np.array(values).reshape(shape))
)


@given(matrices, st.sampled_from(FORMATS), st.sampled_from(FORMATS))
def test_what_pack_and_convert_make_is_valid_and_comes_back(matrix: np.ndarray, one: str, other: str) -> None:
    packed = hd.pack(matrix, one)
    hd.validate(packed)
    converted = hd.convert(packed, other)
    hd.validate(converted)
    np.testing.assert_array_equal(packed.to_numpy(), matrix)
    np.testing.assert_array_equal(converted.to_numpy(), matrix)
    np.testing.assert_array_equal(hd.convert(converted, one).to_numpy(), matrix)


def built(format: str, arrays: Mapping[str, object], values: int = 3, shape: tuple[int, int] = (2, 4)) -> hd.Tensor:
    """A matrix with the arrays of its second level, and of another those with its number after the name."""

    def level(number: str) -> LevelArrays:
        own = {
            name.rstrip("14"): np.array(array, np.uint8 if name == "mask" else np.int32)
            for name, array in arrays.items()
            if (name[-1] if name[-1].isdigit() else "2") == number
        }
        return LevelArrays(own.pop("pos", None), own.pop("crd", None), own)

    layout = parse_format(format, 2, "A")
    levels = tuple(level(str(number)) for number in range(1, len(layout.levels) + 1))
    return hd.Tensor(shape, layout, "float64", levels, np.ones(values))


REFUSED = [
    ("csr", {"pos": [0, 2, 3]}, "it has no crd of level 2"),
    ("csr", {"pos": [0, 3], "crd": [0, 1, 2]}, "pos of level 2 has 2 elements, expected 3"),
    ("csr", {"pos": [1, 2, 3], "crd": [0, 1, 2]}, "pos of level 2 starts with 1"),
    ("csr", {"pos": [0, 4, 3], "crd": [0, 1, 2]}, "pos of level 2 decreases from 4 to 3"),
    ("csr", {"pos": [0, 2, 3], "crd": [0, 1]}, "crd of level 2 has 2 elements, expected 3"),
    ("csr", {"pos": [0, 2, 3], "crd": [0, 4, 2]}, "crd of level 2 holds 4, expected coordinates from 0 to 3"),
    ("csr", {"pos": [0, 2, 3], "crd": [0, -1, 2]}, "crd of level 2 holds -1"),
    ("csr", {"pos": [0, 2, 3], "crd": [1, 0, 2]}, "in crd of level 2 0 follows 1"),
    ("csr", {"pos": [0, 2, 3], "crd": [1, 1, 2]}, "in crd of level 2 1 follows 1"),
    ("csr", {"pos": [0, 2, 2], "crd": [0, 1]}, "vals has 3 elements, expected 2"),
    ("dense, compressed(unordered)", {"pos": [0, 3, 3], "crd": [2, 1, 2]}, "holds 2 twice in one segment"),
    ("coo", {"pos1": [0, 3], "crd1": [0, 0, 1], "crd": [2, 1, 0]}, "in crd of level 2 1 follows 2"),
    ("coo", {"pos1": [0, 3], "crd1": [0, 0, 1], "crd": [1, 1, 0]}, "in crd of level 2 1 follows 1"),
    ("coo", {"pos1": [0, 3], "crd1": [0, 0, 1], "crd": [1, 2]}, "crd of level 2 has 2 elements, expected 3"),
    ("ell", {"width": [2], "crd": [0, 1, 2]}, "crd of level 2 has 3 elements, expected 4"),
    ("ell", {"width": [2], "crd": [4, 1, 0, 4]}, "a parent in crd of level 2 are not in ascending order"),
    ("ell", {"width": [2], "crd": [0, 1, 0, 5]}, "crd of level 2 holds 5, expected coordinates from 0 to 4"),
    ("dense, padded(2)", {"width": [3], "crd": [0, 1, 4, 0, 4, 4]}, "the width of level 2 is 3, expected 2"),
    ("ell", {"width": [-1], "crd": []}, "the width of level 2 is -1"),
    ("dia", {"width": [2], "offsets": [1]}, "the array offsets of level 2 has 1 element, expected 2"),
    ("dia", {"width": [2], "offsets": [1, 0]}, "the offsets of level 2 are not in ascending order"),
    ("dense, bitmap", {"mask": [0] * 7}, "the mask of level 2 has 7 elements, expected 8"),
    ("dense, hashed", {"width": [2], "crd": [0, 2, -1, -1]}, "has no free slot, where a search would end"),
    ("dense, hashed", {"width": [4], "crd": [-1, 0, -1, -1, 0, -1, -1, -1]}, "holds a coordinate after a free slot"),
    ("dense, hashed", {"width": [4], "crd": [0, 0, -1, -1, 0, -1, -1, -1]}, "holds a coordinate twice"),
    ("sell(2)", {"pos": [0, 1, 0]}, "pos of level 2 has 3 elements, expected 2"),
    ("sell(2)", {"pos": [1, 1]}, "pos of level 2 starts with 1"),
    ("sell(2)", {"pos": [0, 1], "crd4": [0, 5]}, "crd of level 4 holds 5, expected coordinates from 0 to 4"),
    ("sell(2)", {"pos": [0, 1], "crd4": [0]}, "crd of level 4 has 1 element, expected 2"),
    ("sell(2)", {"pos": [0, 2], "crd4": [0, 4, 0, 4]}, "level 4 holds the coordinate 0 twice in row 0"),
    ("sell(2)", {"pos": [0, 1], "crd4": [0, 4]}, "vals has 3 elements, expected 2"),
    ("sell(2,2)", {"pos": [0, 1], "rows1": [0]}, "the array rows of level 1 has 1 element, expected 2"),
    ("sell(2,2)", {"pos": [0, 1], "rows1": [1, 1]}, "rows of level 1 is missing a row, expected each of 0 to 1 once"),
    ("sell-runs(2)", {"pos": [0, 1], "crd4": [1, 2], "first4": [2]}, "has 2 for slot 0, expected 1 or -1"),
    ("sell-runs(2)", {"pos": [0, 1], "crd4": [1, 4], "first4": [-1, -1]}, "first of level 4 has 2 elements"),
    ("dia(2)", {"width": [2], "width4": [1], "offsets4": [1]}, "level 4 has 1 diagonals, level 2 has 2"),
    ("dia(2)", {"width": [2], "width4": [2], "offsets4": [1, 0]}, "the offsets of level 4 are not in ascending order"),
    ("dia(2)", {"width": [1], "width4": [1], "offsets4": [0]}, "vals has 3 elements, expected 2"),
    ("bcsr(2,2)", {"pos": [0, 1], "crd": [2]}, "crd of level 2 holds 2, expected coordinates from 0 to 1"),
    ("bcsr(2,2)", {"pos": [0, 1], "crd": [1]}, "vals has 3 elements, expected 4"),
]  # fmt: skip


@pytest.mark.parametrize(("format", "arrays", "reason"), REFUSED, ids=[reason for _, _, reason in REFUSED])
def test_arrays_that_do_not_fit_are_refused(format: str, arrays: Mapping[str, object], reason: str) -> None:
    tensor = built(format, arrays)
    with pytest.raises(hd.CompileError) as caught:
        tensor.validate("A")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "runtime/malformed-tensor"
    assert diagnostic.message.startswith("The arrays of A are not those of its format: ")
    assert reason in diagnostic.message


def test_types_and_numbers_of_levels_are_checked() -> None:
    layout, values = parse_format("csr", 2, "A"), np.ones(1)
    level = LevelArrays(np.array([0, 1], np.int64), np.array([0], np.int32))
    for levels, vals, reason in (
        (
            (LevelArrays(), level),
            values,
            "crd of level 2 is int32 of 1 dimensions, expected a one-dimensional array of int64",
        ),
        ((level,), values, "it has the arrays of 1 levels, expected 2 levels"),
        ((LevelArrays(), hd.pack([[1.0]], "csr").levels[1]), values.astype(np.float32), "vals is float32"),
        ((LevelArrays(), hd.pack([[1.0, 1]], "csr").levels[1]), np.ones(4)[::2], "are not contiguous in memory"),
    ):
        with pytest.raises(hd.CompileError, match=reason):
            hd.validate(hd.Tensor((1, 2), layout, "float64", levels, vals))


def test_kernels_and_conversions_look_at_tensors_that_were_built_by_hand() -> None:
    kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, target="interpreter")
    good = built("csr", {"pos": [0, 2, 3], "crd": [0, 3, 1]})
    np.testing.assert_array_equal(kernel(A=good, x=np.arange(4.0)).to_numpy(), [3.0, 1.0])
    wrong = built("csr", {"pos": [0, 2, 3], "crd": [0, 9, 1]})
    with pytest.raises(hd.CompileError, match="crd of level 2 holds 9"):
        kernel(A=wrong, x=np.arange(4.0))
    with pytest.raises(hd.CompileError, match="crd of level 2 holds 9"):
        hd.convert(wrong, "csc")
