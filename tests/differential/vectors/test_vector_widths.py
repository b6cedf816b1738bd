"""The same text on every width of registers: interpreter = C for SSE, AVX and AVX-512, by every compiler."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.interpreter import interpreter
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes.expressions import AVX2, AVX512, VectorUnit
from heddle.runtime.native import cache as kernel_cache
from tests.compiler.codegen.built_kernels import kernels_in
from tests.compiler.codegen.machines import NEEDED, Compiler, compiler, compilers, library, runs, together
from tests.compiler.codegen.native import call_of
from tests.compiler.codegen.sanitizers import under
from tests.compiler.loop_ir.problems import Problem
from tests.compiler.loop_ir.vector_kernels import COUNTS, DTYPES, Kernels, mixed
from tests.differential.vectors.vector_programs import IN_LANES, VectorProgram, programs, stairs

COMPILERS = [compiler for compiler in compilers() if compiler.name in ("gcc", "clang", "zig")]
Build = tuple[Compiler, str]


@pytest.fixture(params=COMPILERS, ids=lambda compiler: compiler.name)
def by(request: pytest.FixtureRequest) -> Compiler:
    """Each compiler of this machine."""
    assert isinstance(request.param, Compiler)
    return request.param


@pytest.fixture(params=("v2", "v3", "v4"))
def isa(request: pytest.FixtureRequest) -> str:
    """Each class of processors that this one belongs to."""
    name = str(request.param)
    if not runs(name):
        pytest.skip(f"this processor does not run x86-64-{name}")
    return name


@pytest.fixture
def machine(by: Compiler, isa: str) -> Build:
    """A compiler and a class of processors, which one program is built for."""
    return by, isa


@cache
def problems(*dtypes: str) -> tuple[Problem, ...]:
    """The hand-written kernels of elements of one size."""
    made = [problem for dtype in dtypes for count in COUNTS for problem in Kernels(dtype, count).problems()]
    return (*made, *(mixed(count) for count in (2, 4, 8, 16) if "float64" in dtypes))


def assert_right(problem: Problem, built: Path) -> None:
    arguments = problem.fresh()
    assert call_of(built, problem.function, arguments) == 0
    for name, expected in problem.expected.items():
        found = arguments[name]
        assert isinstance(found, np.ndarray)
        assert found.tobytes() == expected.tobytes(), f"{problem.name}: {found} is not {expected}"


@pytest.mark.takes_turns(8, among="whole programs")
@pytest.mark.combinations(6, "by", "isa", "dtypes")
@pytest.mark.parametrize("dtypes", [("float64",), ("float32", "int32")], ids="-".join)
def test_every_node_on_every_width(machine: Build, dtypes: tuple[str, ...]) -> None:
    """What the interpreter gives as well (tests/compiler/loop_ir/interpreter/test_vectors.py)."""
    assert set(dtypes) <= set(DTYPES)
    each = problems(*dtypes)
    functions = {problem.function.name: problem.function for problem in each}
    by, isa = machine
    built = library(together(list(functions.values())), isa, by)
    for problem in each:
        assert_right(problem, built)


def kernels_of(results: list[hd.CompileResult], machine: Build, patch: pytest.MonkeyPatch) -> Iterator[hd.Kernel]:
    by, isa = machine
    built = library(together([result.function for result in results if result.function is not None]), isa, by)

    patch.setattr(kernel_cache, "shared_library", kernels_in(built))
    yield from (hd.Kernel(result) for result in results)


@cache
def named(dtype: str) -> tuple[tuple[VectorProgram, hd.CompileResult], ...]:
    return tuple((program, program.named()) for program in programs(dtype))


@pytest.mark.takes_turns(8, among="whole programs")
@pytest.mark.combinations(6, "by", "isa", "dtype")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_whole_programs_on_every_width(machine: Build, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = named(dtype)
    kernels = kernels_of([result for _, result in made], machine, monkeypatch)
    for (program, _), kernel in zip(made, kernels, strict=True):
        for operands in program.operands():
            found = kernel(**operands).to_numpy()
            np.testing.assert_array_equal(found, program.expected(operands), err_msg=program.name)


@pytest.mark.combinations(2)
@pytest.mark.parametrize("program", programs("float64"), ids=lambda program: program.name)
def test_whole_programs_in_the_interpreter(program: VectorProgram) -> None:
    """With the smallest operands and those of the first tail."""
    kernel = hd.Kernel(program.compiled("interpreter"))
    for operands, _ in zip(program.operands(), range(2), strict=False):
        np.testing.assert_array_equal(kernel(**operands).to_numpy(), program.expected(operands))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_program_has_vectors(dtype: str) -> None:
    for _, result in named(dtype):
        assert result.source is not None
        assert "VECTOR_LANES" in result.source.text, result.plan.schedule


# ---------------------------------------------------------------------------------------------- rounded sums


def numbers(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Of different sizes, so that each order of additions rounds in its own way."""
    return rng.random(shape) * 2.0 ** rng.integers(-12, 12, shape)


def rounded(dtype: str) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [(numbers(rng, 25, 24) * (stairs() > 0)).astype(dtype), numbers(rng, 24).astype(dtype)]


@cache
def interpreted(dtype: str, unit: VectorUnit) -> bytes:
    program = VectorProgram("rounded", "y(i) = A(i,j) * x(j)", {"A": "csr"}, IN_LANES, dtype=dtype)
    a, x = rounded(dtype)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interpreter, "interpret", partial(interpret, vectors=unit))
        return hd.Kernel(program.compiled("interpreter"))(A=a, x=x).to_numpy().tobytes()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rounded_sums_of_lanes_have_the_same_bits(machine: Build, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the interpreter, and of all machines whose instructions mask vectors, or do not."""
    program = VectorProgram("rounded", "y(i) = A(i,j) * x(j)", {"A": "csr"}, IN_LANES, dtype=dtype)
    (kernel,) = kernels_of([program.named()], machine, monkeypatch)
    a, x = rounded(dtype)
    unit = AVX512 if machine[1] == "v4" else AVX2
    assert kernel(A=a, x=x).to_numpy().tobytes() == interpreted(dtype, unit)


@pytest.mark.combinations(6, "by", "isa", "dtype")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rounded_sums_of_all_counts_of_lanes(machine: Build, dtype: str) -> None:
    sums = [Kernels(dtype, count).sum_of_lanes(3 * count + 1) for count in (2, 4, 8, 16, 32)]
    by, isa = machine
    built = library(together([problem.function for problem in sums]), isa, by)
    rng = np.random.default_rng(3)
    for problem in sums * 8:
        size = problem.arguments["upper"]
        assert isinstance(size, int)
        problem.arguments.update({name: numbers(rng, size).astype(dtype) for name in ("x_vals", "z_vals")})
        expected, found = problem.fresh(), problem.fresh()
        interpret(problem.function, expected, initialised=frozenset({"y_vals"}))
        assert call_of(built, problem.function, found) == 0
        assert np.asarray(found["y_vals"]).tobytes() == np.asarray(expected["y_vals"]).tobytes(), problem.name


@pytest.mark.takes_turns(8, among="sanitizers")
@pytest.mark.combinations(6)
@pytest.mark.parametrize("isa", NEEDED)
@pytest.mark.skipif(compiler("gcc") is None, reason="the sanitizers' libraries come with gcc")
def test_vectors_are_clean_under_sanitizers(isa: str) -> None:
    """Lanes that are not kept read and write nothing, whatever a register holds."""
    if not runs(isa):
        pytest.skip(f"this processor does not run x86-64-{isa}")
    done = under("address", "tests.differential.vectors.sanitized_vectors", isa)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.split()[-1] == "clean"
    assert int(done.stdout.split()[0]) > 100
