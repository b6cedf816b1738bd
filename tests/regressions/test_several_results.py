"""Programs with several results: each is computed, whatever an operand of another statement stores."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import heddle as hd
from heddle.frontends.table import front_end_of

HEAD = "def f(double(M,M) A, double(M,M) B, double(M) x) -> ({results}) {{ {body} }}"
BODIES = (
    ("O, s", "O(i,j) = A(i,j)  s +=! B(0, r)"),
    ("s, O", "s +=! B(0, r)  O(i,j) = A(i,j)"),
    ("O, q", "t +=! B(0, r)  O(i,j) = A(i,j) * t  q(j) = B(1, j) * x(j)"),
    ("q, p", "q(j) = B(0, j) * x(j)  p(i,j) = A(i,j) * q(j) + B(i, 1)"),
    ("q, m", "q(j) = B(0, j) + B(1, j)  m max=! B(r, 0)"),
    ("q", "q(j) = B(0, j) * x(j)  p(i,j) = A(i,j) * q(j)"),
)


@pytest.mark.combinations(4, "results", "body", "format", "stored")
@pytest.mark.parametrize("stored", [(), (0,), (1, 2)], ids=["no row", "row 0", "rows 1 and 2"])
@pytest.mark.parametrize("format", ["dcsr", "coo", "csr", "dcsc"])
@pytest.mark.parametrize(("results", "body"), BODIES)
def test_a_search_guards_only_what_reads_it(results: str, body: str, format: str, stored: tuple[int, ...]) -> None:
    text = HEAD.format(results=results, body=body)
    rows = np.arange(1.0, 10.0).reshape(3, 3)
    operands = {"A": rows, "B": np.where(np.isin(np.arange(3), stored)[:, None], rows + 1, 0), "x": np.arange(3.0)}
    language = front_end_of("comprehension")
    want = language.reference(language.read(text), operands, {"M": 3})
    for target in ("interpreter", "c"):
        kernel = hd.compile(
            text, {"B": format}, language="comprehension", target=target, options={"convert": "automatic"}
        )
        junk = [np.full((3, 3), 7.0) for _ in range(50)]  # results must not show what lay in their memory before
        del junk
        values = kernel(**operands)
        found = values if isinstance(values, Mapping) else {results: values}
        for name in results.split(", "):
            np.testing.assert_array_equal(found[name].to_numpy(), want[name], err_msg=f"{target} {name}")
