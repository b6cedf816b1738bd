"""Next to a choice stands that it was not measured on the class of machines that it is made for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heddle.plan import plan_from_arguments
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts import measured
from heddle.tuning.facts.machine import Machine
from heddle.tuning.rules.table import CPU_RULES
from heddle.tuning.search.format_offers import suggest_formats
from heddle.tuning.search.suggest import suggest
from tests.compiler.tuning.programs import SPMV

MACHINE = Machine(threads=2, vector_bytes=32, registers=16, cache_bytes=32 << 20)
ELSEWHERE = "Not measured on x86-64-v3: chosen from measurements on x86-64-v2 and x86-64-v4."


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "MEASURED", dict.fromkeys(measured.MEASURED, ("x86-64-v2", "x86-64-v4")))


def test_every_rule_that_depends_on_the_class_has_its_row() -> None:
    assert {rule.name for rule in CPU_RULES} - {"default"} <= set(measured.MEASURED)


@pytest.mark.parametrize(
    ("name", "said"), [("x86-64-v2", False), ("x86-64-v3", True), ("x86-64-v4", False), (None, False)]
)
def test_a_schedule_says_where_its_rule_was_not_measured(name: str | None, said: bool) -> None:
    machine = replace(MACHINE, machine_class=name)
    reasons = suggest(plan_from_arguments(SPMV, {"A": "csr"}), None, machine).reasons
    assert (reasons[-1] == ELSEWHERE) is said
    assert reasons.count(ELSEWHERE) == said


def test_loops_as_they_are_and_gpus_say_nothing() -> None:
    machine = replace(MACHINE, machine_class="x86-64-v3", threads=1)
    default = suggest(plan_from_arguments("c = a * b"), None, machine)
    assert default.rule == "default"
    gpu = suggest(plan_from_arguments(SPMV, {"A": "csr"}, target="cuda"), None, machine)
    assert ELSEWHERE not in (*default.reasons, *gpu.reasons)


@pytest.mark.parametrize(("name", "said"), [("x86-64-v3", True), ("x86-64-v4", False)])
def test_an_offer_says_where_its_kind_was_not_measured(name: str, said: bool) -> None:
    rows = np.repeat(np.arange(1000), 5)
    band = Entries((1000, 1004), (rows, rows + np.tile(np.arange(5), 1000)), np.ones(rows.size))
    machine = replace(MACHINE, machine_class=name)
    (offer,) = suggest_formats(plan_from_arguments(SPMV, {"A": "csr"}), {"A": band}, machine)
    assert offer.kind in measured.MEASURED
    assert offer.format == "dia(32)"
    assert offer.reason.endswith(f" {ELSEWHERE}") is said
