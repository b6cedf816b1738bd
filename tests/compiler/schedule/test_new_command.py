"""A command that nothing knows goes all the way: registered, it is parsed, checked, lowered, run, drawn and offered."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from docs.site.reference.commands import commands
from heddle.explorer.views.commands import command_views
from heddle.explorer.views.compile import compile_view
from heddle.notation.evaluation import evaluate
from heddle.notation.parser import parse
from heddle.schedule.legal import legal
from heddle.schedule.registry import COMMANDS
from tests.compiler.schedule.reverse import SPEC
from tests.differential.operands import operand_sets

SPMV = "y(i) = A(i,j) * x(j)"
SPMM = "C(i,k) = A(i,j) * B(j,k)"
COPY = "C(i,j) = 2 * A(i,j)"
BY_TILES = ("split(i, i0, i1, 4)", "reverse(i0, ir)", "parallelize(ir, CPUThread, NoRaces)")
IN_TILES = ("split(k, k0, k1, 4)", "reverse(k1, kr)")
ROW_FIRST = ("precompute(A(i,j) * B(j,k), k, kw, w)", "reverse(i, ir)")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, SPEC.name, SPEC)


@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        (SPMV, {"A": "csr"}, ("reverse(i, ir)",)),
        (SPMV, {"A": "csr"}, BY_TILES),
        (SPMV, {"A": "bcsr(2,2)"}, ("reverse(i_block, ir)",)),
        (SPMV, {"A": "dense"}, ("fuse(i, j, f)", "reverse(f, fr)")),
        (SPMM, {"A": "csr"}, ("reverse(k, kr)", "split(kr, k0, k1, 4)", "parallelize(i, CPUThread, NoRaces)")),
        (SPMM, {"A": "csr"}, IN_TILES),
        (SPMM, {"A": "csr"}, ROW_FIRST),
        (COPY, {"A": "csr", "C": "csr"}, ("reverse(i, ir)",)),
    ],
)
@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_it_computes_the_same(expression: str, formats: dict[str, str], schedule: tuple[str, ...], target: str) -> None:
    kernel = hd.compile(expression, formats, schedule, target)
    assignment = parse(expression)
    for operands in operand_sets(assignment):
        result = kernel(**operands.arrays).to_numpy()
        np.testing.assert_array_equal(result, evaluate(assignment, operands.arrays, operands.sizes), operands.label)


@pytest.mark.parametrize(
    ("expression", "formats", "command", "code"),
    [
        (SPMV, {"A": "csr"}, "reverse(j, jr)", "schedule/strided"),
        (SPMV, {"A": "csr"}, "reverse(l, lr)", "schedule/unknown-variable"),
        (SPMV, {"A": "csr"}, "reverse(i, j)", "schedule/name-taken"),
        (SPMV, {"A": "csr"}, "reverse(i)", "schedule/wrong-arguments"),
    ],
)
def test_it_is_refused_where_others_would_be(expression: str, formats: dict[str, str], command: str, code: str) -> None:
    (diagnostic,) = hd.lower(expression, formats, (command,)).diagnostics
    assert diagnostic.code == code


@pytest.mark.parametrize("layout", ["dcsr", "csr"])
def test_a_result_is_not_appended_backwards(layout: str) -> None:
    (diagnostic,) = hd.lower(COPY, {"A": "dense", "C": layout}, ("reverse(i, ir)",)).diagnostics
    assert diagnostic.code == "schedule/append-order"
    assert diagnostic.message == (
        "C is assembled in the order i→j, each coordinate once, but ir visits i in another order. "
        "Collect the values in a workspace first, or store C dense."
    )


def test_it_is_shown_and_offered() -> None:
    result = hd.lower(SPMV, {"A": "csr"}, ("reverse(i, ir)",))
    view = compile_view(result)
    assert view["commands"][0]["status"] == "applied"
    provenance = view["provenance"]
    assert provenance is not None
    assert provenance["relations"][0]["recover"] == ["i = i_min + i_max − 1 − ir"]
    assert result.graph is not None
    (offered,) = (found for found in legal(result.graph, ("reverse(i, ir)",)) if found.spec is SPEC)
    assert {c.text for c in offered.candidates if c.why_not is None} == {"reverse(ir, irr)"}
    assert SPEC.name in {view["name"] for view in command_views()}
    assert "## reverse" in commands()
