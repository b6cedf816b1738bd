"""Coordinates that several orders of the dimensions share: kernels over them, and how they lie in memory."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.formats.storage.level_storage import LevelArrays
from heddle.runtime.packing.referenced_rows import _places
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.runtime.tensors.tensor import Tensor
from tests.differential.check import check
from tests.errors.expect import refusal

FUSED = "fuse(j, k, f)\npos(f, p, X)"
WHOLE = "fuse(i, j, f)\nfuse(f, k, g)\npos(g, p, X)"
MTTKRP = {
    0: "V(i,r) = X(i,j,k) * B(j,r) * C(k,r)",
    1: "V(j,r) = X(i,j,k) * A(i,r) * C(k,r)",
    2: "V(k,r) = X(i,j,k) * A(i,r) * B(j,r)",
}


@pytest.mark.parametrize("text", ["coo-perm", "coo-perm : 1,0"])
@pytest.mark.parametrize(
    "expression",
    ["y(i) = X(i,j) * x(j)", "y(j) = X(i,j) * x(i)", "C(i,j) = X(i,j)", "C(i,j) = X(i,j) + B(i,j)", "s = X(i,j)"],
)
def test_matrices(expression: str, text: str) -> None:
    if "+" in expression:
        with pytest.raises(CompileError, match="is unordered, so it cannot be merged"):
            check(expression, {"X": text})
    else:
        check(expression, {"X": text})


@pytest.mark.combinations(4, "expression", "text")
@pytest.mark.parametrize("text", ["coo-perm", "coo-perm : 1,0,2", "coo-perm : 2,1,0"])
@pytest.mark.parametrize(
    "expression", [*MTTKRP.values(), "s = X(i,j,k) * X(i,j,k)", "Y(i,j) = X(i,j,k) * x(k)", "y(k) = X(i,j,k)"]
)
def test_tensors(expression: str, text: str) -> None:
    check(expression, {"X": text})


@pytest.mark.parametrize(
    "schedule",
    [
        FUSED,
        f"{FUSED}\nparallelize(i, CPUThread, NoRaces)",
        f"balance(i, i0, i1, X, 4)\n{FUSED}\nparallelize(i0, CPUThread, NoRaces)",
        f"{WHOLE}\nsplit(p, p0, p1, 4)\nparallelize(p0, CPUThread, Atomics)",
        f"{WHOLE}\nsplit(p, p0, p1, 4)\nparallelize(p0, CPUThread, Temporary)",
        f"{FUSED}\nprefetch(C(k,r), 4)",
    ],
)
def test_schedules_by_position(schedule: str) -> None:
    check(MTTKRP[0], {"X": "coo-perm"}, schedule)


def test_what_is_read_of_an_entry_is_asked_for_before_the_row_that_it_names() -> None:
    """The prefetch was taken and left no trace in the code: coordinates that numbers lead to were not looked for."""
    schedule = "fuse(i, k, f)\npos(f, p, X)\nprefetch(C(k,r), 4)\nprefetch(A(i,r), 4)"
    check(MTTKRP[1], {"X": "coo-perm:1,0,2"}, schedule)
    result = hd.lower(MTTKRP[1], {"X": "coo-perm:1,0,2"}, schedule)
    assert result.source is not None, result.diagnostics
    text = result.source.text
    last = "(int64_t)X2_pos[X1_dimension] - 1)"
    assert text.count(f"int64_t entry_ahead = X3_perm[min_int64(p + 8, {last}];") == 1
    assert text.count(f"int64_t k_ahead = X3_crd[X3_perm[min_int64(p + 4, {last}]];") == 1
    for array in ("X2_crd", "X3_crd", "X_vals"):
        assert text.count(f"__builtin_prefetch(&{array}[entry_ahead]") == 1


def entries(seed: int = 0) -> Entries:
    rng = np.random.default_rng(seed)
    columns = tuple(rng.integers(0, size, 300) for size in (20, 1, 17))
    return sort_and_sum(Entries((20, 1, 17), columns, rng.random(300)), (0, 1, 2))


@pytest.mark.parametrize("order", ["0,1,2", "1,0,2", "2,0,1"])
def test_what_is_packed_comes_back(order: str) -> None:
    given = entries()
    tensor = hd.pack(given, f"coo-perm : {order}")
    tensor._checked = False
    tensor.validate()
    columns, values = tensor.to_coo()
    assert all((own == other).all() for own, other in zip(columns, given.columns, strict=True))
    assert (values == given.values).all()
    again = hd.pack(tensor, "coo-perm : 2,1,0")
    assert (again.to_numpy() == tensor.to_numpy()).all()


def test_orders_share_coordinates_and_values() -> None:
    given = entries()
    tensors = [hd.pack(given, f"coo-perm : {order}", copy=False) for order in ("0,1,2", "1,0,2", "2,0,1")]
    first, second, third = tensors
    assert np.shares_memory(first.vals, second.vals)
    assert np.shares_memory(first.vals, third.vals)
    crd = [[level.crd for level in one.levels] for one in tensors]
    assert np.shares_memory(crd[0][2], crd[1][2])  # type: ignore[arg-type]
    assert np.shares_memory(crd[0][1], crd[2][2])  # type: ignore[arg-type]
    count = given.values.size
    own = sum(one.levels[1].pos.nbytes + one.levels[1].extra["perm"].nbytes for one in tensors)  # type: ignore[union-attr]
    assert own == 4 * (3 * count + 20 + 1 + 17 + 3)


@pytest.mark.parametrize("count", [0, 1, 1000])
def test_entries_keep_their_order_in_each_row(count: int) -> None:
    row = np.random.default_rng(1).integers(0, 7, count).astype(np.int32)
    pos, perm = _places(row, 7, "int32")
    assert (perm == np.argsort(row, kind="stable")).all()
    assert (np.diff(pos) == np.bincount(row, minlength=7)).all()
    assert pos[0] == 0


def with_level(tensor: Tensor, number: int, **arrays: object) -> Tensor:
    levels = list(tensor.levels)
    extra = {"perm": arrays.pop("perm")} if "perm" in arrays else levels[number].extra
    levels[number] = replace(levels[number], extra=extra, **arrays)  # type: ignore[arg-type]
    return Tensor(tensor.shape, tensor.format, tensor.dtype, tuple(levels), tensor.vals)


def test_arrays_that_do_not_fit_are_refused() -> None:
    tensor = hd.pack(entries(), "coo-perm")
    perm = tensor.levels[1].extra["perm"]
    twice = perm.copy()
    twice[3] = twice[4]
    for number, arrays, text in (
        (1, {"perm": twice}, f"perm of level 2 leaves out entry {perm[3]}, expected each entry once"),
        (
            2,
            {"perm": perm[::-1].copy()},
            "perm of level 3 is another than above, expected the same entries at the same",
        ),
        (1, {"crd": np.full_like(perm, 9)}, "crd of level 2 holds 9, expected coordinates from 0 to 0"),
        (1, {"perm": perm[:-1].copy()}, "perm of level 2 has"),
    ):
        wrong = with_level(tensor, number, **arrays)  # type: ignore[arg-type]
        assert text in refusal(lambda wrong=wrong: wrong.validate()).message  # type: ignore[misc]
    assert isinstance(tensor.levels[0], LevelArrays)


def test_where_they_may_stand() -> None:
    expression = "y(i) = X(i,j) * x(j)"
    for text in ("referenced(unordered), dense", "compressed, referenced(unordered)", "dense, relayed(unordered)"):
        (found,) = hd.lower(expression, {"X": text}).diagnostics
        assert found.message.endswith(
            "referenced and relayed levels store all dimensions but the first together, below a dense level."
        ), found.message
    (found,) = hd.lower(expression, {"X": "dense, referenced"}).diagnostics
    assert found.message.endswith(
        "its coordinates come in the order of another dimension, and repeat but for the last level."
    )
    (found,) = hd.lower("y(i) = X(i) * x(i)", {"X": "coo-perm"}).diagnostics
    assert found.code == "format/order-mismatch"


def test_a_result_cannot_be_stored_so() -> None:
    (found,) = hd.lower("C(i,j) = A(i,j)", {"A": "csr", "C": "coo-perm"}).diagnostics
    assert (found.code, found.message) == (
        "format/sparse-result",
        "level 2 of the result C is referenced(unordered), which cannot be assembled. Store C with dense and "
        "compressed levels or as coo, and convert it afterwards.",
    )
