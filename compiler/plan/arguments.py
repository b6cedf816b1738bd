"""A Plan from the arguments of ``compile`` and ``lower`` in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import SupportsIndex

from compiler.fills.fill import plain
from compiler.formats.format import Format
from compiler.formats.printer import format_text
from compiler.frontends.table import DEFAULT_LANGUAGE
from compiler.plan.parser import parse_plan
from compiler.plan.plan import VERSION, Plan
from compiler.targets import DEFAULT_TARGET


def plan_from_arguments(
    expression: str,
    formats: Mapping[str, str | Format] | None = None,
    schedule: str | Sequence[str] = "",
    target: str = DEFAULT_TARGET,
    dtypes: Mapping[str, object] | None = None,
    shapes: Mapping[str, Sequence[SupportsIndex]] | None = None,
    fills: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    language: str = DEFAULT_LANGUAGE,
    sizes: Mapping[str, SupportsIndex] | None = None,
) -> Plan:
    """The Plan that says the same. ``dtypes`` takes names or anything that NumPy makes a dtype of; ``shapes`` takes
    any integers. Raises CompileError as :func:`compiler.plan.parse_plan` does."""
    tensors: dict[str, dict[str, object]] = {}
    for name, format in (formats or {}).items():
        tensors.setdefault(name, {})["format"] = format_text(format) if isinstance(format, Format) else format
    for name, dtype in (dtypes or {}).items():
        tensors.setdefault(name, {})["dtype"] = _dtype_name(dtype)
    for name, shape in (shapes or {}).items():
        tensors.setdefault(name, {})["shape"] = [_size(size) for size in shape]
    for name, fill in (fills or {}).items():
        tensors.setdefault(name, {})["fill"] = plain(fill)
    return parse_plan(
        {
            "version": VERSION,
            "expression": expression,
            "language": language,
            "sizes": {name: _size(size) for name, size in (sizes or {}).items()},
            "tensors": tensors,
            "schedule": schedule if isinstance(schedule, str) else list(schedule),
            "target": target,
            "options": options or {},
        }
    )


def _dtype_name(dtype: object) -> object:
    if dtype is None or isinstance(dtype, str):
        return dtype
    import numpy as np

    try:
        return np.dtype(dtype).name  # type: ignore[call-overload]
    except TypeError:
        return dtype


def _size(size: object) -> object:
    """A plain integer where ``size`` is any integer; the plan's reader says what is wrong with the rest."""
    try:
        return size if isinstance(size, bool) else index(size)  # type: ignore[arg-type]
    except TypeError:
        return size
