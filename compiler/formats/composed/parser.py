"""Text to composition: ``[name =] layout [where test and test …] + …``, or the macro ``hyb(c,k,r)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from compiler.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from compiler.formats.composed.macros import MAX_BUCKET, hyb
from compiler.formats.composed.quantities import MAX_RANGES
from compiler.formats.composed.tests_parser import parse_test
from compiler.formats.format import Format, Level
from compiler.formats.parts import Composition, FormatPart, Test
from compiler.formats.printer import format_text

MAX_PARTS = 16
_HYB = re.compile(r"\s*hyb\s*(?:\(([^()]*)\))?\s*$", re.IGNORECASE)
_NAMED = re.compile(r"\s*([A-Za-z]\w*)\s*=(?!=)")
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_AND = re.compile(r"\band\b", re.IGNORECASE)

Layout = Callable[[str, int, str], Format]
"""Parses the format of one part."""


def is_composed(text: str) -> bool:
    """Whether ``text`` is a sum of parts rather than one format."""
    return len(_split(text)) > 1 or _WHERE.search(text) is not None or _HYB.match(text) is not None


def parse_composition(text: str, order: int, tensor: str, layout: Layout) -> Format:
    """The format of ``tensor``, which has ``order`` dimensions, with its composition.

    Raises CompileError: ``format/parts-count``, ``format/bucket``, ``format/parts``, ``format/part-name``,
    ``format/unreached-part``, ``format/too-narrow``, ``format/left-over``, ``format/quantity``, and what ``layout``
    raises; locations count characters of ``text``.
    """
    macro = _HYB.match(text)
    if macro is not None:
        composition = _macro(macro, order, tensor)
    else:
        composition = Composition(tuple(_named(list(_parts(text, order, tensor, layout)), text, tensor)))
        _check(composition, text, order, tensor)
    repeated = Level("compressed", unique=order < 2)
    inner = (Level("singleton", unique=number == order - 1) for number in range(1, order))
    return Format((repeated, *inner), tuple(range(order)), composition)


def _macro(found: re.Match[str], order: int, tensor: str) -> Composition:
    place = Location(Part.FORMAT, found.start(), found.end(), tensor=tensor)
    if order != 2:
        raise CompileError(
            Diagnostic(
                "format/order-mismatch",
                f"hyb is a format of matrices, but {tensor} has {order} dimensions",
                place,
                expected="a matrix",
                found=f"{order} dimensions",
                hint="other orders take parts with tests, such as `coo where length <= 2 + csf`",
            )
        )
    words = [word.strip() for word in (found.group(1) or "").split(",") if word.strip()]
    whole = words[-1:] == ["whole"]
    numbers = words[: len(words) - whole]
    if len(numbers) not in (2, 3):
        raise CompileError(
            Diagnostic(
                "format/hyb",
                f"hyb has two numbers: how many ranges the columns of {tensor} are cut into, and the largest bucket, "
                f"two to the power of which are its slots; a third one cuts the rows into ranges for workers, and "
                f"`whole` behind them keeps longer rows whole",
                place,
                expected="hyb(2,3), hyb(2,3,64) or hyb(1,3,whole)",
                found=found.group(0).strip(),
                fixes=_use(tensor, "hyb(1,3)", "hyb(1,3,whole)"),
            )
        )
    ranges = _number(numbers[0], 1, MAX_RANGES, "format/parts-count", "number of column ranges", place, tensor)
    bucket = _number(numbers[1], 0, MAX_BUCKET, "format/bucket", "largest bucket", place, tensor)
    row_ranges = "number of row ranges"
    rows = _number(numbers[2], 1, MAX_RANGES, "format/parts-count", row_ranges, place, tensor) if numbers[2:] else None
    if whole and ranges != 1:
        raise CompileError(
            Diagnostic(
                "format/hyb",
                f"with `whole` a row of {tensor} lies in one part, so columns cannot be cut into {ranges} ranges",
                place,
                expected="one range of columns",
                found=str(ranges),
                fixes=_use(tensor, f"hyb(1,{bucket},whole)", f"hyb({ranges},{bucket})"),
            )
        )
    return hyb(ranges, bucket, rows, whole)


def _number(word: str, least: int, most: int, code: str, what: str, place: Location, tensor: str) -> int:
    if re.fullmatch(r"[0-9]{1,9}", word) and least <= int(word) <= most:
        return int(word)
    raise CompileError(
        Diagnostic(
            code,
            f"`{word}` is no {what} of {tensor}",
            place,
            expected=f"a whole number from {least} to {most}",
            found=f"`{word}`",
        )
    )


def _parts(text: str, order: int, tensor: str, layout: Layout) -> Iterator[tuple[str | None, int, FormatPart]]:
    """Each part with the name it was given and where it starts."""
    pieces = _split(text)
    if len(pieces) > MAX_PARTS:
        raise CompileError(
            Diagnostic(
                "format/parts",
                f"the format of {tensor} has {len(pieces)} parts, the limit is {MAX_PARTS}",
                Location(Part.FORMAT, pieces[MAX_PARTS][0], len(text), tensor=tensor),
                expected=f"at most {MAX_PARTS} parts",
                found=str(len(pieces)),
                hint="hyb(c,k) has a part for each bucket, whatever c is",
            )
        )
    for start, piece in pieces:
        given = _NAMED.match(piece)
        name, skipped = (given.group(1), given.end()) if given is not None else (None, 0)
        where = _WHERE.search(piece)
        written = piece[skipped : where.start() if where is not None else len(piece)]
        if not written.strip():
            raise CompileError(
                Diagnostic(
                    "format/empty",
                    f"a part of the format of {tensor} is empty",
                    Location(Part.FORMAT, start, start + max(1, len(piece)), tensor=tensor),
                    expected="a format on both sides of +, and in front of where",
                    found="nothing",
                )
            )
        format = _shifted(layout, written, start + skipped, order, tensor)
        tests = () if where is None else tuple(_tests(piece, start, where.end(), order, tensor))
        yield name, start, FormatPart(name or _stem(format_text(format)), format, tests, name is not None)


def _shifted(layout: Layout, text: str, start: int, order: int, tensor: str) -> Format:
    """The format of one part; what is wrong with it stands at its place in the whole text, without repairs, which
    would replace the whole."""
    try:
        return layout(text, order, tensor)
    except CompileError as error:
        moved = []
        for one in error.diagnostics:
            place = one.location
            if place is not None:
                place = replace(place, start=place.start + start, end=place.end + start)
            moved.append(replace(one, location=place, fixes=()))
        raise CompileError(*moved) from None


def _tests(piece: str, start: int, first: int, order: int, tensor: str) -> Iterator[Test]:
    place = first
    for found in [*_AND.finditer(piece, first), None]:
        end = len(piece) if found is None else found.start()
        yield parse_test(piece[place:end], start + place, order, tensor)
        place = end if found is None else found.end()


def _named(parts: list[tuple[str | None, int, FormatPart]], text: str, tensor: str) -> Iterator[FormatPart]:
    """The parts under names of their own: those that were given stay."""
    given: dict[str, int] = {}
    for name, start, _ in parts:
        if name is None:
            continue
        if name in given:
            raise CompileError(
                Diagnostic(
                    "format/part-name",
                    f"two parts of {tensor} are called {name}, at characters {given[name] + 1} and {start + 1}",
                    Location(Part.FORMAT, start, len(text), tensor=tensor),
                    expected="a name of its own for each part",
                    found=f"{name} twice",
                )
            )
        given[name] = start
    taken = set(given)
    for name, _, part in parts:
        own, number = part.name, 2
        while name is None and own in taken:
            own, number = f"{part.name}_{number}", number + 1
        taken.add(own)
        yield replace(part, name=own)


def _check(composition: Composition, text: str, order: int, tensor: str) -> None:
    """A part behind one without tests gets no entry; a single one with tests has no other for what fails them; and one
    with a fixed number of slots must not admit longer rows."""
    pieces = _split(text)
    whole = Location(Part.FORMAT, 0, len(text), tensor=tensor)
    for number, part in enumerate(composition.parts[:-1]):
        if not part.tests:
            start, piece = pieces[number + 1]
            swapped = " + ".join([*(one.strip() for _, one in pieces[number + 1 :]), pieces[number][1].strip()])
            raise CompileError(
                Diagnostic(
                    "format/unreached-part",
                    f"part {number + 2} of {tensor} never gets an entry, because {part.name} in front of it takes all: "
                    "it has no `where`",
                    Location(Part.FORMAT, start, start + len(piece), tensor=tensor),
                    expected="a `where` in every part but the last",
                    found=pieces[number][1].strip(),
                    fixes=_use(tensor, swapped) if composition.parts[-1].tests else (),
                    hint="e.g. `ell(4) where slot < 4 + csr`",
                )
            )
    if len(composition.parts) == 1:
        rest = "csr" if order == 2 else "coo"
        raise CompileError(
            Diagnostic(
                "format/left-over",
                f"entries of {tensor} that fail the tests have no place to be stored in. Add a part for them.",
                whole,
                expected="a last part without `where`",
                found=text.strip(),
                fixes=_use(tensor, f"{text.strip()} + {rest}"),
            )
        )
    for part, (start, piece) in zip(composition.parts, pieces, strict=True):
        longest, slots = _admitted(part), _slots(part.format)
        if slots is not None and longest is not None and longest > slots:
            raise CompileError(
                Diagnostic(
                    "format/too-narrow",
                    f"{part.name} has {slots} slots for each row of {tensor}, but its test admits rows of up to "
                    f"{longest} entries",
                    Location(Part.FORMAT, start, start + len(piece), tensor=tensor),
                    expected=f"rows of at most {slots} entries",
                    found=f"up to {longest}",
                    fixes=_use(tensor, text.replace(f"ell({slots})", f"pieces({slots})")) if "ell(" in text else (),
                )
            )


def _slots(format: Format) -> int | None:
    """How many entries of a row it can hold."""
    last = format.levels[-1]
    rows = all(level.unique for level in format.levels[:-1])
    full = rows and last.stored is not None and last.stored.cuts_repeated
    return last.parameter if full else None


def _admitted(part: FormatPart) -> int | None:
    """The longest row that the tests of a part say it may get."""
    if any(test.quantity == "slot" for test in part.tests):
        return None
    lengths = [test.most for test in part.tests if test.quantity == "length" and not test.excluded]
    return min(lengths, default=None)


def _split(text: str) -> list[tuple[int, str]]:
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
    found = re.fullmatch(r"\s*([A-Za-z][A-Za-z0-9]*)\s*(?:\(([0-9, ]*)\))?\s*", layout)
    if found is None:
        return "part"
    numbers = [word.strip() for word in (found.group(2) or "").split(",")]
    return found.group(1) + "x".join(numbers)


def _use(tensor: str, *texts: str) -> tuple[Fix, ...]:
    return tuple(Fix(f"Use {text} for {tensor}", formats={tensor: text}) for text in texts)
