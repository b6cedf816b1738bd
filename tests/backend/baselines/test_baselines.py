"""SciPy, MKL, cuSPARSE, PyTorch and PyG compute what the expression says, or say why they cannot."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import cast

import numpy as np
import pytest

from heddle.measuring.baselines import cusparse, cusparse_library, mkl, mkl_library, pyg, scipy, torch
from heddle.measuring.baselines.mkl_library import MklError
from heddle.measuring.baselines.registry import BASELINES, Baseline
from heddle.measuring.contender import Contender, Problem, Unavailable
from heddle.plan import RunSpec
from heddle.runtime.devices import cuda
from heddle.runtime.native import toolchain
from heddle.runtime.tensors.coordinates import Entries
from tests.backend.baselines import problems, pyg_stand_in, torch_stand_in
from tests.backend.baselines.problems import SIZES, check
from tests.benchmarks.gpu import cusparse_stand_in
from tests.benchmarks.gpu.gpu_machine import gpu_machine

ROOT = Path(__file__).resolve().parents[3]


def problem(text: str, formats: dict[str, str], dtype: str = "float64", sizes: dict[str, int] | None = None) -> Problem:
    return replace(problems.problem(text, formats, dtype, sizes), openmp=toolchain.discover().openmp)


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}),
        ("y(i) = A(i,j) * x(j)", {"A": "csc", "x": "compressed"}),
        ("y(i) = A(i,j) * x(j)", {}),
        ("y(j) = A(i,j) * x(i)", {"A": "csr"}),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}),
        ("C(i,k) = A(i,j) * B(j,k)", {"B": "csr"}),
        ("C(i,k) = A(i,j) * B(k,j)", {"A": "csr", "B": "csr"}),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr"}),
        ("C(i,j) = A(i,j) - B(j,i)", {"A": "csr", "B": "csc"}),
        ("C(i,j) = S(i,j) * A(i,k) * B(k,j)", {"S": "csr"}),
    ],
)
def test_scipy_computes_the_expression(text: str, formats: dict[str, str]) -> None:
    sizes = {**SIZES, "j": 12} if "B(j,i)" in text else SIZES
    given = problem(text, formats, sizes=sizes)
    check(scipy.prepare(given), given)


@pytest.fixture
def with_mkl() -> None:
    try:
        mkl_library.load(toolchain.discover().openmp)
    except MklError as error:
        pytest.skip(str(error))


@pytest.mark.usefixtures("with_mkl")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}),
        ("y(j) = A(i,j) * x(i)", {"A": "dcsr"}),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}),
        ("C(j,k) = A(i,j) * B(i,k)", {"A": "csr"}),
    ],
)
def test_mkl_computes_the_expression(text: str, formats: dict[str, str], dtype: str) -> None:
    given = problem(text, formats, dtype)
    made = mkl.prepare(given)
    check(made, given)
    assert isinstance(made, Contender)
    assert [step["name"] for step in made.preparation] == ["convert", "create", "optimize"]
    assert "OpenMP" in (made.note or "")


@pytest.mark.usefixtures("with_mkl")
def test_a_process_keeps_the_threading_that_mkl_was_asked_for_first() -> None:
    asked = (
        "from heddle.measuring.baselines.mkl_library import MklError, load\n"
        "load(None)\n"
        "try:\n    load('heddle')\n"
        "except MklError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == (
        "MKL did not accept GNU OpenMP, which suits threads of ours: it keeps what this process asked for first."
    )


@pytest.mark.usefixtures("with_mkl")
def test_facts_of_mkl() -> None:
    facts = mkl_library.facts(toolchain.discover().openmp)
    assert "Version" in facts["version"]
    assert facts["threading"] in ("GNU OpenMP", "Intel OpenMP", "sequential")
    assert facts["dispatch"]


@pytest.mark.usefixtures("with_mkl")
@pytest.mark.parametrize(
    ("text", "formats", "reason"),
    [
        ("y(i) = A(i,j) * x(j)", {}, "MKL is not compared here yet for products of dense operands."),
        ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": "csf"}, "MKL is not compared here yet for this expression."),
    ],
)
def test_what_mkl_cannot_do_has_a_reason(text: str, formats: dict[str, str], reason: str) -> None:
    made = mkl.prepare(problem(text, formats))
    assert isinstance(made, Unavailable)
    assert made.reason.startswith(reason)


def test_other_types_and_empty_matrices_are_not_for_mkl() -> None:
    made = mkl.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "csr"}, "int64"))
    assert isinstance(made, Unavailable)
    assert (
        made.reason
        == "MKL is not compared here yet for other types than float64 or float32 throughout: this program has int64."
    )
    made = mkl.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "csr"}, sizes={"i": 0, "j": 3}))
    assert isinstance(made, Unavailable)
    assert made.reason == "MKL is not compared here yet for operands without elements."


def test_a_missing_library_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(openmp: str | None) -> None:
        raise MklError("MKL is not installed: pip install heddle-sparse[mkl]")

    monkeypatch.setattr(mkl_library, "load", missing)
    made = mkl.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "csr"}))
    assert made == Unavailable("mkl", "MKL", "MKL is not installed: pip install heddle-sparse[mkl]")


def test_scipy_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    made = scipy.prepare(problem("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": "csf"}))
    assert made == Unavailable("scipy", "SciPy", "SciPy is not compared here yet for this expression.")
    monkeypatch.setattr(scipy, "_LARGEST_PRODUCT", 10)
    made = scipy.prepare(problem("C(i,j) = S(i,j) * A(i,k) * B(k,j)", {"S": "csr"}))
    assert isinstance(made, Unavailable)
    assert made.reason == "SciPy has no sampled product, and the whole product would have 108 cells."


@pytest.mark.parametrize("text", ["y(j) = A(i,j) * x(i)", "C(i,k) = A(i,j) * B(j,k)"])
def test_torch_multiplies_where_somebody_installed_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", cast("ModuleType", torch_stand_in))
    given = problem(text, {"A": "csr"}, "float32")
    made = torch.prepare(given)
    check(made, given)
    assert isinstance(made, Contender)
    assert made.note == "torch 0, sparse CSR, 2 threads; results allocated by each call."


def test_torch_says_why_it_takes_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    given = problem("y(i) = A(i,j) * x(j)", {"A": "csr"})
    for error, text in (
        (
            ModuleNotFoundError("", name="torch"),
            "PyTorch is not installed. It is optional; install torch beside Heddle to compare with it.",
        ),
        (OSError("no libcudnn"), "PyTorch is installed, but does not load: no libcudnn."),
    ):

        def refuse(name: str, error: Exception = error) -> object:
            raise error

        monkeypatch.setattr(torch, "import_module", refuse)
        assert torch.prepare(given) == Unavailable("torch", "PyTorch", text)
    made = torch.prepare(problem("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr"}))
    assert made == Unavailable("torch", "PyTorch", "PyTorch is not compared here yet for sums of sparse matrices.")


def relational(text: str, sparse: str, dtype: str = "float32") -> Problem:
    """Edges that count 1 each."""
    given = problem(text, {sparse: "csf"}, dtype, {"r": 3, "i": 6, "j": 7, "k": 4, "l": 5})
    edges = given.operands[sparse]
    assert isinstance(edges, Entries)
    return replace(given, operands={**given.operands, sparse: replace(edges, values=np.ones_like(edges.values))})


RELATIONAL = "Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l)"


@pytest.mark.parametrize(("text", "sparse"), [(RELATIONAL, "A"), ("Y(i,l) = W(l,r,k) * X(k,j) * A(i,j,r)", "A")])
def test_pyg_computes_its_layer_where_somebody_installed_it(
    text: str, sparse: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", cast("ModuleType", torch_stand_in))
    for name in ("torch_geometric", "torch_geometric.nn"):
        monkeypatch.setitem(sys.modules, name, cast("ModuleType", pyg_stand_in))
    given = relational(text, sparse)
    made = pyg.prepare(given)
    check(made, given)
    assert isinstance(made, Contender)
    assert made.note is not None
    assert made.note.startswith("RGCNConv of PyG 0 with torch 0, 2 threads; every edge counts 1")


def test_pyg_says_why_it_takes_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    given = relational(RELATIONAL, "A")
    for error, text in (
        (ModuleNotFoundError("", name="torch_geometric"), "PyG is not installed. It is optional; install torch and"),
        (ModuleNotFoundError("", name="torch"), "PyG is not installed. It is optional; install torch and"),
        (OSError("no libgomp"), "PyG is installed, but does not load: no libgomp."),
    ):

        def refuse(name: str, error: Exception = error) -> object:
            raise error

        monkeypatch.setattr(pyg, "import_module", refuse)
        made = pyg.prepare(given)
        assert isinstance(made, Unavailable)
        assert made.reason.startswith(text)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (problem("y(i) = A(i,j) * x(j)", {"A": "csr"}), "PyG has a layer for relational graphs, Y(i,l) = A(r,i,j) *"),
        (relational(RELATIONAL, "A", "float64"), "RGCNConv adds up float32; this program uses float64."),
        (problem(RELATIONAL, {"A": "csf"}, "float32", {**SIZES, "r": 2}), "RGCNConv has no values of edges; A has"),
        (problem(RELATIONAL, {}, "float32", {**SIZES, "r": 2}), "A is dense; RGCNConv needs a list of edges."),
        (relational(RELATIONAL, "X"), "A is dense; RGCNConv needs a list of edges."),
        (problem(RELATIONAL, {"A": "csf", "X": "csr"}, "float32", {**SIZES, "r": 2}), "X is sparse; RGCNConv needs"),
    ],
)
def test_pyg_says_what_it_lacks(given: Problem, reason: str) -> None:
    made = pyg.prepare(given)
    assert isinstance(made, Unavailable)
    assert made.reason.startswith(reason)


def test_cusparse_says_that_there_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "missing", lambda: "CuPy is not installed")
    made = cusparse.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "csr"}))
    assert made == Unavailable("cusparse", "cuSPARSE", "No GPU: CuPy is not installed.")


def test_cusparse_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "missing", lambda: None)
    made = cusparse.prepare(problem("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": "csf"}))
    assert made == Unavailable("cusparse", "cuSPARSE", "cuSPARSE is not compared here yet for this expression.")


@pytest.mark.parametrize("text", ["y(j) = A(i,j) * x(i)", "C(i,k) = A(i,j) * B(j,k)"])
def test_cusparse_takes_its_fastest_algorithm(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cusparse_stand_in.cusparse(monkeypatch, gpu_machine(monkeypatch))
    given = problem(text, {"A": "csr"})
    made = cusparse.prepare(given)
    check(made, given)
    assert isinstance(made, Contender)
    assert made.note is not None
    assert re.match(r"SPM[VM]_CSR_ALG\d(, analysed)?, on the GPU; ", made.note)


def test_cusparse_says_why_it_takes_no_algorithm(monkeypatch: pytest.MonkeyPatch) -> None:
    library = cusparse_stand_in.cusparse(monkeypatch, gpu_machine(monkeypatch))
    library.refuses = set(cusparse_library.SPMV.algorithms.values())
    made = cusparse.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "csr"}))
    assert isinstance(made, Unavailable)
    reason = "cuSPARSE refuses these operands: SPMV_CSR_ALG1 (CUSPARSE_STATUS_NOT_SUPPORTED), SPMV_CSR_ALG1, analysed"
    assert made.reason.startswith(reason)


def test_cusparse_may_be_missing_where_cupy_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "missing", lambda: None)
    monkeypatch.setitem(sys.modules, "cupy_backends.cuda.libs", None)
    made = cusparse.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "csr"}))
    assert isinstance(made, Unavailable)
    assert made.reason.startswith("cuSPARSE cannot be loaded: ")


def test_the_registry_has_the_names_that_plans_use() -> None:
    assert set(BASELINES) == {"scipy", "mkl", "numpy", "cusparse", "torch", "pyg"}
    assert set(RunSpec().baselines) <= set(BASELINES)


@pytest.mark.parametrize("baseline", BASELINES.values(), ids=lambda baseline: baseline.name)
def test_a_baseline_is_offered_under_the_title_of_its_times(baseline: Baseline) -> None:
    prepared = baseline.prepare(problem("y(i) = A(i,j) * x(j)", {"A": "csr"}))
    assert (prepared.id, prepared.label) == (baseline.name, baseline.title)
