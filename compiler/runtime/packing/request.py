"""What is asked of packing, for all the ways that lead there."""

from __future__ import annotations

from typing import NamedTuple

from compiler.formats.format import Format
from compiler.runtime.tensors.operands import Operand

Fill = int | float | bool


class Request(NamedTuple):
    """``operand``, which messages call ``name``, is to be stored in ``format`` with values of ``dtype``, ``fill`` being
    that of what is not stored. ``align``: a dense array that does not start at a multiple of 64 bytes is copied."""

    operand: Operand
    format: Format
    dtype: str
    fill: Fill
    name: str
    align: bool = True
