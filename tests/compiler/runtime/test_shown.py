"""What Python shows of kernels, suggestions and the module itself."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.plan import plan_from_arguments
from heddle.runtime.kernels.kernel import Kernel
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.automatic import AutomaticKernel
from heddle.tuning.search.suggest import suggest
from tests.compiler.runtime.reading import ROOT

SPMV = "y(i) = A(i,j) * x(j)"
MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=None)


@pytest.mark.parametrize(
    ("schedule", "text"),
    [
        ("", "no schedule"),
        ("unroll(j, 4)", "schedule of 1 command"),
        ("split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)", "schedule of 2 commands"),
    ],
)
def test_a_kernel_says_what_it_is(schedule: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEDDLE_MARCH", "x86-64-v2")
    monkeypatch.setattr(Kernel, "_executor", lambda *_: None)  # no compiler for that class is needed
    kernel = hd.compile(SPMV, {"A": "csr"}, schedule)
    assert repr(kernel) == f"<Kernel {SPMV}\n y: dense, A: csr, x: dense; c for x86-64-v2; {text}>"
    interpreted = hd.compile(SPMV, {"A": "csr"}, schedule, target="interpreter")
    assert repr(interpreted) == f"<Kernel {SPMV}\n y: dense, A: csr, x: dense; interpreter; {text}>"


def test_a_kernel_that_chooses_says_what_it_chose() -> None:
    kernel = AutomaticKernel(plan_from_arguments(SPMV, {"A": "csr"}, target="interpreter"), MACHINE)
    formats = "y: dense, A: csr, x: dense; interpreter"
    shown = f"<AutomaticKernel {SPMV}\n {formats}; schedule of 2 commands, chosen by the rule row-sums>"
    assert repr(kernel) == shown
    kernel(A=scipy.sparse.eye_array(4, format="csr"), x=np.ones(4))
    assert repr(kernel) == shown.replace("schedule of 2 commands", "no schedule")


def test_a_suggestion_is_short() -> None:
    found = suggest(plan_from_arguments(SPMV, {"A": "csr"}), None, MACHINE)
    first, *reasons = repr(found).removesuffix(">").split("\n  ")
    assert first == f"<Suggestion row-sums: {'; '.join(found.schedule)}"
    assert tuple(reasons) == found.reasons
    assert len(repr(found)) < 500
    one = suggest(plan_from_arguments("c = a * b"), None, MACHINE)
    assert repr(one).startswith("<Suggestion default: no command\n")


def test_the_module_lists_names_before_they_are_imported() -> None:
    ask = "import heddle as hd, sys; print(set(hd.__all__) <= set(dir(hd)), 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["True", "False"]
    assert hd.Kernel is Kernel
