"""What Python shows of kernels, suggestions and the module itself."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.plan import plan_from_arguments
from heddle.runtime.kernels.kernel import Kernel
from heddle.runtime.kernels.variants import Variants
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.automatic import AutomaticKernel
from heddle.tuning.search.suggest import suggest
from tests.compiler.runtime.data_files.reading import ROOT

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
    monkeypatch.setattr(Variants, "_executor", lambda *_: None)  # no compiler for that class is needed
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


def test_a_compile_shows_its_stages_and_not_their_contents() -> None:
    result = hd.lower(SPMV, {"A": "csr"}, "split(j, j0, j1, 4)")
    assert repr(result) == (
        f"<CompileResult {SPMV}\n y: dense, A: csr, x: dense; c; schedule of 1 command\n"
        " has assignment, signature, graphs (2), lowered_graph, function, source, kernel\n no diagnostics>"
    )
    kernel = hd.compile(SPMV, {"A": "csr"}, target="interpreter")
    assert repr(kernel.result).startswith(
        f"<CompileResult {SPMV}\n y: dense, A: csr, x: dense; interpreter; no schedule\n"
    )
    gpu = "split(i, i0, i1, 64)\nparallelize(i0, GPUBlock, NoRaces)\nparallelize(i1, GPUThread, NoRaces)"
    on_gpu = hd.lower(SPMV, {"A": "csr"}, gpu, target="cuda")
    assert "function, source, kernel, launches (1)\n" in repr(on_gpu)


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "shown"),
    [
        ("y(i) = A(i,k)*", {"A": "csr"}, "", "A: csr; c; no schedule\n has no stage\n error expression/syntax"),
        (
            SPMV,
            {"A": "csr"},
            "split(q, a, b, 3)",
            "y: dense, A: csr, x: dense; c; schedule of 1 command\n"
            " has assignment, signature, graphs (1), kernel\n error schedule/unknown-variable",
        ),
    ],
)
def test_a_refused_compile_shows_how_far_it_came(
    expression: str, formats: dict[str, str], schedule: str, shown: str
) -> None:
    assert repr(hd.lower(expression, formats, schedule)) == f"<CompileResult {expression}\n {shown}>"


def test_long_programs_are_shown_in_four_lines() -> None:
    sum_of_many = "y(i) = " + " + ".join(f"t{number}(i)" for number in range(30))
    program = "def f(float(N) x) -> (y, z) {\n  y(i) = x(i)\n  z(i) = 2 * x(i)\n}"
    shown = [repr(hd.lower(sum_of_many)), repr(hd.lower(program, language="comprehension"))]
    assert [text.count("\n") for text in shown] == [3, 3]
    assert "t6: dense, and 23 more; c; no schedule" in shown[0]
    assert max(map(len, shown)) < 400
    assert shown[1].startswith(
        "<CompileResult def f(float(N) x) -> (y, z) { …\n y: dense, z: dense, x: dense; c; no schedule\n"
    )


def test_what_may_come_next_is_shown_by_command() -> None:
    found = hd.legal(hd.lower(SPMV, {"A": "csr"}))
    assert repr(found) == (
        "<LegalCommands\n"
        " may come next: split, divide, balance, fuse, pos, bound, precompute, unroll, prefetch, parallelize\n"
        " may not: reorder, coord, assemble, mergeby, share, concat, inline, together, apart>"
    )
    commands = {command.name: repr(command) for command in found}
    assert commands["split"] == "<LegalCommand split: 8 may come next, first split(i, i0, i1, 4)>"
    refused = "5 would be refused or change nothing"
    assert commands["pos"] == f"<LegalCommand pos: 1 may come next, first pos(j, jpos, A); {refused}>"
    assert commands["coord"].startswith("<LegalCommand coord: none may come next")
    assert repr(hd.legal(hd.lower("y(i) = "))) == "<LegalCommands: none>"
    assert found == tuple(found)
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_kernel_names_all_its_results() -> None:
    program = "def f(float(N) x) -> (y, z) { y(i) = x(i) z(i) = 2 * x(i) }"
    kernel = hd.compile(program, language="comprehension", target="interpreter")
    assert repr(kernel) == f"<Kernel {program}\n y: dense, z: dense, x: dense; interpreter; no schedule>"


def test_kept_coordinates_say_whose_they_are() -> None:
    kernel = hd.compile(SPMV, {"A": "csr"}, target="interpreter")
    assert repr(kernel.assemble(A=np.eye(3), x=np.ones(3))) == "<Stationary 3 from A, x>"
