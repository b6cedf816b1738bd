"""What a loop computes alike in every iteration: computed once, and only where the loop would compute it."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.nodes import Array, ArrayRole, Block, Call, Const, For, Function, Load, Store, Var
from heddle.loop_ir.passes.invariant_values import invariant_values
from heddle.origin import Origin, Role

NORM = "def norm(float(N,D) I) -> (O) { Q(n) +=! I(n,d) * I(n,d)  O(n,d) = I(n,d) * rsqrt(Q(n) / D + 1e-2) }"


def text(expression: str, schedule: tuple[str, ...] = (), formats: dict[str, str] | None = None) -> str:
    result = hd.lower(expression, formats or {}, schedule)
    result.raise_errors()
    assert result.source is not None
    return result.source.text.replace("\n", " ")


def test_the_root_of_a_row_is_taken_once_for_a_row_that_threads_share() -> None:
    """gcc took it, and divided by it, once for each element: a parallel loop's body knows no ``restrict``."""
    schedule = "together(n, n2); parallelize(n, CPUThread, NoRaces); parallelize(d2, CPUVector, NoRaces)"
    kernel = hd.compile(NORM, language="comprehension", schedule=schedule)
    source = " ".join(str(kernel.source).split())
    before, loop = source.split("#pragma omp simd for (int64_t d2")
    assert "float kept = 1.0f / sqrtf((float)Q / (float)(int32_t)I2_dimension + 0.01f);" in before
    assert "O_vals[d2O] = I_vals[d2I] * kept;" in loop
    given = np.random.default_rng(0).random((5, 7), dtype="float32")
    expected = given / np.sqrt((given**2).mean(axis=1, keepdims=True) + 1e-2)
    np.testing.assert_allclose(kernel(I=given).to_numpy(), expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ("y(i,j) = A(i,j) * sqrt(s(i))", "double kept = sqrt(s_vals[i]);"),
        ("y(i,j) = A(i,j) * (1 / s(i)) + exp(t(i))", "double kept2 = exp_float64(t_vals[i]);"),
        ("y(i,j) = A(i,j) * s(i)", None),  # a product costs as little as what is kept
        ("y(i,j) = A(i,j) / s(i)", None),  # another quotient for each element
        ("y(i,j) = A(i,j) * sqrt(B(i,j))", None),
    ],
)
def test_what_costs_and_stays_the_same_moves(expression: str, kept: str | None) -> None:
    found = text(expression)
    assert ("kept" in found) is (kept is not None)
    assert kept is None or kept in found


@pytest.mark.parametrize(("stored", "moves"), [("y", True), ("x", False)])
def test_what_a_loop_stores_is_not_read_before_it(stored: str, moves: bool) -> None:
    origin = Origin(Role.COMPUTE)
    first = Load(Array("x", "float64", ArrayRole.VALS), Const(0))
    value = Call("sqrt", (first,), "float64")
    store = Store(Array(stored, "float64", ArrayRole.VALS), Var("i"), value, origin)
    loop = For("i", Const(0), Var("n"), Block((store,)), origin)
    function = Function("kernel", (), Block((loop,)))
    assert (invariant_values(function) is not function) is moves


def test_a_loop_without_an_iteration_computes_nothing_before_it() -> None:
    """Rows of a sparse matrix may be empty, and then what they would be scaled by need not exist."""
    found = text("y(i) = A(i,j) * sqrt(s(i))", formats={"A": "csr"})
    assert "if (A2_pos[i] < A2_pos[i + 1]) { double kept = sqrt(s_vals[i]);" in " ".join(found.split())


def test_a_value_under_a_condition_stays_there() -> None:
    program = "def f(float(N,D) I, float(N) s) -> (O) { O(n,d) = I(n,d) > 0 ? I(n,d) * sqrt(s(n)) : I(n,d) }"
    result = hd.lower(program, language="comprehension")
    result.raise_errors()
    assert result.source is not None
    assert "kept" not in result.source.text


def test_names_of_the_program_are_not_taken() -> None:
    found = text("kept(i,j) = A(i,j) * sqrt(s(i))")
    assert "double kept = " in found or "double kept2 = " in found
    kernel = hd.compile("y(kept,j) = A(kept,j) * sqrt(s(kept))")
    operands = {"A": np.full((2, 3), 2.0), "s": np.array([4.0, 9.0])}
    np.testing.assert_array_equal(kernel(**operands).to_numpy(), [[4.0] * 3, [6.0] * 3])


def test_behind_itself_nothing_is_left_to_do() -> None:
    function = hd.lower("y(i,j) = A(i,j) * sqrt(s(i))", {}, ()).function
    assert function is not None
    assert invariant_values(function) is function
