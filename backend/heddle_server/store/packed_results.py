"""Results of runs in the database: as compressed text, in which times are numbers without their digits. Every number
comes back as it was.

Times are whole tenths of a nanosecond, and alike: of each list the bytes of equal weight stand beside each other.
"""

from __future__ import annotations

import base64
import json
import math
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import JSON, Dialect
from sqlalchemy.types import TypeDecorator

RESULT = "packed_result"
LISTS = "packed_lists"
PACKED = ("samples_ns", "flagged")
QUERIED = ("model", "state", "stopped", "conclusion")
"""What queries look into: the artifacts of decompositions, and whether a result answers for others, too."""
EARLIER = "packed_samples_ns"
FEWEST = 16
"""Of fewer numbers the packed text is longer."""
UNITS: dict[str, tuple[int, type[int] | type[float]]] = {"i1": (1, int), "f1": (1, float), "f10": (10, float)}
"""Of whole numbers, of which one float or another is a part."""


class PackedResult(TypeDecorator[dict[str, Any]]):
    """A result as the service knows it, whichever way it is stored: earlier versions packed less, or nothing."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: dict[str, Any] | None, dialect: Dialect) -> dict[str, Any] | None:
        return None if value is None else pack(value)

    def process_result_value(self, value: dict[str, Any] | None, dialect: Dialect) -> dict[str, Any] | None:
        return None if value is None else unpack(value)


def pack(result: dict[str, Any]) -> dict[str, Any]:
    """The same as one text, but for what queries look into; as it is where that is no shorter."""
    plain = {name: result[name] for name in QUERIED if name in result}
    rest = {name: value for name, value in result.items() if name not in plain}
    text = json.dumps(rest)
    short = json.dumps(_of_entries(rest, _pack_lists), separators=(",", ":"))
    packed = base64.b85encode(zlib.compress(short.encode(), 9)).decode()
    return {RESULT: packed, **plain} if len(packed) < len(text) else result


def unpack(result: dict[str, Any]) -> dict[str, Any]:
    if RESULT not in result:
        return _of_entries(result, _unpack_earlier)
    rest = json.loads(zlib.decompress(base64.b85decode(result[RESULT])))
    plain = {name: value for name, value in result.items() if name != RESULT}
    return {**_of_entries(rest, _unpack_lists), **plain}


def _of_entries(result: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    entries = result.get("entries")
    if not isinstance(entries, list):
        return result
    return {**result, "entries": [change(entry) if isinstance(entry, dict) else entry for entry in entries]}


def _pack_lists(entry: dict[str, Any]) -> dict[str, Any]:
    packed = {name: text for name in PACKED if (text := pack_numbers(entry.get(name))) is not None}
    return {**{name: value for name, value in entry.items() if name not in packed}, LISTS: packed} if packed else entry


def _unpack_lists(entry: dict[str, Any]) -> dict[str, Any]:
    if LISTS not in entry:
        return entry
    packed: Mapping[str, str] = entry[LISTS]
    rest = {name: value for name, value in entry.items() if name != LISTS}
    return {**rest, **{name: unpack_numbers(text) for name, text in packed.items()}}


def pack_numbers(values: Any) -> str | None:
    """Their unit, the least and the width, and what each has beyond the least; None where they are no such numbers, or
    too few."""
    if not isinstance(values, list) or len(values) < FEWEST:
        return None
    for unit, (parts, kind) in UNITS.items():
        if all(type(value) is kind for value in values) and all(map(math.isfinite, values)):
            whole = [round(value * parts) for value in values]
            if all(_same(number, parts, kind, value) for number, value in zip(whole, values, strict=True)):
                least = min(whole)
                width = max(1, (max(whole) - least).bit_length() + 7 >> 3)
                if width > 8 or abs(least) >= 1 << 62:
                    return None
                numbers = [struct.pack("<Q", number - least)[:width] for number in whole]
                planes = bytes(number[place] for place in range(width) for number in numbers)
                return f"{unit} {least} {width} {base64.b64encode(planes).decode()}"
    return None


def _same(number: int, parts: int, kind: Callable[[float], float], value: float) -> bool:
    """Down to the sign of a zero."""
    again = kind(number / parts)
    return again == value and math.copysign(1.0, again) == math.copysign(1.0, value)


def unpack_numbers(text: str) -> list[float]:
    unit, least, width, planes = text.split(" ")
    (parts, kind), stored = UNITS[unit], base64.b64decode(planes)
    count = len(stored) // int(width)
    places = zip(*(stored[plane * count :][:count] for plane in range(int(width))), strict=True)
    numbers = (int.from_bytes(bytes(place), "little") for place in places)
    return [kind((int(least) + number) / parts) for number in numbers]


def _unpack_earlier(entry: dict[str, Any]) -> dict[str, Any]:
    """Samples that were kept as 32-bit numbers."""
    if EARLIER not in entry:
        return entry
    planes = zlib.decompress(base64.b64decode(entry[EARLIER]))
    count = len(planes) // 4
    numbers = bytes(planes[offset * count + place] for place in range(count) for offset in range(4))
    rest = {name: value for name, value in entry.items() if name != EARLIER}
    # The shortest number that 32 bits hold as this one.
    return {**rest, PACKED[0]: [float(f"{number:.8g}") for number in struct.unpack(f"<{count}f", numbers)]}
