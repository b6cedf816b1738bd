"""Expressions and literals in the generated C: precedence, conversions, numbers that read back exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from heddle.codegen.literals import literal
from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import BOOL, INDEX, Call, Cast, Const, Expr, Function, Load, Select, Store, Unary
from tests.compiler.codegen.c_lines import HALF, C, M, N, binary, value
from tests.compiler.codegen.native import call
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, ONE, ZERO, add, block, less, mul


@pytest.mark.combinations(2)
@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (mul(add(N, M), N), "(n + m) * n"),
        (add(mul(N, M), N), "n * m + n"),
        (binary("-", N, binary("-", M, N)), "n - (m - n)"),
        (binary("-", binary("-", N, M), N), "n - m - n"),
        (binary("//", N, mul(M, N)), "n / (m * n)"),
        (binary("%", binary("//", N, M), N), "n / m % n"),
        (Unary("-", Unary("-", N)), "-(-n)"),
        (Unary("-", Const(-4)), "-(-4)"),
        (binary("-", N, Const(-4)), "n - -4"),
        (Unary("-", add(N, M)), "-(n + m)"),
        (Select(less(N, M), N, Select(less(M, N), M, ZERO)), "n < m ? n : m < n ? m : 0"),
        (add(Select(less(N, M), N, M), ONE), "(n < m ? n : m) + 1"),
        (binary("min", N, add(M, ONE)), "min_int64(n, m + 1)"),
        (Load(C, N), "x1_crd[n]"),
        (mul(Load(C, N), Load(C, M)), "(int64_t)x1_crd[n] * x1_crd[m]"),
        (add(Load(C, N), ONE), "(int64_t)x1_crd[n] + 1"),
        (add(Load(C, N), M), "x1_crd[n] + m"),
        (Unary("-", Load(C, N)), "-(int64_t)x1_crd[n]"),
        (binary("//", Load(C, N), Const(8)), "x1_crd[n] / 8"),
        (mul(binary("//", Load(C, N), Const(8)), Const(8)), "(int64_t)(x1_crd[n] / 8) * 8"),
        (Cast(less(N, M), INDEX), "(n < m)"),
        (add(Cast(less(N, M), INDEX), N), "(int64_t)(n < m) + n"),
        (mul(Const(2**30), Const(4)), "(int64_t)1073741824 * 4"),
        (mul(Select(less(N, M), Load(C, N), ONE), Const(8)), "(int64_t)(n < m ? x1_crd[n] : 1) * 8"),
        (Const(-(2**63)), "(-9223372036854775807LL - 1)"),
        (Const(2**31), "2147483648LL"),
        (Cast(HALF, INDEX), "(int64_t)0.5"),
        (Cast(binary("+", HALF, HALF, "float64"), INDEX), "(int64_t)(0.5 + 0.5)"),
    ],
)
def test_index_expressions(expression: Expr, text: str) -> None:
    assert value(expression) == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (binary("&&", binary("||", less(N, M), less(M, N), BOOL), less(N, M), BOOL), "(n < m || m < n) && n < m"),
        (binary("||", binary("&&", less(N, M), less(M, N), BOOL), less(N, M), BOOL), "(n < m && m < n) || n < m"),
        (binary("&&", binary("&&", less(N, M), less(M, N), BOOL), less(N, M), BOOL), "n < m && m < n && n < m"),
        (binary("==", less(N, M), less(M, N), BOOL), "(n < m) == (m < n)"),
        (Unary("!", binary("&&", less(N, M), less(M, N), BOOL), BOOL), "!(n < m && m < n)"),
        (binary("+", less(N, M), Const(True, BOOL), BOOL), "n < m || true"),
        (binary("min", less(N, M), Const(True, BOOL), BOOL), "n < m && true"),
    ],
)
def test_conditions(expression: Expr, text: str) -> None:
    assert value(expression, BOOL) == text


@pytest.mark.parametrize(
    ("expression", "dtype", "text"),
    [
        (Call("sqrt", (HALF,), "float64"), "float64", "sqrt(0.5)"),
        (Call("abs", (Const(-0.5, "float32"),), "float32"), "float32", "fabsf(-0.5f)"),
        (Call("exp", (Const(1j, "complex64"),), "complex64"), "complex64", "cexpf(0.0f + 1.0f * I)"),
        (Call("abs", (Const(1 - 2j, "complex128"),), "float64"), "float64", "cabs(1.0 - 2.0 * I)"),
        (Call("abs", (N,), INDEX), INDEX, "abs_int64(n)"),
        (Call("abs", (Const(3, "uint8"),), "uint8"), "uint8", "3"),
        (binary("+", Const(3, "int8"), Const(4, "int8"), "int8"), "int8", "(int8_t)(3 + 4)"),
        (Unary("-", Const(3, "int16"), "int16"), "int16", "(int16_t)-3"),
        (
            binary("*", Const(2j, "complex128"), Const(1, "complex128"), "complex128"),
            "complex128",
            "(0.0 + 2.0 * I) * (1.0 + 0.0 * I)",
        ),
        (Const(complex(-0.0, math.inf), "complex128"), "complex128", "__builtin_complex(-0.0, __builtin_inf())"),
    ],
)
def test_values(expression: Expr, dtype: str, text: str) -> None:
    assert value(expression, dtype) == text


FLOAT_LITERALS = [0.1, -0.0, 1e300, 5e-324, 1 / 3, math.inf, -math.inf, math.nan, 123456789.0]


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64"])
def test_literals_read_back_exactly(dtype: str) -> None:
    with np.errstate(over="ignore"):
        values = np.array([*FLOAT_LITERALS, 0.1], dtype)
    if dtype.startswith("complex"):
        with np.errstate(invalid="ignore"):
            values = np.array([complex(a, b) for a in values.real[:6] for b in values.real[:8]], dtype)
    y = kernels.vals("y", dtype)
    body = block(*(Store(y, Const(i), Const(x.item(), dtype), COMPUTE) for i, x in enumerate(values)))
    result = np.zeros(len(values), dtype)
    assert call(Function("kernel", (kernels.output(y),), body), {"y_vals": result}) == 0
    assert result.tobytes() == values.tobytes() or np.array_equal(result, values, equal_nan=True)
    assert np.array_equal(
        np.signbit(result.real), np.signbit(values.real) | np.isnan(values.real) & np.signbit(result.real)
    )


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_extreme_integers_read_back_exactly(dtype: str) -> None:
    y = kernels.vals("y", dtype)
    limits = np.iinfo(dtype)
    body = block(
        Store(y, ZERO, Const(limits.min, dtype), COMPUTE),
        Store(y, ONE, Const(limits.max, dtype), COMPUTE),
        Store(y, Const(2), Call("abs", (Const(5, dtype),), dtype), COMPUTE),
    )
    result = np.zeros(3, dtype)
    call(Function("kernel", (kernels.output(y),), body), {"y_vals": result})
    assert result.tolist() == [limits.min, limits.max, 5]


def test_an_unknown_dtype_has_no_literal() -> None:
    with pytest.raises(InternalError, match="no literal for the dtype 'float16'"):
        literal(Const(1.0, "float16"))
