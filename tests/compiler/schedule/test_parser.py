"""Schedule texts to commands: spaces, places of arguments, and the text of a command back from its data."""

from __future__ import annotations

import pytest

from heddle.schedule.command import Command
from heddle.schedule.parts.selection import Selection
from heddle.schedule.primitives.apart import Apart
from heddle.schedule.primitives.assemble import Assemble
from heddle.schedule.primitives.balance import Balance
from heddle.schedule.primitives.bound import Bound
from heddle.schedule.primitives.concat import Concat
from heddle.schedule.primitives.coord import Coord
from heddle.schedule.primitives.divide import Divide
from heddle.schedule.primitives.fuse import Fuse
from heddle.schedule.primitives.inline import Inline
from heddle.schedule.primitives.mergeby import MergeBy
from heddle.schedule.primitives.parallelize import Parallelize
from heddle.schedule.primitives.pos import Pos
from heddle.schedule.primitives.precompute import Precompute
from heddle.schedule.primitives.prefetch import PrefetchAccess
from heddle.schedule.primitives.reorder import Reorder
from heddle.schedule.primitives.share import Share
from heddle.schedule.primitives.split import Split
from heddle.schedule.primitives.together import Together
from heddle.schedule.primitives.unroll import Unroll
from heddle.schedule.registry import COMMANDS
from heddle.schedule.syntax.parser import parse_command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("split(i, i0, i1, 32)", Split("i", "i0", "i1", 32)),
        ("  split ( i,i0 ,i1,32 )  ", Split("i", "i0", "i1", 32)),
        ("split(i, i0, i1, +4)", Split("i", "i0", "i1", 4)),
        ("divide(i, i0, i1, 4)", Divide("i", "i0", "i1", 4)),
        ("balance(i, i0, i1, A, 4)", Balance("i", "i0", "i1", "A", 4)),
        ("fuse(i, j, f)", Fuse("i", "j", "f")),
        ("reorder(i)", Reorder(("i",))),
        ("reorder(k, j, i)", Reorder(("k", "j", "i"))),
        ("pos(j, p, A)", Pos("j", "p", "A")),
        ("coord(p, jc)", Coord("p", "jc")),
        ("bound(i, ib, 8, MaxExact)", Bound("i", "ib", 8, "MaxExact")),
        ("precompute(A(i,j) * x(j), j, jw)", Precompute("A(i,j) * x(j)", ("j",), ("jw",))),
        ("precompute(b(i), {i, j}, {iw,jw}, w)", Precompute("b(i)", ("i", "j"), ("iw", "jw"), "w")),
        ("assemble(A, Insert)", Assemble("A", "Insert")),
        ("assemble(A, Append, false)", Assemble("A", "Append", "false")),
        ("mergeby(j, Gallop)", MergeBy("j", "Gallop")),
        ("prefetch(B(j,k), 8)", PrefetchAccess("B(j,k)", 8)),
        ("unroll(i, 4)", Unroll("i", 4)),
        ("share(i0, A[*])", Share("i0", Selection("A", ("*",)))),
        ("concat(t, A[ell4 , 0..2, 3])", Concat("t", Selection("A", ("ell4", "0..2", "3")))),
        ("inline(t)", Inline("t")),
        ("together(i, i2)", Together("i", "i2")),
        ("apart(i)", Apart("i")),
        ("parallelize(i, CPUThread, NoRaces)", Parallelize("i", "CPUThread", "NoRaces")),
    ],
)
def test_commands(text: str, command: Command) -> None:
    assert parse_command(text, 0).command == command


def test_every_command_is_parsed_by_a_case_above() -> None:
    (mark,) = [m for m in test_commands.pytestmark if m.name == "parametrize"]  # type: ignore[attr-defined]
    assert {text.strip().partition("(")[0].strip() for text, _ in mark.args[1]} >= set(COMMANDS)


def test_places_of_arguments() -> None:
    text = " parallelize( i0 ,CPUThread,  NoRaces )"
    parsed = parse_command(text, 3)
    places = {name: parsed.location(name) for name in ("variable", "unit", "race")}
    assert {name: text[at.start : at.end] for name, at in places.items()} == {
        "variable": "i0",
        "unit": "CPUThread",
        "race": "NoRaces",
    }
    whole = parsed.location(None)
    assert (whole.start, whole.end, whole.command) == (0, len(text), 3)


def test_a_list_of_variables_is_one_place() -> None:
    text = "reorder(i, j , k)"
    place = parse_command(text, 0).location("variables")
    assert text[place.start : place.end] == "i, j , k"
