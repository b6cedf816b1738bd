"""The schedule as a tree, with the dependences between its statements."""

from __future__ import annotations

import compiler as hd
from compiler.iteration_graph.analysis.schedule_tree import tree_text
from tests.compiler.comprehensions.programs import CASES


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
