"""Mapping options as texts spell them, in C++ and in Python (docs/sources.toml C19):
``makeNaiveMappingOptions().tile(32, 32).mapToThreads(4, 32)``, ``MappingOptions("mlp").unroll(8)``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|#[^\n]*", re.DOTALL)
_CALL = re.compile(r"(\w+)\s*\(\s*([^()]*?)\s*\)")
_MADE = re.compile(r"make(\w+?)MappingOptions\b")
_IS = re.compile(r"MappingOptions\b|\.\s*mapTo(?:Threads|Blocks)\s*\(")


@dataclass(frozen=True, slots=True)
class Option:
    """One call: ``tile(32, 32)`` has the values 32 and 32. ``text`` is what it was written as."""

    name: str
    values: tuple[int | str, ...]
    text: str


def _options(**values: tuple[int | str, ...]) -> tuple[Option, ...]:
    whole = {"outerScheduleFusionStrategy": ("Preserve3Coincident",), **values}
    return tuple(
        Option(name, arguments, f"{name}({', '.join(map(str, arguments))})") for name, arguments in whole.items()
    )


PRESETS: Mapping[str, tuple[Option, ...]] = {
    "unmapped": _options(),
    "naive": _options(tile=(32, 32, 32), mapToThreads=(32, 8), mapToBlocks=(256, 256), unroll=(1,)),
    "singlethread": _options(tile=(1,), mapToThreads=(1,), mapToBlocks=(1,), unroll=(1,)),
    "pointwise": _options(tile=(32, 32, 32), mapToThreads=(32, 4, 4), mapToBlocks=(100, 100, 100), unroll=(128,)),
    "mlp": _options(
        outerScheduleFusionStrategy=("Max",), tile=(1,), mapToThreads=(128,), mapToBlocks=(128,), unroll=(1,)
    ),
    "convolution": _options(tile=(4, 8, 8, 8), mapToThreads=(4, 16, 4), mapToBlocks=(256, 256, 256), unroll=(1,)),
    "groupconvolution": _options(tile=(1, 1), mapToThreads=(4, 16, 4), mapToBlocks=(256, 256), unroll=(1,)),
}
"""What the presets of the published code set, besides the fusion strategy of all."""


def is_mapping_options(text: str) -> bool:
    return _IS.search(_COMMENT.sub("", text)) is not None


def read_options(text: str) -> tuple[Option, ...]:
    """The options in the order of the text, those of a preset in its place; of one that is set twice the last.

    Raises
    ------
    ValueError
        a preset that is not known, or a parenthesis that does not close.
    """
    bare = _COMMENT.sub("", text)
    if bare.count("(") != bare.count(")"):
        raise ValueError("a parenthesis is not closed")
    options: dict[str, Option] = {}
    for call in _CALL.finditer(bare):
        name, inside = call[1], call[2]
        preset = _MADE.fullmatch(name)
        if preset is not None:
            options |= _preset(preset[1], call[0])
        elif name.endswith("MappingOptions"):
            if inside:
                options |= _preset(inside.strip("\"' "), call[0])
        else:
            options.pop(name, None)
            options[name] = Option(name, _values(inside), f"{name}({inside})")
    return tuple(options.values())


def _preset(written: str, text: str) -> dict[str, Option]:
    name = re.sub(r"[^a-z]", "", written.lower())
    if name not in PRESETS:
        raise ValueError(f"{text} is not a preset: {', '.join(PRESETS)} are known")
    return {option.name: option for option in PRESETS[name]}


def _values(inside: str) -> tuple[int | str, ...]:
    words = re.findall(r"[\w:]+", inside)
    return tuple(int(word) if word.isdigit() else word.rpartition("::")[2] for word in words)
