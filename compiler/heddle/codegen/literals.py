"""Constants as C literals that read back as exactly the same value."""

from __future__ import annotations

import math

import numpy as np

from heddle.diagnostics import InternalError
from heddle.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS, real_part
from heddle.loop_ir.nodes import BOOL, Const


def literal(constant: Const) -> str:
    """The literal; a negative one starts with ``-``, a complex one is a sum and may need parentheses."""
    value, dtype = constant.value, constant.dtype
    if dtype == BOOL:
        return "true" if value else "false"
    if dtype in INTEGERS:
        return _integer(int(value.real), dtype)
    if dtype in FLOATS:
        return _float(float(value.real), dtype)
    if dtype in COMPLEX:
        return _complex(complex(value), real_part(dtype))
    raise InternalError(f"no literal for the dtype {dtype!r}")


def _integer(value: int, dtype: str) -> str:
    if dtype == "uint64" and value >= 2**31:
        return f"{value}ULL"
    if value == -(2**63):
        return "(-9223372036854775807LL - 1)"
    if -(2**31) < value < 2**31:
        return str(value)
    return f"{value}LL"


def _float(value: float, dtype: str) -> str:
    # The builtins of gcc and clang spare the kernel the cost of <math.h>.
    suffix = "f" if dtype == "float32" else ""
    if math.isnan(value):
        return f'__builtin_nan{suffix}("")'
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}__builtin_inf{suffix}()"
    return (str(np.float32(value)) if dtype == "float32" else repr(value)) + suffix


def _complex(value: complex, part: str) -> str:
    real, imaginary = _float(value.real, part), _float(value.imag, part)
    if math.isfinite(value.real) and math.isfinite(value.imag) and math.copysign(1.0, value.real) > 0:
        sign = "-" if imaginary.startswith("-") else "+"
        return f"{real} {sign} {imaginary.removeprefix('-')} * I"
    # ``a + b * I`` would lose infinities, NaNs and negative zeros.
    return f"__builtin_complex({real}, {imaginary})"
