"""Loops over positions: what has none, and what they cannot be asked for."""

from __future__ import annotations

from tests.errors.refusals.refused import Refused

POSITIONS = (
    Refused(
        "schedule/fuse-of-positions",
        (
            "`fuse(p0, p1, g)`: p0 runs over positions, and how many there are differs from one iteration of p0 "
            "to the next. Fuse the coordinate variables first, then use pos on the fused one."
        ),
        "p0",
        "Remove fuse(p0, p1, g)",
        schedule=("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 4)", "fuse(p0, p1, g)"),
    ),
    Refused(
        "schedule/already-positions",
        "`pos(p, q, A)`: p already runs over positions.",
        "p",
        "Remove pos(p, q, A)",
        schedule=("pos(j, p, A)", "pos(p, q, A)"),
    ),
    Refused(
        "schedule/not-in-access",
        "`pos(i, p, x)`: i does not index x(j), so it has no positions there.",
        "x",
        "Remove pos(i, p, x)",
        schedule=("pos(i, p, x)",),
    ),
    Refused(
        "schedule/not-in-access",
        "`pos(i, p, x)`: i does not index x(j), so it has no positions there.",
        "x",
        "Write pos(i, p, A)",
        schedule=("pos(i, p, x)",),
        formats={"A": "dcsr"},
    ),
    Refused(
        "schedule/pos-of-dense",
        (
            "`pos(j, p, x)`: level 1 of x (variable j) is dense: every coordinate is stored, so positions and "
            "coordinates are the same. Split j itself instead, or store the level compressed."
        ),
        "x",
        "Write pos(j, p, A)",
        schedule=("pos(j, p, x)",),
    ),
    Refused(
        "schedule/pos-of-dense",
        (
            "`pos(i, p, A)`: level 1 of A (variable i) is dense: every coordinate is stored, so positions and "
            "coordinates are the same. Split i itself instead, or store the level compressed."
        ),
        "A",
        "Remove pos(i, p, A)",
        schedule=("pos(i, p, A)",),
    ),
    Refused(
        "schedule/pos-of-tile",
        "`pos(f, p, A)`: j0 is a tile of j; its positions are not contiguous. Use pos first, then split.",
        "f",
        "Remove pos(f, p, A)",
        schedule=("split(j, j0, j1, 4)", "fuse(i, j0, f)", "pos(f, p, A)"),
        formats={},
    ),
    Refused(
        "schedule/bound-of-positions",
        (
            "`bound(p, b, 8, MaxExact)`: p runs over positions, whose range differs from one segment to the next:"
            " no single number bounds it. Bound a coordinate variable."
        ),
        "p",
        "Remove bound(p, b, 8, MaxExact)",
        schedule=("pos(j, p, A)", "bound(p, b, 8, MaxExact)"),
    ),
    Refused(
        "schedule/not-consecutive-levels",
        "`pos(f, p, B)`: f fuses i, j, but B is stored j→i: its positions follow that order.",
        "B",
        "Remove pos(f, p, B)",
        schedule=("fuse(i, j, f)", "pos(f, p, B)"),
        expression="C(i,j) = A(i,j) * B(i,j)",
        formats={"A": "dense", "B": "dense : 1,0"},
    ),
    Refused(
        "schedule/not-positions",
        "`coord(j, jc)`: j already runs over coordinates; coord goes back from the positions that pos makes.",
        "j",
        "Remove coord(j, jc)",
        schedule=("coord(j, jc)",),
    ),
    Refused(
        "schedule/bound-of-positions",
        "`bound(jc, b, 8, MaxExact)`: jc runs over the coordinates of a range of positions, which differs from one "
        "segment to the next: no single number bounds it. Bound a variable that does not come from positions.",
        "jc",
        "Remove bound(jc, b, 8, MaxExact)",
        schedule=("pos(j, p, A)", "coord(p, jc)", "bound(jc, b, 8, MaxExact)"),
    ),
    Refused(
        "schedule/coord-of-tile",
        "`coord(p0, jc)`: p0 counts tiles of the positions of A; only single positions have a coordinate.",
        "p0",
        "Write coord(p1, jc)",
        schedule=("pos(j, p, A)", "split(p, p0, p1, 4)", "coord(p0, jc)"),
    ),
    Refused(
        "schedule/coord-of-level",
        "`coord(p, jc)`: level 2 of A is ragged, which counts its coordinates and does not store them: there is none "
        "to search for. Leave out pos and coord, or store the level compressed.",
        "p",
        "Remove coord(p, jc)",
        schedule=("pos(j, p, A)", "coord(p, jc)"),
        formats={"A": "dense, ragged"},
    ),
    Refused(
        "schedule/coord-of-fused",
        "`coord(p, jc)`: p runs over positions of i, j together: the coordinates j start over in each segment of A, "
        "so there is no first and no last one. Use pos on j alone, then coord.",
        "p",
        "Remove coord(p, jc)",
        schedule=("fuse(i, j, f)", "pos(f, p, A)", "coord(p, jc)"),
    ),
    Refused(
        "schedule/pos-of-coord",
        "`pos(jc, q, A)`: jc comes from the positions p of A by coord; it cannot be turned into positions again. Use p "
        "itself, without coord.",
        "jc",
        "Remove pos(jc, q, A)",
        schedule=("pos(j, p, A)", "coord(p, jc)", "pos(jc, q, A)"),
    ),
)
