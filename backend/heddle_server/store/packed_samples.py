"""Results of runs in the database: JSON, of which the samples take a fraction of their digits.

All else of a result stays JSON that queries look into. Samples are times: they are kept as 32-bit numbers, which is one
part in ten million, and compressed.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable
from typing import Any

from sqlalchemy import JSON, Dialect
from sqlalchemy.types import TypeDecorator

SAMPLES, PACKED = "samples_ns", "packed_samples_ns"
FEWEST = 16
"""Of fewer numbers the packed text is longer."""


class PackedResult(TypeDecorator[dict[str, Any]]):
    """A result as the service knows it, whichever way it is stored: earlier versions packed nothing."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: dict[str, Any] | None, dialect: Dialect) -> dict[str, Any] | None:
        return _of_entries(value, pack)

    def process_result_value(self, value: dict[str, Any] | None, dialect: Dialect) -> dict[str, Any] | None:
        return _of_entries(value, unpack)


def _of_entries(
    result: dict[str, Any] | None, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any] | None:
    entries = result.get("entries") if isinstance(result, dict) else None
    if result is None or not isinstance(entries, list):
        return result
    return {**result, "entries": [change(entry) if isinstance(entry, dict) else entry for entry in entries]}


def pack(entry: dict[str, Any]) -> dict[str, Any]:
    samples = entry.get(SAMPLES)
    if not isinstance(samples, list) or len(samples) < FEWEST:
        return entry
    try:
        numbers = struct.pack(f"<{len(samples)}f", *samples)
    except (struct.error, OverflowError):  # what is not a number, or too large for one of 32 bits, stays as it is
        return entry
    # Bytes of equal weight beside each other: the leading ones of times that are alike are alike, too.
    planes = b"".join(numbers[offset::4] for offset in range(4))
    rest = {name: value for name, value in entry.items() if name != SAMPLES}
    return {**rest, PACKED: base64.b64encode(zlib.compress(planes, 9)).decode()}


def unpack(entry: dict[str, Any]) -> dict[str, Any]:
    if PACKED not in entry:
        return entry
    planes = zlib.decompress(base64.b64decode(entry[PACKED]))
    count = len(planes) // 4
    numbers = bytes(planes[offset * count + place] for place in range(count) for offset in range(4))
    rest = {name: value for name, value in entry.items() if name != PACKED}
    return {**rest, SAMPLES: [_shorten(number) for number in struct.unpack(f"<{count}f", numbers)]}


def _shorten(number: float) -> float:
    """The shortest number that 32 bits hold as this one."""
    return float(f"{number:.8g}")
