"""Text to format: presets (``csr``), TACO's letters (``ds:1,0``), long forms (``dense, compressed(nonunique) : 1,0``).

A dimension order after a colon replaces the one that a preset has: ``csr : 1,0`` is CSC.
"""

from __future__ import annotations

import functools
import re
from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part, nearest
from heddle.formats.composed.parser import is_composed, parse_composition
from heddle.formats.composed.shortened import shorten_format
from heddle.formats.format import Format, Level
from heddle.formats.limits import MAX_BLOCK, MAX_LENGTH
from heddle.formats.presets import PRESETS, presets_for
from heddle.formats.printer import format_text, level_text
from heddle.formats.storage.level_storage import LevelNumber
from heddle.formats.vocabulary import FLAGS, KINDS, LETTERS

_NUMBERED = re.compile(r"\s*([a-z][a-z0-9]*(?:-[a-z]+)*)\s*(?:\(([^()]*)\)\s*)?$")
MEANT = {"sparse": "compressed"}
"""Words of TACO's C++ interface for a level, and what they are here."""
_MEANT = re.compile(r"\b(?:" + "|".join(MEANT) + r")\b", re.IGNORECASE)
_BLOCKS = re.compile(r"(?:blocks?|blocked|tiles?|tiled|bsr)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?")
"""What others call ``bcsr``."""
_LEVEL = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:\(([^()]*)\)\s*)?$")


@functools.lru_cache(maxsize=1024)
def parse_format(text: str, order: int, tensor: str) -> Format:
    """The format that ``text`` spells for ``tensor``, which has ``order`` dimensions.

    Raises CompileError: ``format/empty``, ``format/too-long``, ``format/unknown``, ``format/unknown-property``,
    ``format/order-mismatch`` or ``format/bad-order``, and those of a composition (``composed/parser.py``); its location
    counts characters of ``text``.
    """
    if len(text) > MAX_LENGTH:
        raise CompileError(
            Diagnostic(
                "format/too-long",
                f"the format of {tensor} has {len(text)} characters, the limit is {MAX_LENGTH}",
                Location(Part.FORMAT, MAX_LENGTH, len(text), tensor=tensor),
                expected=f"at most {MAX_LENGTH} characters",
                actual=f"{len(text)} characters",
                fixes=shorten_format(text, tensor, MAX_LENGTH),
            )
        )
    return (
        parse_composition(text, order, tensor, _layout, format_text)
        if is_composed(text)
        else _layout(text, order, tensor)
    )


def _layout(text: str, order: int, tensor: str) -> Format:
    """The format of a tensor that is stored in one part."""
    levels_text, colon, order_text = text.partition(":")
    if _MEANT.search(text) and "," in levels_text:
        raise CompileError(_with_meant_words(text, levels_text, order, tensor))
    if not levels_text.strip():
        raise CompileError(
            Diagnostic(
                "format/empty",
                f"the format of {tensor} is empty",
                Location(Part.FORMAT, 0, len(text), tensor=tensor),
                expected="the name of a format, or a list of levels",
                actual="nothing",
                candidates=_names_for(order),
            )
        )
    format = _levels(levels_text, order, tensor)
    if not colon:
        return format
    return Format(format.levels, _dimension_order(order_text, len(levels_text) + 1, format, tensor))


def _levels(text: str, order: int, tensor: str) -> Format:
    """The part before the colon; without a colon the dimension order is the preset's, or 0,1,…"""
    word = text.strip().lower()
    preset = next((preset for preset in PRESETS if preset.name == word), None)
    if preset is not None:
        if preset.order not in (None, order) or order < preset.least:
            raise CompileError(_order_mismatch(text, order, tensor, f"`{word}`", preset.order or preset.least))
        return preset.instance(order)
    numbered = _parse_numbered(text, order, tensor)
    if numbered is not None:
        return numbered
    if order == 2 and (blocks := _BLOCKS.fullmatch(word)) is not None:
        raise CompileError(_block(text, blocks, tensor))
    if "," not in word and "(" not in word and word not in KINDS:
        if set(word) <= set(LETTERS):
            levels = tuple(LETTERS[letter] for letter in word)
        else:
            raise CompileError(_unknown(text, 0, order, tensor))
    else:
        levels = _long_form(text, order, tensor)
    stored = sum(level.stores_dimension for level in levels)
    if stored != order:
        if stored < order <= stored + sum(level.counts_parts for level in levels):
            raise CompileError(_parts_alone(text, levels, tensor))
        raise CompileError(_order_mismatch(text, order, tensor, f"`{text.strip()}`", stored))
    return Format(levels, _natural(levels))


def _natural(levels: tuple[Level, ...]) -> tuple[int, ...]:
    """The dimensions one by one, and then again for the coordinates inside the blocks. Slots are numbered for the
    dimension that is stored next below them."""
    plain, sized, parted = 0, 0, 0
    order: list[int] = []
    for level in levels:
        order.append(parted if level.counts_parts else plain if level.size is None else sized)
        plain += level.stores_dimension
        sized += level.size is not None
        parted += level.counts_parts
    return tuple(order)


def _parse_numbered(text: str, order: int, tensor: str) -> Format | None:
    """``bcsr(4,4)``: a preset's name with numbers of its own; None where the text is none."""
    match = _NUMBERED.match(text.lower())
    named = [p for p in PRESETS if p.numbers and match is not None and p.stem == match.group(1)]
    if not named or match is None:
        return None
    if named[0].order not in (None, order):
        raise CompileError(_order_mismatch(text, order, tensor, f"`{text.strip()}`", named[0].order or 0))
    words = [word.strip() for word in match.group(2).split(",")] if match.group(2) else []
    preset = next((p for p in named if p.numbers == len(words)), named[0])
    if len(words) != preset.numbers:
        counts = " or ".join(_count(p.numbers) for p in named)
        raise CompileError(
            Diagnostic(
                "format/block-sizes",
                f"{preset.stem} has {counts} in parentheses, as in {' and '.join(p.name for p in named)} "
                f"(format of {tensor})",
                Location(Part.FORMAT, match.start(1), match.end(), tensor=tensor),
                expected=counts,
                actual=f"{len(words)}",
                fixes=_use(tensor, *(p.name for p in named)),
            )
        )
    sizes = [None for level in preset.levels if level.size is not None]
    counted = [*sizes, *(kind.number for level in preset.levels if level.parameter and (kind := level.stored))]
    numbers = tuple(
        _number(word, match.start(2), match.end(2), tensor, number) for word, number in zip(words, counted, strict=True)
    )
    return preset.instance(order, numbers)


def _count(numbers: int) -> str:
    return "1 number" if numbers == 1 else f"{numbers} numbers"


def _number(word: str, start: int, end: int, tensor: str, number: LevelNumber | None) -> int:
    """The number of a kind that has one of its own, or else the size of a block, that a word spells."""
    what, largest = ("size of a block", MAX_BLOCK) if number is None else (number.noun, number.most)
    if re.fullmatch(r"[0-9]{1,9}", word) and 0 < int(word) <= largest:
        return int(word)
    raise CompileError(
        Diagnostic(
            "format/block-size",
            f"`{word}` is not a valid {what} (format of {tensor})",
            Location(Part.FORMAT, start, end, tensor=tensor),
            expected=f"a whole number from 1 to {largest}",
            actual=f"`{word}`",
        )
    )


def _long_form(text: str, order: int, tensor: str) -> tuple[Level, ...]:
    levels: list[Level] = []
    for start, piece in _split(text):
        match = _LEVEL.match(piece)
        if match is None or match.group(1).lower() not in KINDS:
            raise CompileError(_unknown(piece, start, order, tensor, level=True))
        level = Level(match.group(1).lower())
        if match.group(2) is not None:
            for word in match.group(2).split(","):
                level = _with_property(level, word, start + match.start(2), match.group(2), tensor)
        levels.append(level)
    return tuple(levels)


def _split(text: str) -> list[tuple[int, str]]:
    """The pieces between the commas that stand outside parentheses, each with its offset."""
    pieces, start, depth = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            pieces.append((start, text[start:place]))
            start = place + 1
    return [*pieces, (start, text[start:])]


def _with_property(level: Level, word: str, start: int, words: str, tensor: str) -> Level:
    kind = level.stored
    if word.strip().isdigit():
        # The number of its own comes first, that of a block behind it.
        counted = None if kind is None or level.parameter is not None else kind.number
        number = _number(word.strip(), start, start + len(words), tensor, counted)
        return replace(level, size=number) if counted is None else replace(level, parameter=number)
    match FLAGS.get(word.strip().lower()):
        case ("unique", value):
            return replace(level, unique=value)
        case ("ordered", value):
            return replace(level, ordered=value)
        case ("even", value) if level.counts_parts:
            return replace(level, even=value)
        case _:
            known = tuple(word for word, (field, _) in FLAGS.items() if field != "even" or level.counts_parts)
            close = nearest(word.strip().lower(), known)
            raise CompileError(
                Diagnostic(
                    "format/unknown-property",
                    f"{level.kind} levels have no property `{word.strip()}` (format of {tensor})",
                    Location(Part.FORMAT, start, start + len(words), tensor=tensor),
                    expected="one of " + ", ".join(known),
                    actual=f"`{word.strip()}`",
                    candidates=close or known,
                )
            )


def _dimension_order(text: str, start: int, format: Format, tensor: str) -> tuple[int, ...]:
    levels, order = format.levels, format.dimensions
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    digits = [int(word) for word in words if re.fullmatch(r"[0-9]{1,3}", word)]
    if len(digits) == len(words) == len(levels):
        pairs = list(zip(levels, digits, strict=True))
        inside = [digit for level, digit in pairs if level.size is not None]
        whole = sorted(digit for level, digit in pairs if level.stores_dimension) == list(range(order))
        parted = [digit for level, digit in pairs if level.counts_parts]
        distinct = len(set(inside)) == len(inside) and len(set(parted)) == len(parted)
        if whole and distinct and set(digits) <= set(range(order)):
            return tuple(digits)
    natural = ",".join(map(str, _natural(levels)))
    backwards = ",".join(str(order - 1 - dimension) for dimension in _natural(levels))
    raise CompileError(
        Diagnostic(
            "format/bad-order",
            f"`{text.strip()}` is not an order of the dimensions of {tensor}, which has {_dimensions(order)}"
            if text.strip()
            else f"the order of the dimensions of {tensor} is empty",
            Location(Part.FORMAT, start, start + len(text), tensor=tensor),
            expected=(f"each of {natural} once" if order == len(levels) else f"an order such as {natural}")
            if order
            else "no dimension order: a scalar has no dimensions",
            actual=f"`{text.strip()}`" if text.strip() else "nothing",
            hint="list the dimensions, counted from 0, from the outermost level to the innermost" if order else None,
            candidates=(natural, backwards) if order > 1 else (),
        )
    )


def _unknown(piece: str, start: int, order: int, tensor: str, *, level: bool = False) -> Diagnostic:
    """The diagnostic for text that is not a format, or for one piece of a long form that is not a level."""
    word = piece.strip()
    formats = _names_for(order)
    names = tuple(KINDS) if level else tuple(dict.fromkeys((*formats, *KINDS)))
    close = nearest(word.lower(), names)
    what = "level kind" if level else "format"
    shown = word if len(word) <= 40 else f"{word[:37]}..."
    if word:
        message = f"there is no {what} `{shown}` (format of {tensor})"
        message += f"; did you mean {close[0]}?" if close else ""
    else:
        message = f"a level is missing in the format of {tensor}"
    several = " " in word and all(part in KINDS for part in word.lower().split())
    offset = start + len(piece) - len(piece.lstrip())
    return Diagnostic(
        "format/unknown",
        message,
        Location(Part.FORMAT, offset, offset + len(word), tensor=tensor),
        expected="one of the levels " + ", ".join(KINDS)
        if level
        else "the name of a format, a list of levels or TACO's letters",
        actual=f"`{shown}`" if word else "nothing",
        candidates=close or names,
        hint="levels are separated by commas" if several else None,
        fixes=() if level else _use(tensor, *nearest(word.lower(), tuple(formats))),
    )


def _block(text: str, blocks: re.Match[str], tensor: str) -> Diagnostic:
    """The diagnostic for a format of blocks under another name than here."""
    rows = blocks.group(1) or "4"
    name = f"bcsr({rows},{blocks.group(2) or rows})"
    return Diagnostic(
        "format/unknown",
        f"there is no format `{text.strip()}` (format of {tensor}); did you mean {name}?",
        Location(Part.FORMAT, 0, len(text), tensor=tensor),
        expected="the name of a format, a list of levels or TACO's letters",
        actual=f"`{text.strip()}`",
        candidates=(name,),
        fixes=_use(tensor, name),
    )


def _with_meant_words(text: str, levels: str, order: int, tensor: str) -> Diagnostic:
    """The diagnostic for a list of levels with TACO's own words, which a repair replaces all at once."""
    start, piece = next((start, piece) for start, piece in _split(levels) if _MEANT.search(piece))
    diagnostic = _unknown(piece, start, order, tensor, level=True)
    word = MEANT[_MEANT.search(piece).group().lower()]  # type: ignore[union-attr]
    repaired = _MEANT.sub(lambda match: MEANT[match.group().lower()], text)
    try:
        _layout(repaired, order, tensor)
        fixes = _use(tensor, repaired.strip())
    except CompileError:
        fixes = ()
    return replace(
        diagnostic,
        message=f"there is no level kind `{piece.strip()}` (format of {tensor}); did you mean {word}?",
        candidates=(word,),
        fixes=fixes,
    )


def _parts_alone(text: str, levels: tuple[Level, ...], tensor: str) -> Diagnostic:
    """What ``parts`` cuts needs a level of its own."""
    number = next(number for number, level in enumerate(levels, start=1) if level.counts_parts)
    return Diagnostic(
        "format/misplaced-level",
        f"level {number} of {tensor} cannot be {level_text(levels[number - 1])}: no level below it stores the "
        "coordinates inside the parts.",
        Location(Part.FORMAT, 0, len(text), tensor=tensor),
        expected="a level below it for the same dimension, as in `parts(8), dense, compressed : 0,0,1`",
        actual=f"`{text.strip()}`",
        fixes=_use(tensor, "parts(8), dense, compressed : 0,0,1" if len(levels) == 2 else "dense"),
    )


def _order_mismatch(text: str, order: int, tensor: str, shown: str, stored: int) -> Diagnostic:
    names = _names_for(order)
    sparse = next((name for name in names if name != "dense"), names[0])
    return Diagnostic(
        "format/order-mismatch",
        f"{tensor} has {_dimensions(order)}, but {shown} stores {stored}",
        Location(Part.FORMAT, 0, len(text), tensor=tensor),
        expected=f"a format with {order} {'level' if order == 1 else 'levels'}",
        actual=f"{shown}, which has {stored}",
        candidates=names,
        fixes=_use(tensor, *dict.fromkeys((sparse, "dense"))),
    )


def _use(tensor: str, *names: str) -> tuple[Fix, ...]:
    return tuple(Fix(f"Use {name} for {tensor}", formats={tensor: name}) for name in names)


def _names_for(order: int) -> tuple[str, ...]:
    """The names to offer for a tensor of that order: each format once, under the name that it is printed with."""
    if order == 0:
        return ("dense",)
    return tuple(preset.name for preset in presets_for(order) if format_text(preset.instance(order)) == preset.name)


def _dimensions(order: int) -> str:
    return "no dimensions" if order == 0 else "1 dimension" if order == 1 else f"{order} dimensions"
