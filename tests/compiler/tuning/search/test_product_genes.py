"""The genes of dense products: a search has the tiles and the copies of the rule's schedule, and others."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.plan import Plan, TensorSpec
from heddle.tuning.facts.machine import Machine
from heddle.tuning.genes.of_program import space_of
from heddle.tuning.genes.space import Space
from heddle.tuning.search.suggest import suggest

MACHINE = Machine(2, 64, 32, 32 << 20, True, 1 << 20)
SGEMM = (
    "def sgemm(float a, float b, float(N,M) A, float(M,K) B, float(N,K) C0) -> (C) "
    "{ C(i,j) = b*C0(i,j)  C(i,j) += a*A(i,k)*B(k,j) }"
)
SHAPES: dict[str, tuple[int, ...]] = {"a": (), "b": (), "A": (70, 90), "B": (90, 50), "C0": (70, 50)}
GENES = ["product rows", "product columns", "product depth", "product packing"]


def plan_of(shapes: dict[str, tuple[int, ...]] | None = None) -> Plan:
    shapes = SHAPES if shapes is None else shapes
    return Plan(SGEMM, {name: TensorSpec(shape=shape) for name, shape in shapes.items()}, language="comprehension")


@pytest.fixture(scope="module")
def space() -> Space:
    return space_of(plan_of(), machine=MACHINE)


def test_a_program_with_a_dense_product_has_its_tiles_as_genes(space: Space) -> None:
    assert [gene.name for gene in space.genes][-4:] == GENES
    assert [gene.values for gene in space.genes][-4:] == [
        (0, 2, 3, 4, 5, 6, 7, 8, 10, 12), (32, 16, 48, 64), (0, 64), ("columns copied", "in place"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "plan",
    [
        Plan("y(i) = A(i,j) * x(j)", {"A": TensorSpec("csr", shape=(50, 50))}),
        Plan("y(i) = x(i) + z(i)", {"x": TensorSpec(shape=(50,))}),
        plan_of({}),
    ],
    ids=["sparse", "no product", "unknown sizes"],
)
def test_other_programs_have_none_of_them(plan: Plan) -> None:
    assert not {*GENES} & {gene.name for gene in space_of(plan, machine=MACHINE).genes}


def test_a_search_begins_with_the_chosen_schedule_and_with_its_tiles(space: Space) -> None:
    chosen = suggest(plan_of(), {}, MACHINE).schedule
    assert chosen in {space.plan(genome).schedule for genome in space.starts}
    (tiled,) = (space.choice(genome) for genome in space.starts if space.choice(genome)["product rows"])
    assert (tiled["product rows"], tiled["product columns"], tiled["threads"]) == (8, 32, "outermost")


def test_genes_become_tiles(space: Space) -> None:
    choice = {"product rows": 5, "product columns": 48, "product depth": 64, "product packing": "in place"}
    schedule = space.plan(space.genome(choice)).schedule
    assert {"split(j2w, j2w0, j2w1, 48)", "split(i2w, i2w0, i2w1, 5)", "split(k, k0, k1, 64)"} <= {*schedule}
    assert not any(command.startswith("precompute(B") for command in schedule)
    copied = space.plan(space.genome(choice | {"product packing": "columns copied"})).schedule
    assert "precompute(B(k,j2w), {k1, j2w1}, {kp, j2w1p}, P)" in copied
    assert not any("CPUThread" in command for command in copied)
    threads = space.plan(space.genome(choice | {"threads": "outermost"})).schedule
    assert any("CPUThread" in command for command in threads)


@pytest.mark.combinations(2, "rows", "columns", "depth", "packing")
@pytest.mark.parametrize("packing", ["columns copied", "in place"])
@pytest.mark.parametrize(("rows", "columns", "depth"), [(2, 64, 64), (7, 16, 0), (12, 48, 64)])
def test_every_tile_is_right(space: Space, rows: int, columns: int, depth: int, packing: str) -> None:
    """No size is a multiple of a tile."""
    values = {name: np.random.default_rng(2).standard_normal(shape).astype("float32") for name, shape in SHAPES.items()}
    choice = {"product rows": rows, "product columns": columns, "product depth": depth, "product packing": packing}
    kernel = hd.compile(SGEMM, language="comprehension", schedule=space.plan(space.genome(choice)).schedule)
    expected = values["b"] * values["C0"] + values["a"] * (values["A"] @ values["B"])
    np.testing.assert_allclose(kernel(**values).to_numpy(), expected, rtol=1e-4, atol=1e-4)


def test_a_product_of_one_statement_has_them_too() -> None:
    formats = {name: TensorSpec("dense,dense", shape=(64, 64)) for name in ("A", "B", "C")}
    space = space_of(Plan("C(i,j) = A(i,k) * B(k,j)", formats), machine=MACHINE)
    plan = space.plan(space.genome({"product rows": 6, "product columns": 24, "threads": "i"}))
    assert {"split(i, i0, i1, 6)", "split(j, j0, j1, 24)"} <= {*plan.schedule}
