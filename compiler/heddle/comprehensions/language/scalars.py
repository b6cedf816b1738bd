"""The types of values: how they are written, and what they become together (docs/sources.toml C7).

Promotion is that of the language, not NumPy's: an integer beside a float takes the float's type, of two floats the
wider one counts, and integers of different signs become a signed one of the wider width.
"""

from __future__ import annotations

from heddle.diagnostics import nearest

SCALARS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "int": "int32",
    "byte": "uint8",
    "bool": "bool",
    "float16": "float16",
    "float32": "float32",
    "float64": "float64",
    **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
"""By the word that is written: NumPy's name."""

ALLOWED = "float, double, int, byte, bool, int8 to int64 or uint8 to uint64"
"""The types that a person may write, in words; ``float32`` and ``float64`` are other names of the first two."""

_OTHER_SYSTEMS = {
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "uint": "uint32",
    "float16": "float",
    "bfloat": "float",
    "bfloat16": "float",
    "longlong": "int64",
}
"""Types of C and NumPy that the language calls otherwise, or has not."""


def type_hint(name: str) -> str:
    """What to write in the place of ``name``, which is not a type."""
    if name.startswith("complex"):
        return f"numbers are real, of type {ALLOWED}: hold real and imaginary parts as two tensors"
    words = tuple(word for word, dtype in SCALARS.items() if dtype != "float16")
    meant = _OTHER_SYSTEMS.get(name) or next(iter(nearest(name, words, 1, 0.6)), None)
    return f"a type is {ALLOWED}" + (f"; did you mean {meant}?" if meant else "")


WORDS = {"float32": "float", "float64": "double", "int32": "int"}
"""The word for a type, where it is not NumPy's."""


def word(dtype: str) -> str:
    """The type as it is written."""
    return WORDS.get(dtype, dtype)


def is_float(dtype: str) -> bool:
    return dtype.startswith("float")


def is_integer(dtype: str) -> bool:
    return "int" in dtype


def bits(dtype: str) -> int:
    return 1 if dtype == "bool" else int("".join(letter for letter in dtype if letter.isdigit()))


def match_types(left: str, right: str) -> str:
    """The type that two values are brought to."""
    if left == right:
        return left
    if is_float(left) or is_float(right):
        if is_float(left) and is_float(right):
            return left if bits(left) >= bits(right) else right
        return left if is_float(left) else right
    if "bool" in (left, right):
        return right if left == "bool" else left
    unsigned = left.startswith("u") and right.startswith("u")
    return f"{'u' if unsigned else ''}int{max(bits(left), bits(right))}"


def narrows(source: str, target: str) -> bool:
    """Whether values of ``source`` lose something in ``target``."""
    rank = {"bool": 0, "uint": 1, "int": 1, "float": 2}
    kinds = [
        next(rank[kind] for kind in ("bool", "uint", "int", "float") if dtype.startswith(kind))
        for dtype in (source, target)
    ]
    return kinds[0] > kinds[1] or (kinds[0] == kinds[1] and bits(source) > bits(target))


NO_INDEX = -(2**31)
"""What a float is as an index that fits into no integer: NaN, infinities, and what is too large. C does not say."""


def fits(dtype: str) -> tuple[float, float]:
    """Floats between these two, both excluded, become integers of this type by leaving out their fraction."""
    width = bits(dtype)
    least, most = (0, 2**width) if dtype.startswith("u") else (-(2 ** (width - 1)), 2 ** (width - 1))
    return float(least - 1) if width < 32 or not least else float(least), float(most)
