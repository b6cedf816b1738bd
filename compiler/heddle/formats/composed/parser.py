"""Text to composition: ``[name =] layout [where test and test …] + …``, or the macro ``hyb(c,k,r)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.formats.composed.macro_parser import HYB, parsed_macro, use
from heddle.formats.composed.tests_parser import parse_test
from heddle.formats.format import Format, Level
from heddle.formats.parts import Composition, FormatPart, Test

MAX_PARTS = 16
_NAMED = re.compile(r"\s*([A-Za-z]\w*)\s*=(?!=)")
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_AND = re.compile(r"\band\b", re.IGNORECASE)

Layout = Callable[[str, int, str], Format]
"""Parses the format of one part."""
Spelling = Callable[[Format], str]
"""The text of the format of one part."""


def is_composed(text: str) -> bool:
    """Whether ``text`` is a sum of parts rather than one format."""
    return len(pieces_of(text)) > 1 or _WHERE.search(text) is not None or HYB.match(text) is not None


def parse_composition(text: str, order: int, tensor: str, layout: Layout, spelling: Spelling) -> Format:
    """The format of ``tensor``, which has ``order`` dimensions, with its composition. Parts without a name are called
    by the ``spelling`` of their format.

    Raises CompileError: ``format/parts-count``, ``format/bucket``, ``format/parts``, ``format/part-name``,
    ``format/unreached-part``, ``format/too-narrow``, ``format/left-over``, ``format/quantity``, and what ``layout``
    raises; locations count characters of ``text``.
    """
    macro = HYB.match(text)
    if macro is not None:
        composition = parsed_macro(macro, order, tensor)
    else:
        composition = Composition(tuple(_name_parts(list(_parts(text, order, tensor, layout, spelling)), text, tensor)))
        _check(composition, text, order, tensor)
    repeated = Level("compressed", unique=order < 2)
    inner = (Level("singleton", unique=number == order - 1) for number in range(1, order))
    return Format((repeated, *inner), tuple(range(order)), composition)


def _parts(
    text: str, order: int, tensor: str, layout: Layout, spelling: Spelling
) -> Iterator[tuple[str | None, int, FormatPart]]:
    """Each part with the name it was given and where it starts."""
    pieces = pieces_of(text)
    if len(pieces) > MAX_PARTS:
        raise CompileError(
            Diagnostic(
                "format/parts",
                f"the format of {tensor} has {len(pieces)} parts, the limit is {MAX_PARTS}",
                Location(Part.FORMAT, pieces[MAX_PARTS][0], len(text), tensor=tensor),
                expected=f"at most {MAX_PARTS} parts",
                actual=str(len(pieces)),
                hint="hyb(c,k) has a part for each bucket, whatever c is",
                fixes=use(tensor, "hyb(1,4)") if order == 2 else (),
            )
        )
    for start, piece in pieces:
        label = _NAMED.match(piece)
        name, skipped = (label.group(1), label.end()) if label is not None else (None, 0)
        where = _WHERE.search(piece)
        written = piece[skipped : where.start() if where is not None else len(piece)]
        if not written.strip():
            raise CompileError(
                Diagnostic(
                    "format/empty",
                    f"a part of the format of {tensor} is empty",
                    Location(Part.FORMAT, start, start + max(1, len(piece)), tensor=tensor),
                    expected="a format on both sides of +, and before where",
                    actual="nothing",
                    fixes=use(tensor, rest) if (rest := _write(pieces, order)) else (),
                )
            )
        format = _shift(layout, written, start + skipped, order, tensor)
        tests = () if where is None else tuple(_tests(text, piece, start, where.end(), order, tensor))
        yield name, start, FormatPart(name or _stem(spelling(format)), format, tests, name is not None)


def _write(pieces: list[tuple[int, str]], order: int) -> str:
    """The parts that are not empty, and one for the rest where the last one has a test."""
    nonempty = [piece.strip() for _, piece in pieces if _WHERE.split(piece)[0].strip()]
    rest = [_rest(order)] if nonempty and _WHERE.search(nonempty[-1]) else []
    return " + ".join([*nonempty, *rest])


def _rest(order: int) -> str:
    """A format for what fails all tests."""
    return "csr" if order == 2 else "coo"


def _shift(layout: Layout, text: str, start: int, order: int, tensor: str) -> Format:
    """The format of one part; what is wrong with it stands at its place in the whole text, without repairs, which
    would replace the whole."""
    try:
        return layout(text, order, tensor)
    except CompileError as error:
        moved = []
        for diagnostic in error.diagnostics:
            place = diagnostic.location
            if place is not None:
                place = replace(place, start=place.start + start, end=place.end + start)
            moved.append(replace(diagnostic, location=place, fixes=()))
        raise CompileError(*moved) from None


def _tests(text: str, piece: str, start: int, first: int, order: int, tensor: str) -> Iterator[Test]:
    place = first

    def make_fix(changed: str, from_: int, to: int) -> tuple[Fix, ...]:
        return use(tensor, f"{text[:from_]}{changed}{text[to:]}")

    for separator in [*_AND.finditer(piece, first), None]:
        end = len(piece) if separator is None else separator.start()
        yield parse_test(piece[place:end], start + place, order, tensor, make_fix)
        place = end if separator is None else separator.end()


def _name_parts(parts: list[tuple[str | None, int, FormatPart]], text: str, tensor: str) -> Iterator[FormatPart]:
    """The parts under names of their own: those that were given stay."""
    name_starts: dict[str, int] = {}
    for name, start, _ in parts:
        if name is None:
            continue
        if name in name_starts:
            raise CompileError(
                Diagnostic(
                    "format/part-name",
                    f"two parts of {tensor} are called {name}, at characters {name_starts[name] + 1} and {start + 1}",
                    Location(Part.FORMAT, start, len(text), tensor=tensor),
                    expected="a name of its own for each part",
                    actual=f"{name} twice",
                    fixes=use(tensor, f"{text[:start]}{text[start:].replace(name, f'{name}_2', 1)}"),
                )
            )
        name_starts[name] = start
    reserved = set(name_starts)
    for name, _, part in parts:
        unique_name, number = part.name, 2
        while name is None and unique_name in reserved:
            unique_name, number = f"{part.name}_{number}", number + 1
        reserved.add(unique_name)
        yield replace(part, name=unique_name)


def _check(composition: Composition, text: str, order: int, tensor: str) -> None:
    """A part behind one without tests gets no entry; a single one with tests has no other for what fails them; and one
    with a fixed number of slots must not admit longer rows."""
    pieces = pieces_of(text)
    whole = Location(Part.FORMAT, 0, len(text), tensor=tensor)
    for number, part in enumerate(composition.parts[:-1]):
        if not part.tests:
            start, piece = pieces[number + 1]
            swapped = " + ".join(
                [*(part_text.strip() for _, part_text in pieces[number + 1 :]), pieces[number][1].strip()]
            )
            raise CompileError(
                Diagnostic(
                    "format/unreached-part",
                    f"part {number + 2} of {tensor} never gets an entry, because {part.name} before it takes all: "
                    "it has no `where`",
                    Location(Part.FORMAT, start, start + len(piece), tensor=tensor),
                    expected="a `where` in every part but the last",
                    actual=pieces[number][1].strip(),
                    fixes=use(tensor, swapped if composition.parts[-1].tests else pieces[number][1].strip()),
                    hint="e.g. `ell(4) where slot < 4 + csr`",
                )
            )
    if len(composition.parts) == 1:
        raise CompileError(
            Diagnostic(
                "format/left-over",
                f"entries of {tensor} that fail the tests have no place to be stored in. Add a part for them.",
                whole,
                expected="a last part without `where`",
                actual=text.strip(),
                fixes=use(tensor, f"{text.strip()} + {_rest(order)}"),
            )
        )
    for part, (start, piece) in zip(composition.parts, pieces, strict=True):
        longest, slots = _bound_row(part), _slots(part.format)
        if slots is not None and longest is not None and longest > slots:
            raise CompileError(
                Diagnostic(
                    "format/too-narrow",
                    f"{part.name} has {slots} slots for each row of {tensor}, but its test admits rows of up to "
                    f"{longest} entries",
                    Location(Part.FORMAT, start, start + len(piece), tensor=tensor),
                    expected=f"rows of at most {slots} entries",
                    actual=f"up to {longest}",
                    fixes=use(tensor, text.replace(f"ell({slots})", f"pieces({slots})")) if "ell(" in text else (),
                )
            )


def _slots(format: Format) -> int | None:
    """How many entries of a row it can hold."""
    last = format.levels[-1]
    rows = all(level.unique for level in format.levels[:-1])
    full = rows and last.stored is not None and last.stored.cuts_repeated
    return last.parameter if full else None


def _bound_row(part: FormatPart) -> int | None:
    """The longest row that the tests of a part say it may get."""
    if any(test.quantity == "slot" for test in part.tests):
        return None
    lengths = [test.most for test in part.tests if test.quantity == "length" and not test.excluded]
    return min(lengths, default=None)


def pieces_of(text: str) -> list[tuple[int, str]]:
    """What stands between the ``+`` outside of parentheses, with its offset."""
    pieces, start, depth = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "+" and depth <= 0:
            pieces.append((start, text[start:place]))
            start = place + 1
    return [*pieces, (start, text[start:])]


def _stem(layout: str) -> str:
    """A name for a part: ``ell4`` of ``ell(4)``, ``bcsr4x4`` of ``bcsr(4,4)``."""
    match = re.fullmatch(r"\s*([A-Za-z][A-Za-z0-9]*)\s*(?:\(([0-9, ]*)\))?\s*", layout)
    if match is None:
        return "levels"  # and not part: the loops over parts of rows are called i_part
    numbers = [word.strip() for word in (match.group(2) or "").split(",")]
    return match.group(1) + "x".join(numbers)
