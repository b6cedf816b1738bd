"""Loops whose iterations write places of their own need no barrier between them."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, ArrayRole, Block, Const, Declare, Expr, For, LoopKind, Store, Var
from heddle.lowering.gpu.iteration_places import find_revisited
from heddle.origin import Origin, Role
from heddle.tuning.rules.gpu.mttkrp import Form, mttkrp
from tests.differential.check import check

HERE = Origin(Role.COMPUTE)
C = Array("C_vals", "float64", ArrayRole.VALS, "C")
ROWS = Array("A_crd", "int32", ArrayRole.CRD, "A", 1)
TILE, LANE = Var("tile"), Var("lane")
ROW = build.load(ROWS, LANE)


def stored(column: Expr, lanes: int = 32) -> For:
    """In tiles, each lane writes ``C[ROW, column]``."""
    place = build.add(build.mul(ROW, Var("C2_dimension")), Var("k"))
    body = Block((Declare("k", "int64", column, HERE), Store(C, place, Const(1.0, "float64"), HERE)))
    lane = For("lane", build.index(0), build.index(lanes), body, HERE, LoopKind.GPU_THREAD)
    return For("tile", build.index(0), Var("tiles"), lane, HERE)


OWN = {
    "the lanes side by side": build.add(build.mul(TILE, build.index(32)), LANE),
    "several columns for a lane": build.add(build.mul(TILE, build.index(64)), build.add(build.index(32), LANE)),
    "groups of lanes": build.add(build.mul(TILE, build.index(8)), build.modulo(LANE, build.index(8))),
    "one column for each tile": TILE,
}
SHARED = {
    "tiles overlap": build.add(build.mul(TILE, build.index(16)), LANE),
    "the tile does not count": LANE,
    "a column that data give": build.add(build.mul(TILE, build.index(32)), build.load(ROWS, LANE)),
    "a column in front of the tile": build.sub(build.mul(TILE, build.index(32)), LANE),
}


@pytest.mark.parametrize("case", OWN)
def test_each_iteration_has_places_of_its_own(case: str) -> None:
    assert find_revisited(stored(OWN[case])) == frozenset()


@pytest.mark.parametrize("case", SHARED)
def test_iterations_may_come_back_to_a_place(case: str) -> None:
    assert find_revisited(stored(SHARED[case])) == {"C_vals"}


def test_an_element_without_a_column_may_be_anywhere() -> None:
    loop = For("tile", build.index(0), Var("tiles"), Store(C, ROW, Const(1.0, "float64"), HERE), HERE)
    assert find_revisited(loop) == {"C_vals"}


TILES = mttkrp(3, Form.C, 128)
COLUMNS = {
    "SpMM": ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, ""),
    "MTTKRP": ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": "csf"}, ""),
    "MTTKRP in tiles of 128": (TILES.expression, TILES.formats, "\n".join(TILES.schedule)),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_tiles_of_columns_run_without_a_barrier_and_without_a_race(name: str) -> None:
    """The checked interpreter proves it on several tiles, the last of them not full."""
    expression, formats, schedule = COLUMNS[name]
    lowered = hd.lower(expression, formats, schedule, target="cuda")
    assert lowered.source is not None
    assert "__sync" not in lowered.source.text
    wide = {"k": 70} if name == "SpMM" else {"i": 7, "k": 5, "l": 4, "j": 150}
    check(expression, formats, "\n".join(lowered.plan.schedule), targets=("interpreter",), sizes=wide)
