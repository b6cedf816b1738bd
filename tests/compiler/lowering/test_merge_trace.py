"""``a = b * c + d`` over three sparse vectors: the lattice's loops, and which branch each coordinate takes."""

from __future__ import annotations

import numpy as np

import heddle as hd
from heddle.explorer.views import compile_view
from heddle.loop_ir.interpreter.trace import ScalarEvent, StoreEvent
from heddle.loop_ir.nodes import Store, While
from heddle.loop_ir.printing.expression_text import expression_text
from heddle.loop_ir.walk import statements
from tests.compiler.lowering.traced import Array, Traced, traced, values

EXPRESSION = "a(i) = b(i) * c(i) + d(i)"
SPARSE = dict.fromkeys("bcd", "sparse")


def vector(*coordinates: int) -> Array:
    found = np.zeros(6)
    found[list(coordinates)] = np.arange(2, 2 + len(coordinates))
    return found


B, C, D = vector(0, 2, 5), vector(2, 3, 5), vector(1, 2, 4)


def branches(done: Traced) -> list[tuple[int, str | None]]:
    """Every visited coordinate with what was stored there (None: nothing)."""
    found: list[tuple[int, str | None]] = []
    for event in done.events:
        if isinstance(event, ScalarEvent) and event.name == "i":
            found.append((int(event.value.real), None))
        elif isinstance(event, StoreEvent):
            store = done.statement(event)
            assert isinstance(store, Store)
            assert event.index == found[-1][0]
            found[-1] = (event.index, expression_text(store.value, structured=True))
    return found


def test_lattice_points_in_the_order_of_their_loops() -> None:
    (lattice,) = compile_view(hd.lower(EXPRESSION, SPARSE))["lattices"]
    assert lattice["variable"] == "i"
    assert [(point["iterators"], point["expression"]) for point in lattice["points"]] == [
        (["b(i)", "c(i)", "d(i)"], "b(i) * c(i) + d(i)"),
        (["b(i)", "c(i)"], "b(i) * c(i)"),
        (["d(i)"], "d(i)"),
    ]


def test_one_loop_per_point() -> None:
    function = hd.lower(EXPRESSION, SPARSE).function
    assert function is not None
    conditions = [expression_text(s.condition) for s in statements(function.body) if isinstance(s, While)]
    assert conditions == ["ib < ib_end and ic < ic_end and id < id_end", "ib < ib_end and ic < ic_end", "id < id_end"]


def test_branches_taken() -> None:
    done = traced(EXPRESSION, SPARSE, (), (6,), b=B, c=C, d=D)
    both = "b.vals[ib] * c.vals[ic]"
    assert branches(done) == [
        (0, None),  # b alone
        (1, "d.vals[id]"),
        (2, f"{both} + d.vals[id]"),
        (3, None),  # c alone
        (4, "d.vals[id]"),  # the last of d: the loop over all three ends
        (5, both),  # the loop over b and c; the one over d is not entered
    ]
    np.testing.assert_array_equal(done.result, B * C + D)


def test_the_loops_over_fewer_operands_finish_what_is_left() -> None:
    done = traced(EXPRESSION, SPARSE, (), (6,), b=vector(0), c=vector(0), d=vector(1, 3, 5))
    assert values(list(done.events), "i") == [0, 1, 3, 5]
    np.testing.assert_array_equal(done.result, vector(0) * vector(0) + vector(1, 3, 5))
