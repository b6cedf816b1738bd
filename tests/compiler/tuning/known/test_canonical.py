"""The canonical form: renamings share it, every other program has another one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from heddle.diagnostics import CompileError
from heddle.frontends.table import front_end_of
from heddle.plan import Plan, parse_plan
from heddle.tuning.known.canonical import canonical_of
from heddle.tuning.known.key import key_of
from tests.compiler.tuning.known.rewriting import PROGRAMS, changed, renamed
from tests.errors.expect import refusal

RENAMINGS = 1000


def test_a_thousand_renamings_have_one_form() -> None:
    rng = random.Random(20)
    expected = {text: canonical_of(Plan(text)) for text in PROGRAMS}
    for number in range(RENAMINGS):
        text = PROGRAMS[number % len(PROGRAMS)]
        other, names = renamed(text, rng)
        found = canonical_of(Plan(other))
        assert (found.digest, found.text, found.expression) == (
            expected[text].digest, expected[text].text, expected[text].expression
        ), other  # fmt: skip
        assert {names[tensor]: short for tensor, short in expected[text].tensors.items()} == found.tensors


def test_every_change_of_one_word_has_another_form() -> None:
    known = {canonical_of(Plan(text)).digest for text in PROGRAMS}
    compared = 0
    for text in PROGRAMS:
        for other in changed(text):
            try:
                digest = canonical_of(Plan(other)).digest
            except CompileError:
                continue
            compared += 1
            assert digest not in known, f"{text} became {other}"
    assert compared > 150


def test_the_form_can_be_read_and_compiled_again() -> None:
    for text in PROGRAMS:
        found = canonical_of(Plan(text))
        again = canonical_of(Plan(found.expression))
        assert again.digest == found.digest
        assert all(name == short for name, short in again.names.items() if not name.startswith("v"))


def test_the_form_of_a_product() -> None:
    found = canonical_of(Plan("Y(row) = Mat(row, col) * vec(col)"))
    assert found.expression == "o0(v0) = p0(v0,v1) * p1(v1)"
    assert found.names == {"Y": "o0", "Mat": "p0", "vec": "p1", "row": "v0", "col": "v1"}


def test_a_language_without_a_canonical_form_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def mv(float(M,K) A, float(K) x) -> (C) { C(i) +=! A(i,kk) * x(kk) }"
    without = replace(front_end_of("comprehension"), canonical=None)
    monkeypatch.setattr("heddle.tuning.known.canonical.front_end_of", lambda language: without)
    diagnostic = refusal(lambda: canonical_of(Plan(text, language="comprehension")))
    assert diagnostic.code == "tuned/no-form"
    assert diagnostic.message == (
        "What is found for this program is not kept: programs in Tensor comprehensions have no canonical form."
    )


BASE: dict[str, object] = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr", "shape": [40, 30]}},
    "schedule": ["parallelize(i, CPUThread, NoRaces)"],
}


def digest_of(document: dict[str, object]) -> str:
    plan = parse_plan(document)
    return key_of(plan, canonical_of(plan), machine="somebody's/2").digest


def test_the_key_follows_names_and_leaves_the_schedule_out() -> None:
    renamed_plan = {"expression": "r(p) = M(p,q) * v(q)", "tensors": {"M": {"format": "csr", "shape": [40, 30]}}}
    assert digest_of(BASE) == digest_of(renamed_plan)


@pytest.mark.parametrize(
    "change",
    [
        {"tensors": {"A": {"format": "csr", "shape": [40, 31]}}},
        {"tensors": {"A": {"format": "csc", "shape": [40, 30]}}},
        {"tensors": {"A": {"format": "csr", "shape": [40, 30], "dtype": "float32"}}},
        {"tensors": {"A": {"format": "csr", "shape": [40, 30], "fill": 1}}},
        {"target": "cuda"},
        {"version": 1},
        {"options": {"convert": "automatic"}},
    ],
)
def test_whatever_decides_the_time_changes_the_key(change: dict[str, object]) -> None:
    assert digest_of({"version": 2, **BASE}) != digest_of({"version": 2, **BASE, **change})
    plan = parse_plan(BASE)
    here, there = (key_of(plan, canonical_of(plan), machine=name).digest for name in ("a/2", "a/4"))
    assert here != there
