"""``options={"deterministic": True}``: no sum of floats comes in another order in another run, or it is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.analysis.sum_order import find_unordered_sum
from tests.compiler.runtime.devices.executing_gpu import executing_gpu

SPMV = "y(i) = A(i,j) * x(j)"
OPTIONS: dict[str, object] = {"deterministic": True}
PROGRAMS = (
    (SPMV, {"A": "csr"}),
    (SPMV, {"A": "coo"}),
    ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}),
    ("C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "csr")),
    ("s = x(i) * z(i)", {}),
)


@pytest.mark.parametrize(("expression", "formats"), PROGRAMS, ids=lambda part: str(part))
@pytest.mark.parametrize("schedule", ["", "auto"])
def test_a_gpu_gets_a_schedule_without_atomic_sums(
    expression: str, formats: dict[str, str], schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    executing_gpu(monkeypatch)
    asked: dict[str, object] = OPTIONS | ({"schedule": "auto"} if schedule else {})
    kernel = hd.compile(expression, formats, "", "cuda", options=asked)
    assert kernel.result.function is not None
    assert find_unordered_sum(kernel.result.function) is None
    rng = np.random.default_rng(0)
    rank = {"A": 2, "B": 2, "x": 1, "z": 1}
    operands = {name: rng.integers(0, 3, (6,) * rank[name]).astype(float) for name in rank if f"{name}(" in expression}
    expected = {"y": "ij,j->i", "C": "ij,jk->ik", "s": "i,i->"}[expression[0]]
    np.testing.assert_array_equal(kernel(**operands).to_numpy(), np.einsum(expected, *operands.values()))


@pytest.mark.parametrize("options", [OPTIONS, OPTIONS | {"schedule": "auto"}])
def test_a_program_that_no_such_schedule_fits_is_refused(
    options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    executing_gpu(monkeypatch)
    with pytest.raises(hd.CompileError, match="bits of the sums: no schedule without them fits this program") as caught:
        hd.compile(SPMV, {"A": "csc"}, "", "cuda", options=options)
    assert "as in csr" in (caught.value.diagnostics[0].hint or "")


def test_integers_may_be_added_in_any_order() -> None:
    types = dict.fromkeys("yAx", "int64")
    kernel = hd.compile(SPMV, {"A": "csr"}, "", "interpreter", types, options=OPTIONS)
    assert kernel.result.ok


def test_a_schedule_with_atomic_sums_is_refused_with_the_tensor_and_the_command() -> None:
    schedule = ["reorder(j, i)", "split(j, block, thread, 4)", "parallelize(block, GPUBlock, IgnoreRaces)"]
    schedule.append("parallelize(thread, GPUThread, Atomics)")
    with pytest.raises(hd.CompileError) as caught:
        hd.compile(SPMV, {"A": "csc"}, schedule, "interpreter", options=OPTIONS)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "schedule/sum-order"
    assert diagnostic.location is not None
    assert diagnostic.location.command == 3
    assert diagnostic.message == (
        "threads add to y by atomic updates, whose order is another in each run, and with it the last bits of the sums."
    )
    assert hd.compile(SPMV, {"A": "csc"}, schedule, "interpreter", options={"deterministic": False}).result.ok


def test_an_automatic_kernel_keeps_the_option_where_it_arrives() -> None:
    kernel = hd.compile(SPMV, {"A": "csr"}, options={"schedule": "auto", "deterministic": True})
    arrived = pickle.loads(pickle.dumps(kernel))
    assert arrived.made_of() == kernel.made_of()


def test_other_values_are_refused() -> None:
    with pytest.raises(hd.CompileError, match="The option deterministic must be True or False, found 1"):
        hd.compile(SPMV, {"A": "csr"}, options={"deterministic": 1})
