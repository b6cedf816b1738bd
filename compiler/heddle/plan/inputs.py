"""Where a tensor's values come from: a data set, an upload or a generator. Checked here in form; that the data set or
the generator exists is for the service to say."""

from __future__ import annotations

import re

from heddle.plan.limits import MAX_DIMENSION, MAX_ORDER, MAX_PARAMETERS
from heddle.plan.reader import Reader, child, describe

SOURCES = ("dataset", "upload", "generator")
LARGEST_PARAMETER = 2**53
"""Magnitude of a generator's parameter: the integers that JSON readers agree on."""

# A built-in one by its id; one of a public collection as collection:name, where the name may have one folder.
_WORD = r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}"
_DATASET = re.compile(rf"{_WORD}(?::{_WORD}(?:/{_WORD})?)?")
_UPLOAD = re.compile(r"sha256:[0-9a-f]{64}")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")


def read_input(reader: Reader, value: object, path: str) -> dict[str, object]:
    """One entry of ``inputs``, with whole floats as integers; an empty object after a problem."""
    entries = reader.entries(value, path, MAX_PARAMETERS)
    sources = [source for source in SOURCES if source in entries]
    if len(sources) != 1:
        if isinstance(value, dict):
            reader.problem(
                "plan/input-source",
                f"an input needs exactly one of {', '.join(SOURCES)}, found {' and '.join(sources) or 'none of them'}",
                path,
                expected="one of " + ", ".join(SOURCES),
                actual=" and ".join(sources) or "none of them",
            )
        return {}
    match sources[0]:
        case "dataset":
            reader.known_keys(entries, path, ("dataset",))
            return _read_named(reader, entries["dataset"], child(path, "dataset"), "dataset", _DATASET)
        case "upload":
            reader.known_keys(entries, path, ("upload",))
            return _read_named(reader, entries["upload"], child(path, "upload"), "upload", _UPLOAD)
        case _:
            return _generator(reader, entries, path)


def read_shape(reader: Reader, value: object, path: str) -> tuple[int, ...] | None:
    """Sizes of dimensions; zero is a size."""
    sizes = [
        reader.integer(size, child(path, place), 0, MAX_DIMENSION)
        for place, size in enumerate(reader.elements(value, path, MAX_ORDER, "sizes"))
    ]
    return None if None in sizes else tuple(size for size in sizes if size is not None)


def _read_named(reader: Reader, value: object, path: str, kind: str, pattern: re.Pattern[str]) -> dict[str, object]:
    if isinstance(value, str) and pattern.fullmatch(value):
        return {kind: value}
    expected = {
        "dataset": "the id of a data set, as bcsstk13 or suitesparse:HB/bcsstk13",
        "upload": "sha256: and 64 hexadecimal digits",
        "generator": "the name of a generator: lower-case letters, digits, dashes and underscores",
    }[kind]
    actual = describe(value)
    reader.problem(f"plan/{kind}", f"{kind} must be {expected}, found {actual}", path, expected=expected, actual=actual)
    return {}


def _generator(reader: Reader, entries: dict[str, object], path: str) -> dict[str, object]:
    result = _read_named(reader, entries["generator"], child(path, "generator"), "generator", _NAME)
    for key, value in entries.items():
        where = child(path, key)
        if key == "generator":
            continue
        if not _NAME.fullmatch(key):
            reader.problem(
                "plan/unknown-key",
                f"{describe(key)} cannot name a parameter of a generator",
                where,
                expected="lower-case letters, digits, dashes and underscores",
                actual=describe(key),
            )
        elif key == "shape":
            shape = read_shape(reader, value, where)
            result[key] = list(shape or ())
        else:
            result[key] = reader.number(value, where, LARGEST_PARAMETER)
    return result
