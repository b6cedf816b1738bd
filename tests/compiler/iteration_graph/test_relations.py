"""The formulas of every provenance relation, on numbers: bounds down, recovery of originals and of derived, hulls."""

from __future__ import annotations

from itertools import product

import pytest

from heddle.formats.format import Cut
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.relation import Block, Coordinates, Relation
from heddle.iteration_graph.relations.balance import BalanceRelation
from heddle.iteration_graph.relations.block import BlockRelation
from heddle.iteration_graph.relations.bound import BoundRelation
from heddle.iteration_graph.relations.coord import CoordinateRelation
from heddle.iteration_graph.relations.divide import DivideRelation
from heddle.iteration_graph.relations.fuse import FuseRelation
from heddle.iteration_graph.relations.position import PositionRelation
from heddle.iteration_graph.relations.sorted import SortedRelation
from heddle.iteration_graph.relations.split import SplitRelation
from heddle.notation.nodes import Access
from tests.compiler.iteration_graph.numbers import A, Numbers, bounds, interval, number

RANGES = [(0, 0), (0, 1), (0, 12), (0, 13), (5, 13), (8, 16), (3, 4)]


def split(size: int = 4) -> SplitRelation:
    return SplitRelation(0, "i", "i0", "i1", size)


@pytest.mark.parametrize(
    ("whole", "tiles"),
    [((0, 13), (0, 4)), ((0, 12), (0, 3)), ((0, 0), (0, 0)), ((5, 13), (1, 4)), ((8, 16), (2, 4)), ((3, 4), (0, 1))],
)
def test_split_bounds(whole: tuple[int, int], tiles: tuple[int, int]) -> None:
    """i0 ∈ [⌊i_min / t⌋, ⌈i_max / t⌉) and i1 ∈ [0, t): tiles are aligned to multiples of t, not to i_min."""
    place = Numbers(domains={"i": whole})
    assert bounds(split().domain("i0", place)) == tiles
    assert bounds(split().domain("i1", place)) == (0, 4)


def test_split_recovers_both_ways() -> None:
    place = Numbers(values={"i0": 3, "i1": 2}, domains={"i": (0, 16)})
    split().recover(place)
    assert place.values["i"] == 14
    known = Numbers(values={"i": 14, "i0": 3})
    assert number(split().derive("i0", known)) == 3
    assert number(split().derive("i1", known)) == 2


@pytest.mark.parametrize(("whole", "guarded"), [((0, 16), []), ((4, 12), []), ((0, 13), ["i"]), ((2, 16), ["i"])])
def test_split_guards_only_ranges_that_tiles_do_not_fill(whole: tuple[int, int], guarded: list[str]) -> None:
    place = Numbers(values={"i0": 1, "i1": 0}, domains={"i": whole})
    split().recover(place)
    assert place.guarded == guarded


def test_split_hull() -> None:
    assert bounds(split().hull("i", {"i0": interval(2, 3), "i1": interval(0, 4)}, Numbers())) == (8, 12)
    assert bounds(split().hull("i", {"i0": interval(1, 4), "i1": interval(0, 4)}, Numbers())) == (4, 16)


@pytest.mark.parametrize(
    ("whole", "size"), [((0, 13), 4), ((0, 12), 3), ((0, 0), 0), ((0, 1), 1), ((5, 13), 2), ((3, 4), 1)]
)
def test_divide_bounds(whole: tuple[int, int], size: int) -> None:
    """t = ⌈i_size / n⌉, from where the range starts."""
    place = Numbers(domains={"i": whole})
    relation = DivideRelation(0, "i", "i0", "i1", 4)
    assert bounds(relation.domain("i0", place)) == (0, 4)
    assert bounds(relation.domain("i1", place)) == (0, size)


@pytest.mark.parametrize("whole", RANGES)
@pytest.mark.parametrize("parts", [1, 2, 5])
@pytest.mark.parametrize("kind", ["split", "divide"])
def test_tiles_visit_every_coordinate_once(kind: str, parts: int, whole: tuple[int, int]) -> None:
    """The derived variables over their domains, guarded, give the range of the original, in order."""
    relation = split(parts) if kind == "split" else DivideRelation(0, "i", "i0", "i1", parts)
    outer = relation.domain("i0", Numbers(domains={"i": whole}))
    found = []
    for i0 in range(*bounds(outer)):
        for i1 in range(*bounds(relation.domain("i1", Numbers(values={"i0": i0}, domains={"i": whole})))):
            place = Numbers(values={"i0": i0, "i1": i1}, domains={"i": whole})
            relation.recover(place)
            i = place.values["i"]
            inside = whole[0] <= i < whole[1]
            assert inside or place.guarded, "out of bounds without a guard"
            if inside:
                found.append(i)
                assert number(relation.derive("i1", Numbers({"i": i, "i0": i0}, {"i": whole}))) == i1
    assert found == list(range(*whole))


@pytest.mark.parametrize(
    ("outer", "inner", "fused"),
    [
        ((0, 4), (0, 6), (0, 24)),
        ((0, 4), (0, 0), (0, 0)),
        ((0, 0), (0, 6), (0, 0)),
        ((2, 5), (0, 4), (8, 20)),
        ((2, 5), (1, 3), (7, 15)),
        ((0, 1), (2, 5), (2, 5)),
    ],
)
def test_fuse_bounds(outer: tuple[int, int], inner: tuple[int, int], fused: tuple[int, int]) -> None:
    """f ∈ [i_min · j_size + j_min, (i_max − 1) · j_size + j_max). Senanayake et al. 2020
    have i_max · j_size + j_max for the end, a row more."""
    relation = FuseRelation(0, "i", "j", "f")
    found = bounds(relation.domain("f", Numbers(domains={"i": outer, "j": inner})))
    assert found == fused
    pairs = [
        number(relation.derive("f", Numbers({"i": i, "j": j}, {"i": outer, "j": inner})))
        for i, j in product(range(*outer), range(*inner))
    ]
    if pairs:
        assert (pairs[0], pairs[-1] + 1) == found
    assert pairs == sorted(set(pairs))


def test_fuse_recovers_by_division() -> None:
    """i = ⌊f / j_size⌋ and j = f mod j_size, for every value, in the order of the two loops."""
    relation = FuseRelation(0, "i", "j", "f")
    found = []
    for f in range(24):
        place = Numbers(values={"f": f}, domains={"i": (0, 4), "j": (0, 6)})
        relation.recover(place)
        found.append((place.values["i"], place.values["j"]))
        assert not place.guarded
    assert found == list(product(range(4), range(6)))


@pytest.mark.parametrize("row", range(4))
def test_pos_of_one_level(row: int) -> None:
    """p ∈ [pos[i], pos[i + 1]) and j = crd[p]."""
    segments = [[0, 2], [], [0, 3, 5], [1, 4]]
    relation = PositionRelation(0, "j", Positions("p", A, 2, ("j",), "j"))
    place = Numbers(values={"i": row}, positions={1: row}, domains={"j": (0, 6)})
    found = []
    for p in range(*bounds(relation.domain("p", place))):
        place.values["p"] = p
        relation.recover(place)
        found.append(place.values["j"])
    assert found == segments[row]


@pytest.mark.parametrize(
    ("window", "positions"), [((0, 6), (2, 5)), ((0, 3), (2, 3)), ((3, 4), (3, 4)), ((1, 3), (3, 3)), ((4, 9), (4, 5))]
)
def test_pos_of_a_tile_is_searched(window: tuple[int, int], positions: tuple[int, int]) -> None:
    """p ∈ [searchceil(j_min), search(j_max − 1) + 1): the positions of row 2 with a coordinate in the window."""
    relation = PositionRelation(1, "j1", Positions("p", A, 2, ("j",), "j1"))
    place = Numbers(positions={1: 2}, windows={"j1": window}, domains={"j": (0, 6)})
    assert bounds(relation.domain("p", place)) == positions


def test_pos_of_a_fused_variable_walks_the_whole_level() -> None:
    """Every position of the last level; j is loaded, i is the row whose segment holds the position."""
    relation = PositionRelation(1, "f", Positions("p", A, 1, ("i", "j"), "i"))
    place = Numbers()
    assert bounds(relation.domain("p", place)) == (0, 7)
    found = []
    for p in range(7):
        place.values["p"] = p
        relation.recover(place)
        found.append((place.values["i"], place.values["j"]))
    assert found == [(0, 0), (0, 2), (2, 0), (2, 3), (2, 5), (3, 1), (3, 4)]


@pytest.mark.parametrize(
    ("type", "bound", "domain", "holds", "guarded"),
    [
        ("MaxExact", 8, (0, 8), True, []),
        ("MaxExact", 9, (0, 9), False, []),
        ("MaxConstraint", 9, (0, 9), True, ["i"]),
        ("MaxConstraint", 7, (0, 7), False, ["i"]),
        ("MinExact", 0, (0, 8), True, []),
        ("MinExact", 1, (1, 8), False, []),
        ("MinConstraint", 0, (0, 8), True, ["i"]),
        ("MinConstraint", 1, (1, 8), False, ["i"]),
    ],
)
def test_bound(type: str, bound: int, domain: tuple[int, int], holds: bool, guarded: list[str]) -> None:
    """One end becomes a constant; the claim about i ∈ [0, 8) is what the kernel checks."""
    relation = BoundRelation(0, "i", "ib", bound, type)
    place = Numbers(values={"ib": 3}, domains={"i": (0, 8)})
    assert bounds(relation.domain("ib", place)) == domain
    relation.recover(place)
    assert place.values["i"] == 3
    assert place.guarded == guarded
    claim = relation.claim(place)
    assert claim is not None
    assert bool(number(claim.condition)) is holds


COORDINATES = CoordinateRelation(1, "p", "jc", Positions("p", A, 2, ("j",), "j"))


@pytest.mark.parametrize(("window", "found"), [((2, 5), (0, 6)), ((3, 5), (3, 6)), ((4, 5), (5, 6)), ((7, 7), (0, 0))])
def test_coordinates_run_from_the_first_position_to_the_last(window: tuple[int, int], found: tuple[int, int]) -> None:
    assert bounds(COORDINATES.domain("jc", Numbers(windows={"p": window}))) == found


@pytest.mark.parametrize(("coordinate", "position", "skipped"), [(0, 2, []), (3, 3, []), (4, 4, ["jc"]), (5, 4, [])])
def test_a_coordinate_finds_its_position(coordinate: int, position: int, skipped: list[str]) -> None:
    place = Numbers(values={"jc": coordinate}, windows={"p": (2, 5)})
    COORDINATES.recover(place)
    assert (place.values["p"], place.guarded) == (position, skipped)


ROWS = Access("A", ("i", "j"))
EVERY_RELATION: tuple[Relation, ...] = (
    split(),
    DivideRelation(0, "i", "i0", "i1", 4),
    FuseRelation(0, "i", "j", "f"),
    BoundRelation(0, "i", "ib", 8, "MaxExact"),
    BalanceRelation(0, "i", "i0", "i1", ROWS, 4, Access("B", ("j", "k"))),
    PositionRelation(0, "j", Positions("p", ROWS, 2, ("j",), "j")),
    COORDINATES,
    BlockRelation.of(Block("i", "i_block", "i_inner", Cut(0, size=4), Access("A", ("i", "j")), ("A",))),
    SortedRelation("i", "i_place", ROWS),
)


def by_kind(relation: Relation) -> str:
    return relation.kind


@pytest.mark.parametrize("relation", EVERY_RELATION, ids=by_kind)
def test_renamed_it_is_the_same_relation_between_other_variables(relation: Relation) -> None:
    variables = (*relation.parents, *relation.children)
    other = relation.rename({variable: f"{variable}w" for variable in variables})
    assert (*other.parents, *other.children) == tuple(f"{variable}w" for variable in variables)
    assert (other.kind, other.command) == (relation.kind, relation.command)
    assert other.rename({f"{variable}w": variable for variable in variables}) == relation
    assert relation.rename({}) == relation


def test_what_relations_answer_for_themselves() -> None:
    assert {r.kind for r in EVERY_RELATION if not r.monotone} == {"fuse", "sorted"}
    assert {r.kind for r in EVERY_RELATION if not r.ascending} == {"sorted"}
    assert {r.kind: r.uneven for r in EVERY_RELATION if r.uneven is not None} == {"balance": "i1"}
    assert {r.kind for r in EVERY_RELATION if r.block is not None} == {"block"}
    assert {r.kind for r in EVERY_RELATION if r.command is None} == {"block", "sorted"}
    assert {r.kind: type(r.space) for r in EVERY_RELATION if r.space} == {"pos": Positions, "coord": Coordinates}
    derived = {r.kind: [child for child in r.children if r.derives(child)] for r in EVERY_RELATION}
    assert {kind for kind, children in derived.items() if not children} == {"pos", "coord", "sorted"}
    assert derived["balance"] == ["i1"]
