"""What notebooks show of tensors, kernels and errors: short, escaped, without scripts and without colours."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd

make: Any = scipy.sparse.random_array
A = make((500, 300), density=0.02, format="csr", rng=np.random.default_rng(0))


def plain(page: str) -> str:
    assert len(page.encode()) < 20_000
    assert "<script" not in page
    assert not re.search(r"color|#[0-9a-f]{3}", page)
    for tag in ("div", "table", "tr", "td", "th", "pre", "details", "summary"):
        assert page.count(f"<{tag}>") + page.count(f"<{tag} ") == page.count(f"</{tag}>")
    return re.sub(r"<[^>]*>", " ", page)


@pytest.mark.parametrize("format", ["csr", "coo", "ell", "hyb(1,2)", "dense"])
def test_a_tensor_shows_its_arrays_with_their_bytes(format: str) -> None:
    tensor = hd.pack(A, format)
    page = plain(tensor._repr_html_())
    assert "500 × 300" in page
    assert f"{tensor.nbytes:,} bytes" in page
    assert ("padding" in page) == (format != "dense")
    for array in tensor.arrays().values():
        assert f"{array.nbytes:,} bytes" in page


def test_a_matrix_shows_where_its_entries_lie() -> None:
    picture = hd.pack(scipy.sparse.eye_array(4, format="csr"), "csr")._repr_html_()
    assert "█···\n·█··\n··█·\n···█" in picture


@pytest.mark.parametrize("operand", [3.5, np.ones(3), np.ones((0, 2)), np.ones((2, 3, 4)), A[:0]])
def test_every_tensor_has_a_page(operand: Any) -> None:
    plain(hd.asarray(operand)._repr_html_())


def test_a_kernel_shows_its_loops_and_folds_its_code() -> None:
    kernel = hd.compile("y(i) = min(A(i,j) < 2, x(j) < 1)", formats={"A": "csr"})
    page = kernel._repr_html_()
    assert "A(i,j) &lt; 2" in page
    assert "<details><summary>Code</summary>" in page
    assert "for i in [0, A1_dimension)" in plain(page)


def test_a_plan_shows_what_it_says_of_its_tensors() -> None:
    program = {
        "version": 2,
        "expression": "y(i) = A(i,j) * min(x(j) < 1, 2)",
        "tensors": {"A": {"format": "csr", "shape": [3, 4], "dtype": "float32"}, "x": {"fill": 1}},
        "schedule": ["parallelize(i, CPUThread, NoRaces)"],
    }
    page = plain(hd.compile(program).result.plan._repr_html_())
    assert "x(j) &lt; 1" in page
    assert re.search(r"A +csr, float32, 3 × 4 ", page)
    assert re.search(r"x +dense, float64, fill 1 ", page)
    assert re.search(r"schedule +parallelize\(i, CPUThread, NoRaces\) ", page)
    assert re.search("schedule +none ", plain(hd.compile("y(i) = x(i)").result.plan._repr_html_()))


def test_a_page_of_a_long_plan_stays_short() -> None:
    page = plain(hd.Plan("y(i) = " + " + ".join(["x(i)"] * 10_000), schedule=("unroll(i, 4)",) * 5_000)._repr_html_())
    assert "x(i) + x(i)" in page
    assert page.count("…") == 2


def test_an_error_shows_no_stack() -> None:
    with pytest.raises(hd.CompileError) as refused:
        hd.compile("y(i) = A(i,j * x(j)")
    lines = refused.value._render_traceback_()
    assert lines[0].startswith("CompileError: ")
    assert "Traceback" not in "".join(lines)
