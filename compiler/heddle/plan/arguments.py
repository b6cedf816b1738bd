"""A Plan from the arguments of ``compile`` and ``lower`` in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import SupportsIndex

from heddle.fills.fill import plain
from heddle.formats.format import Format
from heddle.formats.printer import format_text
from heddle.frontends.table import DEFAULT_LANGUAGE
from heddle.plan.parser import parse_plan
from heddle.plan.plan import VERSION, Plan
from heddle.targets import DEFAULT_TARGET
from heddle.wrong_arguments import require_mapping, wrong_argument


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
    any integers. Raises CompileError as :func:`heddle.plan.parse_plan` does."""
    tensors: dict[str, dict[str, object]] = {}
    for name, format in require_mapping(formats, "formats").items():
        tensors.setdefault(name, {})["format"] = format_text(format) if isinstance(format, Format) else format
    for name, dtype in require_mapping(dtypes, "dtypes").items():
        tensors.setdefault(name, {})["dtype"] = _dtype_name(dtype)
    for name, shape in require_mapping(shapes, "shapes").items():
        tensors.setdefault(name, {})["shape"] = _sizes(shape)
    for name, fill in require_mapping(fills, "fills").items():
        tensors.setdefault(name, {})["fill"] = plain(fill)
    return parse_plan(
        {
            "version": VERSION,
            "expression": expression,
            "language": language,
            "sizes": {name: _size(size) for name, size in require_mapping(sizes, "sizes").items()},
            "tensors": tensors,
            "schedule": _elements(schedule),
            "target": target,
            "options": require_mapping(options, "options"),
        }
    )


def resolve_plan(
    expression_or_plan: object,
    formats: Mapping[str, str | Format] | None,
    schedule: str | Sequence[str],
    target: str,
    dtypes: Mapping[str, object] | None,
    shapes: Mapping[str, Sequence[SupportsIndex]] | None,
    fills: Mapping[str, object] | None,
    options: Mapping[str, object] | None,
    language: str,
    sizes: Mapping[str, SupportsIndex] | None,
) -> Plan:
    """The Plan of an expression with the other arguments; a Plan, or the document of one, stands for itself."""
    match expression_or_plan:
        case str():
            return plan_from_arguments(
                expression_or_plan, formats, schedule, target, dtypes, shapes, fills, options, language, sizes
            )
        case Plan():
            return expression_or_plan
        case Mapping():
            return parse_plan(expression_or_plan)
        case _:
            raise wrong_argument("the program", "an expression, a plan or its document", expression_or_plan)


def _dtype_name(dtype: object) -> object:
    if dtype is None or isinstance(dtype, str):
        return dtype
    import numpy as np

    try:
        return np.dtype(dtype).name  # type: ignore[call-overload]
    except (TypeError, ValueError, SyntaxError, RuntimeError):  # NumPy asks objects for their text
        return dtype


def _sizes(shape: object) -> object:
    """A list of plain integers where ``shape`` has elements."""
    elements = _elements(shape)
    return [_size(size) for size in elements] if isinstance(elements, list) else elements


def _elements(value: object) -> object:
    """The list of its elements where ``value`` has some in an order; the plan's reader says what is wrong with the
    rest."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        return value
    try:
        return [*value]
    except TypeError:  # an array of NumPy without dimensions
        return value


def _size(size: object) -> object:
    """A plain integer where ``size`` is any integer; the plan's reader says what is wrong with the rest."""
    try:
        return size if isinstance(size, bool) else index(size)  # type: ignore[arg-type]
    except TypeError:
        return size
