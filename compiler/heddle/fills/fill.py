"""A *fill* is the value of what a tensor does not store: 0 unless somebody says otherwise, any value of the dtype.

Missing values are a fill of NaN, which must be equal to itself here: an element that is NaN is then not stored, and two
tensors that are filled with NaN agree. So nothing compares fills with ``==``; it asks here. A fill of -0.0 is
the fill 0, as an element of -0.0 is one that a sparse format leaves out.
"""

from __future__ import annotations

import math
from typing import TypeGuard

Fill = int | float | complex | bool

SPELLED = ("inf", "-inf", "nan")
"""Fills that JSON has no numbers for, as the texts that stand for them."""


def is_fill(value: object) -> TypeGuard[Fill]:
    """Whether ``value`` is a number or a truth value of Python."""
    return isinstance(value, bool | int | float | complex)


def plain(value: object) -> object:
    """A scalar of NumPy as the number of Python that it is; anything else as it is."""
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "ndim", None) == 0 else value


def canonical_value(value: Fill) -> Fill:
    """The form in which equal values are equal objects of Python: one NaN, no -0.0, no complex number that is real."""
    if isinstance(value, complex):
        if math.isnan(value.real) or math.isnan(value.imag):
            return math.nan
        return value if value.imag else canonical_value(value.real)
    if isinstance(value, float):
        return math.nan if math.isnan(value) else value or 0.0
    return value


def same_value(left: Fill | None, right: Fill | None) -> bool:
    """Whether both are the same value, NaN the same as NaN."""
    return left == right or (is_nan(left) and is_nan(right))


def is_nan(value: object) -> bool:
    """Whether a number is not a number."""
    return isinstance(value, float | complex) and value != value


def spelled_fill(fill: Fill) -> int | float | bool | str:
    """The fill as JSON has it: a number, a truth value, or a text for what is no number there."""
    if isinstance(fill, complex):
        return str(fill).strip("()")
    if isinstance(fill, float) and not math.isfinite(fill):
        return str(fill)
    return fill


_INTEGERS = range(-(2**63), 2**64)
"""Those of all dtypes."""
_LONGEST = 64
"""Characters of a complex number."""


def read_fill(value: object) -> Fill | None:
    """The fill that a document or a person spells, in its canonical form; None for what is none.

    A whole float is an integer where a dtype has it, and an integer that none has is a float: JSON has one kind of
    number, so ``10000000000000000000`` and ``1e19`` are the same fill.
    """
    if isinstance(value, str):
        return _parse_spelling(value)
    if not is_fill(value) or isinstance(value, bool):
        return value if isinstance(value, bool) else None
    fill = canonical_value(value)
    if isinstance(fill, float) and math.isfinite(fill) and fill.is_integer() and int(fill) in _INTEGERS:
        return int(fill)
    if isinstance(fill, int) and fill not in _INTEGERS:
        try:
            return float(fill)
        except OverflowError:
            return None
    return fill


def _parse_spelling(text: str) -> Fill | None:
    if text in SPELLED:
        return canonical_value(float(text))
    if len(text) > _LONGEST or not text.endswith("j"):
        return None
    try:
        return read_fill(complex(text))
    except ValueError:
        return None
