"""What is asked of packing, for all the ways that lead there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.runtime.tensors.coordinates import Array
from heddle.runtime.tensors.operands import Operand
from heddle.runtime.tensors.tensor import Tensor

Starts = Mapping[int, Array]
NO_STARTS: Starts = MappingProxyType({})


class Request(NamedTuple):
    """``operand``, which messages call ``name``, is to be stored in ``format`` with values of ``dtype``, ``fill`` being
    that of what is not stored. ``starts`` of dimensions: where the parts begin that a format with equally many entries
    in each cuts them into."""

    operand: Operand
    format: Format
    dtype: str
    fill: Fill
    name: str
    starts: Starts = NO_STARTS


Pack = Callable[[Request], Tensor]
"""Stores an operand as requested."""
