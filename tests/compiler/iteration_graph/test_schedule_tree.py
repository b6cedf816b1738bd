"""The schedule as a tree, with the dependences between its statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

import pytest

import heddle as hd
from heddle.explorer.cost_report.run import run
from heddle.explorer.views import compile_view
from heddle.iteration_graph.analysis.schedule_tree import Band, Filter, Leaf, Node, Sequence, schedule_tree, tree_text
from heddle.iteration_graph.graph.printer import statement_text
from heddle.iteration_graph.graph.provenance import assignments
from heddle.loop_ir.analysis.allocated import workspace_bytes
from heddle.loop_ir.interpreter.trace import LoopEvent
from tests.compiler.comprehensions.programs import CASES, operands


def text(program: str, schedule: str = "") -> str:
    result = hd.lower(program, language="comprehension", schedule=schedule)
    result.raise_errors()
    return tree_text(result.graphs[-1])


def test_statements_apart() -> None:
    assert text(CASES["fcrelu"].text) == (
        """Domain out_1, out_2, out
  Sequence
    Filter out_1
      Band b, o; coincident: b, o
        out_1(b,o) = bias(o)
    Filter out_2
      Band b2, o2; coincident: b2, o2
        Sequence
          Filter t
            Band i
              t += in(b2,i) * weight(o2,i)
          Filter out_2
            out_2(b2,o2) = out_1(b2,o2) + t
    Filter out
      Band b3, o3; coincident: b3, o3
        out(b3,o3) = max(out_2(b3,o3), 0)

Dependences
  out_1(b,o) → out_2: in sequence
  out_2(b2,o2) → out: in sequence"""
    )


def test_fused_with_sunk_point_loops() -> None:
    found = text(CASES["fcrelu"].text, "together(b,b2); together(b,b3); split(b,b0,b1,32); apart(b1)")
    assert found.startswith(
        "Domain out\n  Band b0; coincident: b0\n    Sequence\n      Filter out_1\n        Band b1, o;"
    )
    assert found.endswith("\n\nDependences\n  out_1(b1,o) → out_2: b0 0\n  out_2(b1w,o2) → out: b0 0")


def test_distances_in_shared_loops() -> None:
    found = text(CASES["softmax"].text, "together(n,n2); together(n,n3); together(n,n4)")
    assert found.partition("Dependences\n")[2].splitlines() == [
        "  most(n) → expsum: n 0",
        "  most(n) → O_1: n 0",
        "  expsum(n) → O: n 0",
        "  O_1(n,d3) → O: n 0",
    ]


def test_the_loops_of_the_tree_are_those_of_the_graph() -> None:
    for case in CASES.values():
        result = hd.lower(case.text, language="comprehension", sizes=dict(case.fixed))
        words = tree_text(result.graphs[-1]).replace(",", " ").replace(";", " ").split()
        for loop in result.graphs[-1].underived:
            assert loop in words


def test_the_view_has_the_leaves_in_their_order_and_who_reads_whom() -> None:
    result = hd.lower(
        CASES["fcrelu"].text, language="comprehension", schedule="together(b,b2); together(o,o2); together(b,b3)"
    )
    view = compile_view(result)["tree"]
    leaves = [row["text"] for row in view["rows"] if row["kind"] == "leaf"]
    assert leaves == [statement_text(assign) for _, assign in assignments(result.graphs[-1].statement)]
    named = {row["assignment"]: row["text"].partition("(")[0] for row in view["rows"] if row["kind"] == "leaf"}
    assert [(named[one["writer"]], named[one["reader"]], one["distances"]) for one in view["dependences"]] == [
        ("out_1", "out_2", [{"loop": "b", "distance": "0"}, {"loop": "o", "distance": "0"}]),
        ("out_2", "out", [{"loop": "b", "distance": "0"}]),
    ]
    assert "tree" not in compile_view(hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}))


@pytest.mark.parametrize(
    ("name", "schedule", "versions"),
    [
        (
            "fcrelu",
            "",
            [
                ("out_1", False, [], ["B", "O"]),
                ("t", False, [], []),
                ("out_2", False, ["out_1", "t"], ["B", "O"]),
                ("out", True, ["out_2"], ["B", "O"]),
            ],
        ),
        (
            "fcrelu",
            "together(b,b2); together(o,o2); together(b,b3)",
            [
                ("out_1", False, [], []),
                ("t", False, [], []),
                ("out_2", False, ["out_1", "t"], ["O"]),
                ("out", True, ["out_2"], ["B", "O"]),
            ],
        ),
        (
            "sgemm",
            "",
            [
                ("C_1", False, ["C_0"], ["M", "N"]),
                ("t", False, [], []),
                ("C", True, ["C_1", "t"], ["M", "N"]),
            ],
        ),
    ],
)
def test_the_view_has_versions_with_the_memory_that_the_schedule_leaves(
    name: str, schedule: str, versions: list[tuple[str, bool, list[str], list[str]]]
) -> None:
    case = CASES[name]
    result = hd.lower(case.text, language="comprehension", schedule=schedule)
    found = compile_view(result)["tree"]["versions"]
    assert [(one["name"], one["result"], one["reads"], one["dimensions"]) for one in found] == versions
    # The kernel allocates what the view says of temporaries: 7 and 5 elements in the two dimensions.
    assert result.function is not None
    sizes = {"B": 7, "O": 5, "M": 7, "N": 5}
    counted = sum(4 * prod(sizes[one] for one in dims) for _, made, _, dims in versions if not made and dims)
    names = {one.name: one for one in result.function.parameters if one.dimension is not None}
    assert result.signature is not None
    program = result.signature.program
    assert program is not None
    given = {
        name: sizes.get(str(program.operands[one.tensor][one.dimension]), 3)
        for name, one in names.items()
        if one.tensor in program.operands
    }
    assert workspace_bytes(result.function, given, 1) == counted


def test_the_view_has_the_arrow_that_forbids_a_loop() -> None:
    program = """def stencil(float(N) A) -> (y) {
        t(i) = 2 * A(i)
        y(i) = t(i) + (i + 1 < N ? t(i+1) : 0) where i in 0:N }"""
    refused = compile_view(hd.lower(program, language="comprehension", schedule="together(i, i2)"))["tree"]
    (arrow,) = refused["forbidding"]
    assert (arrow["command"], arrow["write"], arrow["read"]) == ("together(i, i2)", "t(i)", "t(i2 + 1)")
    assert (arrow["writer"], arrow["reader"], arrow["distance"]) == (0, 1, "-1")
    assert [one["distances"] for one in refused["dependences"]] == [[], []]
    assert compile_view(hd.lower(program, language="comprehension"))["tree"]["forbidding"] == []
    other = hd.lower(program, language="comprehension", schedule="together(i2, i)")
    assert not other.ok
    assert compile_view(other)["tree"]["forbidding"] == []
    for wrong in ("together(i, i2", "togetherr(i, i2)", "split(i, i0)", "together(i, none)"):
        unread = hd.lower(program, language="comprehension", schedule=("unroll(i2, 2)", wrong))
        assert not unread.ok
        assert compile_view(unread)["tree"]["forbidding"] == []


def visited(node: Node, extents: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Every iteration of every loop, as one comes by them in the tree."""
    match node:
        case Band(loops=(first, *rest), child=child):
            inner = Band(tuple(rest), (), child) if rest else child
            for value in range(extents[first]):
                yield first, value
                yield from visited(inner, extents)
        case Sequence(parts=parts):
            for part in parts:
                yield from visited(part, extents)
        case Filter(child=child):
            yield from visited(child, extents)
        case Leaf():
            return
        case _:
            raise TypeError(f"unexpected node {node!r}")


@pytest.mark.parametrize(
    ("name", "schedule"),
    [
        ("fcrelu", ""),
        ("fcrelu", "together(b,b2); together(b,b3)"),
        ("fcrelu", "together(b,b2); together(o,o2); reorder(o,b)"),
        ("softmax", "together(n,n2); together(n,n3); together(n,n4); together(d3,d4)"),
        ("kru", "together(m,m2); together(m,m3)"),
        ("2LUT", "together(i,i3)"),
    ],
)
def test_the_tree_visits_what_the_interpreter_does_in_its_order(name: str, schedule: str) -> None:
    case = CASES[name]
    result = hd.lower(case.text, language="comprehension", schedule=schedule, target="interpreter")
    done = run(result, operands(case, dict(case.sizes)))
    assert done.fault is None
    ran = [(event.variable, event.value) for event in done.events if isinstance(event, LoopEvent)]
    assert ran == list(visited(schedule_tree(result.graphs[-1]), done.sizes))
