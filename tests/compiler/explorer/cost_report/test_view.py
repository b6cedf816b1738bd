"""The account as JSON: the numbers are those of the counts, formulas those of the work."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.diagnostics import CompileError
from heddle.explorer.cost_report.account import Account
from heddle.explorer.cost_report.run import TooLong
from heddle.explorer.cost_report.view import CACHES, account_view, refused_account
from heddle.frontends.patterns import PATTERNS
from heddle.pipeline import lower
from heddle.plan import parse_plan
from tests.compiler.explorer.cost_report.test_findings import UNEVEN, account
from tests.compiler.explorer.cost_report.test_work import SPMM, SPMV


def test_every_number_is_counted_once_and_shown() -> None:
    one = account(SPMV, {"A": "csr"}, UNEVEN, ["parallelize(i, CPUThread, NoRaces)"])
    view = account_view(one, "a test")
    assert (view["ok"], view["data"]) == (True, "a test")
    work, sharing, roofline = view["work"], view["sharing"], view["roofline"]
    assert work is not None
    assert sharing is not None
    assert roofline is not None
    assert (work["formula"], work["value"], work["counted"]) == ("nnz(A)", one.counts.work, one.counts.work)
    assert (sharing["variable"], sharing["workers"]) == ("i", 24)
    assert sum(sharing["shares"]) == one.counts.work
    assert sharing["largest"] == pytest.approx(max(sharing["shares"]) / one.counts.work)
    assert (roofline["operations"], roofline["bound"]) == (2 * one.counts.work, "memory")
    rows = {row["tensor"]: row for row in view["traffic"]}
    assert list(rows) == ["A", "x", "y"]
    assert (rows["A"]["role"], rows["y"]["role"]) == ("operand", "result")
    assert rows["x"]["gathers"] == rows["x"]["loads"] == one.counts.work
    assert rows["x"]["reuse"] == pytest.approx(one.counts.work / rows["x"]["elements"])
    for row in view["traffic"]:
        assert [each["size"] for each in row["misses"]] == list(CACHES)
        assert all(each["misses"] >= row["lines"] for each in row["misses"])
        assert row["code_lines"]


def test_workspaces_stand_behind_the_tensors() -> None:
    operands = {"A": np.eye(4), "B": np.ones((4, 4))}
    view = account_view(account(SPMM, {"A": "csr"}, operands, ["precompute(A(i,j) * B(j,k), k, kw, w)"]), "a test")
    (last,) = [row for row in view["traffic"] if row["role"] == "workspace"]
    assert (last["tensor"], last["bytes"], last["format"]) == ("w", None, None)


def test_a_fault_is_said_and_what_was_counted_until_then() -> None:
    view = account_view(account(SPMV, {"A": "csr"}, UNEVEN, ["bound(i, ib, 16, MaxExact)"]), "a test")
    assert not view["ok"]
    assert view["fault"] is not None
    assert view["findings"] == []


def test_what_takes_too_long_is_refused() -> None:
    one = account(SPMV, {"A": "csr"}, UNEVEN, [])
    with pytest.raises(TooLong):
        account_view(Account(one.result, one.operands, 100), "a test")


def test_a_language_without_statements_is_refused() -> None:
    result = lower(parse_plan({"version": 2, "expression": PATTERNS.example, "language": "patterns"}))
    with pytest.raises(CompileError) as refused:
        account_view(Account(result, {}), "a test")
    assert refused.value.diagnostics[0].code == "plan/no-statements"
    view = refused_account(result, refused.value)
    assert (view["ok"], view["work"], view["traffic"]) == (False, None, [])
    assert view["diagnostics"][0]["code"] == "plan/no-statements"
