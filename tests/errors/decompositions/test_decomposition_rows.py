"""Everything bad that a decomposition may be given, one numbered row each: the code and the words of its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.document.reader import parse_algorithm
from heddle.diagnostics import Diagnostic
from heddle.runtime.data_files.readers import read_data
from tests.errors.expect import refusal

X = np.arange(24.0).reshape(2, 3, 4)
ATOMICS = ["fuse(i, j, f)", "fuse(f, k, g)", "pos(g, p, X)", "parallelize(p, CPUThread, Atomics)"]
HASH = f"sha256:{'0' * 64}"
FACTORS = [np.ones((size, 2)) for size in X.shape]


def doc(**more: Any) -> Callable[[], object]:
    """Reads a document in which ``more`` stands beside what every one has."""
    return lambda: parse_algorithm({"algorithm": "cp-als", "parameters": {"rank": 2}, **more})


def param(**more: Any) -> Callable[[], object]:
    return doc(parameters={"rank": 2, **more})


def als(tensor: object = X, rank: int = 2, **more: Any) -> Callable[[], object]:
    return lambda: hd.cp_als(tensor, rank, **more)


def pinned(role: str, text: str, *schedule: str) -> Callable[[], object]:
    return als(kernels={role: {"tensors": {"X": {"format": text}}, "schedule": list(schedule)}})


def changed(place: tuple[int, ...], value: float) -> np.ndarray:
    tensor = X.copy()
    tensor[place] = value
    return tensor


def started(start: object, given: object = None) -> Callable[[], object]:
    document = {"algorithm": "cp-als", "parameters": {"rank": 2, "start": start}}
    return lambda: hd.run(document, X, given)  # type: ignore[arg-type]


def lowered(expression: str, formats: dict[str, str]) -> Callable[[], object]:
    return lambda: hd.lower(expression, formats).raise_errors()


HUGE = (([0], [0], [0]), [1.0], (10**9, 10**9, 10))
LONG = (([0, 1], [0, 5], [0, 2]), [1.0, 2.0], (2, 10**7, 3))

ROWS: list[tuple[int, Callable[[], object], str, str, str | None]] = [
    (1, param(rank=0), "algorithm/rank", "rank must be a whole number from 1 to 4096", "/parameters/rank"),
    (1, param(rank=-1), "algorithm/rank", "rank must be a whole number from 1 to 4096", "/parameters/rank"),
    (1, param(rank=2.5), "algorithm/rank", "rank must be a whole number from 1 to 4096", "/parameters/rank"),
    (2, als(HUGE, 4000), "algorithm/too-large", "The factors of rank 4000 and their products take", "/parameters/rank"),
    (3, als(np.ones(5)), "algorithm/order", "X has 1 dimension; a decomposition needs a tensor of 2 to 9.", None),
    (4, als(changed((1, 2, 3), np.nan)), "algorithm/not-finite", "X has 1 value that is not finite: X(1, 2, 3)", None),
    (4, als(changed((0, 0, 0), np.inf)), "algorithm/not-finite", "X has 1 value that is not finite: X(0, 0, 0)", None),
    (5, als(np.zeros((2, 3, 4))), "algorithm/zero-tensor", "X stores no entry: its norm is 0, so no fit is", None),
    (6, lambda: hd.cp_apr(changed((1, 0, 2), -3), 2), "algorithm/negative-counts", "X has 1 value below 0", None),
    (7, als(order=[0, 1]), "algorithm/modes", "order must have each of 0, 1, 2 once, found 0, 1.", "/parameters/order"),
    (7, als(update=[1, 1]), "algorithm/modes", "update must have some of 0, 1, 2, each at", "/parameters/update"),
    (8, param(update=[]), "algorithm/nothing-to-update", "update names no mode", "/parameters/update"),
    (9, param(tolerance=-1), "algorithm/tolerance", "tolerance must be a number that is 0", "/parameters/tolerance"),
    (9, param(tolerance=float("nan")), "algorithm/tolerance", "tolerance must be a number", "/parameters/tolerance"),
    (10, doc(algorithm="cp-alz"), "algorithm/unknown", "there is no algorithm the text `cp-alz`.", "/algorithm"),
    (11, param(iterations=5), "algorithm/unknown-key", "parameters has no entry `iterations`; did you mean sweeps?",
     "/parameters/iterations"),
    (12, als(kernels={"mttkrp.3": {}}), "algorithm/unknown-role", "there is no kernel mttkrp.3 for a tensor of order",
     "/kernels/mttkrp.3"),
    (13, doc(kernels={"mttkrp.1": {"expression": "y(i) = x(i)"}}), "algorithm/role-expression",
     "mttkrp.1 has an expression, but what a role computes follows", "/kernels/mttkrp.1/expression"),
    (14, pinned("mttkrp.1", "csf", "split(j, j0, j1, 4)", "split(k, k0, k1, 4)", "reorder(x, j0)"),
     "schedule/unknown-variable", "", "/kernels/mttkrp.1/schedule/2"),
    (15, pinned("mttkrp.0", "csr"), "format/order-mismatch", "", "/kernels/mttkrp.0/tensors/X/format"),
    (16, pinned("mttkrp.2", "coo", *ATOMICS), "algorithm/depends-on-threads",
     "mttkrp.2 must give the same bits for any number of threads", "/kernels/mttkrp.2/schedule/3"),
    (17, als(reuse="((0 1) 1)"), "algorithm/reuse",
     "reuse must have the modes 0, 1, 2 from left to right, each once: mode 1 a second time at character 7; mode 2 mis",
     "/parameters/reuse"),
    (18, als(reuse="((0 1) 2)", memory=90), "algorithm/tree-memory", "tree.0-1 holds 6 rows of rank 2, which take 96",
     "/parameters/reuse"),
    (19, als(start=[np.ones((2, 2)), np.ones((9, 2)), np.ones((4, 2))]), "algorithm/start",
     "Factor 1 of the start has the shape (9, 2); mode 1 needs (3, 2).", "/parameters/start"),
    (20, started({"kind": "given", "hash": HASH}), "algorithm/start",
     f"The document starts from the factors {HASH}, which are not given.", "/parameters/start"),
    (20, started({"kind": "given", "hash": HASH}, FACTORS), "algorithm/start",
     f"The document starts from the factors {HASH}; those given are sha256:", "/parameters/start"),
    (23, als(LONG, start="nvecs"), "algorithm/start-too-large", "The start nvecs needs eigenvectors of mode 1, which",
     "/parameters/start/kind"),
    (24, doc(target="cuda"), "algorithm/target", "decompositions run their kernels as c, on CPUs, found", "/target"),
    (25, doc(dtype="float32", parameters={"rank": 2, "tolerance": 1e-9}), "algorithm/dtype",
     "decompositions compute in float64, found float32, for which fits near 1 that differ by less", "/dtype"),
    (26, lowered("V(i,j) = A(i,j) * x(i)", {"A": "csr", "V": "coo-perm"}), "format/sparse-result",
     "level 2 of the result V is referenced(unordered), which cannot be assembled.", None),
    (26, lowered("v = X(i,j,k) * Y(i,j,k)", {"X": "coo-perm", "Y": "csf"}), "format/unordered",
     "level 2 of X is unordered, so it cannot be merged with Y at j", None),
    (27, lambda: hd.cp_als(X + 1, 2, resume=hd.cp_als(X, 2, sweeps=1)), "algorithm/resume",
     "The state belongs to another tensor: it was saved for sha256:", None),
]  # fmt: skip


@pytest.mark.parametrize(("row", "action", "code", "words", "path"), ROWS)
def test_refused(row: int, action: Callable[[], object], code: str, words: str, path: str | None) -> None:
    found: Diagnostic = refusal(action)
    assert found.code == code
    assert found.message.startswith(words)
    assert path is None or (found.location is not None and found.location.path == path)
    if code.startswith("algorithm/"):
        assert found.expected


def test_row_3_a_matrix_is_decomposed() -> None:
    assert hd.cp_als(np.outer([1.0, 2.0, 3.0], [1.0, -1.0]), 1, sweeps=5).fit > 1 - 1e-7


def test_row_21_duplicates_are_added_up_and_said(tmp_path: Path) -> None:
    file = tmp_path / "twice.tns"
    file.write_text("1 1 1 2.0\n2 2 2 1.0\n1 1 1 3.0\n")
    found = hd.cp_als(read_data(file), 1, sweeps=1)
    assert found.summed == 1
    once = hd.cp_als((([0, 1], [0, 1], [0, 1]), [5.0, 1.0], (2, 2, 2)), 1, sweeps=1)
    assert [a.tobytes() for a in found.factors] == [b.tobytes() for b in once.factors]


def test_row_22_coordinates_that_count_from_0(tmp_path: Path) -> None:
    file = tmp_path / "zero.tns"
    file.write_text("0 1 1 2.0\n1 2 2 1.0\n")
    found = refusal(lambda: read_data(file))
    assert found.message.startswith("Line 1: the coordinate 1 is 0, expected whole numbers from 1")
    assert found.hint is not None
    assert "count from 1" in found.hint


def test_every_row_is_here() -> None:
    elsewhere = {
        21: test_row_21_duplicates_are_added_up_and_said,
        22: test_row_22_coordinates_that_count_from_0,
    }
    assert {row for row, *_ in ROWS} | elsewhere.keys() == set(range(1, 28))
