"""``hd.einsum`` gives what NumPy's einsum gives, of operands as they come, and refuses what that refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.formats.printer import format_text


def sparse(*shape: int, format: str = "csr", seed: int = 0, dtype: type = float) -> Any:
    make: Any = scipy.sparse.random_array
    return make(shape, density=0.2, format=format, rng=np.random.default_rng(seed), dtype=dtype)


def dense(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).random(shape)


def elements(operand: Any) -> Any:
    if isinstance(operand, hd.Tensor):
        return operand.to_numpy()
    return operand if isinstance(operand, np.ndarray | float) else operand.toarray()


CASES = {
    "explicit result": ("ij,jk->ik", (sparse(6, 7), sparse(7, 5, seed=1)), "csr"),
    "implicit result": ("ij,jk", (sparse(6, 7), dense(7, 5)), "dense"),
    "implicit result in alphabetical order": ("ba,ac", (dense(6, 7), sparse(7, 5)), "dense"),
    "blanks": (" ij , j -> i ", (sparse(6, 7), dense(7)), "dense"),
    "transpose": ("ij->ji", (sparse(6, 7),), "csr"),
    "whole sum": ("ij->", (sparse(6, 7),), "dense"),
    "columns times rows": ("ij,jk->ik", (sparse(6, 7), sparse(7, 5, format="csc")), "csr"),
    "elements of csr and csc": ("ij,ij->ij", (sparse(6, 7), sparse(6, 7, format="csc", seed=1)), "csr"),
    "diagonal of a sparse matrix": ("ii->i", (sparse(6, 6),), "sparse"),
    "trace of a dense matrix": ("ii", (dense(6, 6),), "dense"),
    "diagonal of a tensor times a vector": ("iji,j->i", (dense(4, 5, 4), dense(5)), "dense"),
    "sampled product": ("ij,ik,kj->ij", (sparse(6, 7), dense(6, 3), dense(3, 7)), "csr"),
    "ellipsis": ("...ij,jk->...ik", (dense(2, 3, 4), sparse(4, 5)), "dense"),
    "ellipsis of different lengths": ("...j,...j->...j", (dense(2, 3, 4), dense(3, 4)), "dense"),
    "ellipsis that is summed away by nobody": ("i...,i...", (dense(3, 2), dense(3, 2)), "dense"),
    "capital and Greek letters": ("Aβ,βC->CA", (sparse(6, 7), dense(7, 5)), "dense"),
    "a scalar": (",ij->ij", (2.0, sparse(6, 7)), "csr"),
    "outer product of sparse vectors": ("i,j->ij", (sparse(6, format="coo"), sparse(7, format="coo", seed=1)), "csr"),
    "sparse matrix times sparse vector": ("ij,j->i", (sparse(6, 7), sparse(7, format="coo")), "sparse"),
    "a sparse tensor": ("ijk,k->ij", (sparse(4, 5, 6, format="coo"), dense(6)), "csr"),
}


@pytest.mark.parametrize("case", CASES)
def test_einsum_is_that_of_numpy(case: str) -> None:
    text, operands, format = CASES[case]
    plain = text.replace("β", "b")
    expected = np.einsum(plain, *map(elements, operands))
    for _ in range(2):
        result = hd.einsum(text, *operands)
        np.testing.assert_allclose(result.to_numpy(), expected)
    assert (format_text(result.format) if not result.format.is_dense else "dense") == format


def test_operands_may_be_packed_tensors_in_any_format() -> None:
    a, b = sparse(6, 7), sparse(7, 5, seed=1)
    packed = hd.einsum("ij,jk->ik", hd.pack(a, "dcsr"), hd.pack(b, "csc"))
    np.testing.assert_allclose(packed.to_numpy(), (a @ b).toarray())


def test_the_result_has_the_format_and_the_type_that_are_named() -> None:
    a = sparse(6, 7)
    result = hd.einsum("ij,jk->ik", a, sparse(7, 5), format="dense", dtype=np.complex64)
    assert result.format.is_dense
    assert result.dtype == "complex64"


REFUSED = {
    "too few operands": (
        ("ij,jk->ik", sparse(3, 4)),
        "einsum/operands",
        '"ij,jk->ik" has subscripts for 2 operands, but 1 are passed.',
    ),
    "an index of no operand": (
        ("ij->ik", sparse(3, 4)),
        "einsum/result",
        'The result of "ij->ik" names k, which no operand has.',
    ),
    "an index twice in the result": (
        ("ij->ii", sparse(3, 4)),
        "einsum/result",
        'The result of "ij->ii" names i twice.',
    ),
    "too few letters": (
        ("i->i", sparse(3, 4)),
        "einsum/order",
        'Operand 0 has 2 dimensions, but "i" of "i->i" names 1.',
    ),
    "a character that is no letter": (
        ("i[->i", sparse(3, 4)),
        "einsum/syntax",
        '"i[->i" has the character `[`, which is not an index.',
    ),
    "an ellipsis that the result drops": (
        ("...j->j", sparse(3, 4)),
        "einsum/result",
        'The result of "...j->j" leaves out the dimensions that ... stands for.',
    ),
    "a diagonal of no square": (
        ("ii", sparse(3, 4)),
        "einsum/diagonal",
        "A has dimensions of sizes 3 and 4 at the index i, which repeats.",
    ),
    "lists of axes": (
        ([0, 1], sparse(3, 4)),
        "runtime/argument",
        'the subscripts must be a text such as "ij,jk->ik", but is a list.',
    ),
    "sizes that differ": (("ij,jk", sparse(3, 4), sparse(5, 6)), "runtime/shape-mismatch", "A(i,j) has 4 columns"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_einsum_is_refused(case: str) -> None:
    arguments, code, message = REFUSED[case]
    with pytest.raises(hd.OperandError) as refused:
        hd.einsum(*arguments)  # type: ignore[arg-type]
    assert refused.value.diagnostics[0].code == code
    assert message in str(refused.value)


def test_results_share_no_memory_with_operands() -> None:
    a, x = sparse(6, 7), dense(7)
    for result in (hd.einsum("ij->ij", a), hd.einsum("ij,j->ij", a, x)):
        assert not np.shares_memory(result.vals, a.data)
        result.vals[:] = -1
    assert not np.shares_memory(hd.einsum("i->i", x).vals, x)
    assert (a.data >= 0).all()
