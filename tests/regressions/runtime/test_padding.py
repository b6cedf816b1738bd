"""Padding counts as not stored: formats agree where other operands are infinite or NaN."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.runtime.kernels import bound_call
from heddle.runtime.kernels.nan_search import holds_nan

FORMATS = (
    "bcsr(2,2)",
    "dbsr(2,2)",
    "dia",
    "sell-runs(2)",
    "srbcrs(2,2)",
    "ell",
    "hyb(1,2)",
    "compressed, dense",
    "csr where length >= 3 + bcsr(2,2)",
)
PROGRAMS = (
    "y(i) = A(i,j) * x(j)",
    "y(i) += A(i,j) * x(j)",
    "y(j) = A(i,j) * z(i)",
    "Y(i,k) = A(i,j) * X(j,k)",
    "Z(i,j) = A(i,j) * x(j)",
    "y(i) = A(i,j) / w(j)",
    "y(i) = A(i,j) * exp(w(j) * 1000)",
    "y(i) = any(j, A(i,j) * x(j) != 0)",
    "t(i) = A(i,j) * x(j); y(i) = min(t(i), 3)",
)
RNG = np.random.default_rng(0)
A = RNG.integers(1, 5, (6, 6)) * (RNG.random((6, 6)) < 0.25).astype(float)
OPERANDS = {
    "A": A,
    "x": np.array([1.0, np.nan, 2, 3, np.inf, 1]),
    "z": np.array([1.0, 2, np.inf, 3, 1, -np.inf]),
    "X": np.where(np.arange(18).reshape(6, 3) % 7 == 3, np.inf, 2.0),
    "w": np.array([1.0, 0, 2, 0, 1, 1]),
}


def computed(program: str, format: str, target: str) -> np.ndarray:
    formats = {"A": format, "Z": "csr"} if program.startswith("Z") else {"A": format}
    operands = {name: value for name, value in OPERANDS.items() if f"{name}(" in program}
    initial = {"y": np.ones(6)} if "+=" in program else {}
    kernel = hd.compile(program, formats, target=target, options={"convert": "automatic"})
    first = kernel(**operands, **initial).to_numpy()
    np.testing.assert_array_equal(kernel(**operands, **initial).to_numpy(), first)
    return first


@pytest.mark.parametrize("program", PROGRAMS)
def test_padding_counts_as_not_stored(program: str) -> None:
    want, accepted = computed(program, "csr", "interpreter"), 0
    for format in FORMATS:
        try:
            found = computed(program, format, "interpreter")
        except hd.CompileError:
            continue
        np.testing.assert_array_equal(found, want, err_msg=format)
        accepted += 1
    assert accepted >= 3


@pytest.mark.parametrize("format", ["bcsr(2,2)", "dia"])
@pytest.mark.parametrize("program", [PROGRAMS[0], PROGRAMS[1], PROGRAMS[7]])
def test_compiled_code_leaves_padding_out(program: str, format: str) -> None:
    np.testing.assert_array_equal(computed(program, format, "c"), computed(program, "csr", "interpreter"))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int64"])
@pytest.mark.parametrize("size", [1, 5, 70_000])
def test_nan_is_found_wherever_it_stands(dtype: str, size: int) -> None:
    values = np.full(size, -3, dtype)
    assert not holds_nan(values)
    if dtype == "int64":
        return
    values[0] = np.inf
    assert not holds_nan(values)
    for place in {0, size // 2, size - 1}:
        for nan in (np.nan, -np.nan, *([complex(0, np.nan)] if dtype.startswith("c") else [])):
            marked = values.copy()
            marked[place] = nan
            assert holds_nan(marked)


@pytest.mark.parametrize(
    ("program", "packed", "searches"),
    [
        ("y(i) = A(i,j) * x(j)", {"A", "x"}, 0),
        ("y(i) = A(i,j) * x(j)", {"A"}, 1),  # x may be written
        ("y(i) = x(j) * A(i,j)", {"x"}, 0),  # what A stores is no padding
        ("y(i) = A(i,j) * x(j) * x(j)", {"A", "x"}, 1),  # the product of finite factors may be infinite
        ("t(i) = 2 * x(i); y(i) = A(i,j) * t(j)", {"A", "x"}, 1),
    ],
)
def test_nan_is_looked_for_where_a_factor_of_padding_may_not_be_finite(
    program: str, packed: set[str], searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = list[bool]()

    def counted(values: np.ndarray, on_threads: bool) -> bool:
        found.append(holds_nan(values, on_threads))
        return found[-1]

    monkeypatch.setattr(bound_call, "holds_nan", counted)
    kernel = hd.compile(program, {"A": "dia"})
    for x, nan in ((np.arange(6.0), 0), (OPERANDS["x"], 1)):
        found.clear()
        operands = {"A": A, "x": x}
        given = {name: hd.pack(value, "dia" if name == "A" else "") for name, value in operands.items()}
        want = hd.compile(program, {"A": "csr"})(**operands).to_numpy()
        result = kernel(**{name: given[name] if name in packed else operands[name] for name in operands})
        np.testing.assert_array_equal(result.to_numpy(), want)
        assert len(found) == max(searches, nan)


def test_a_factor_of_padding_that_is_replaced_is_looked_at() -> None:
    call = hd.compile(PROGRAMS[0], {"A": "bcsr(2,2)"}).bind(A=hd.pack(A, "bcsr(2,2)"), x=hd.pack(np.ones(6)))
    np.testing.assert_array_equal(call.run().to_numpy(), A.sum(axis=1))
    for x in (OPERANDS["x"], hd.pack(OPERANDS["x"]), np.ones(6), OPERANDS["x"]):
        want = hd.compile(PROGRAMS[0], {"A": "csr"})(A=A, x=x).to_numpy()
        np.testing.assert_array_equal(call(x=x).to_numpy(), want)
