"""The schedule of several statements as a tree of boxes with dependences
(docs/sources.toml C11): its leaves stand in the order in which the code runs them, boxes close, and everything is in
words, too."""

from __future__ import annotations

import json
from urllib.parse import quote

from playwright.sync_api import Page, expect

import heddle as hd
from e2e.accessibility import violations
from e2e.pages.explorer import Explorer
from heddle.iteration_graph.graph.printer import statement_text
from heddle.iteration_graph.graph.provenance import assignments

LAYER = """def layer(float(B,I) A, float(O,I) W, float(O) c) -> (y) {
    t(b,o) +=! A(b,i) * W(o,i)
    y(b,o) = fmaxf(t(b,o) + c(o), 0) }"""
FUSED = ["together(b, b2)", "together(o, o2)"]


def test_statements_are_fused_and_the_tree_follows(page: Page, visitor: Explorer) -> None:
    plan = {"expression": LAYER, "language": "comprehension", "view": {"understand": "tree"}}
    visitor.open(f"/#j1.{quote(json.dumps(plan))}")
    tree = page.get_by_role("region", name="Schedule tree", exact=True)
    drawn = tree.get_by_role("img")
    expect(drawn).to_have_accessible_name("t(b,o) is read as t(b2,o2), in sequence")

    visitor.open(f"/#j1.{quote(json.dumps({**plan, 'schedule': FUSED}))}")
    expect(drawn).to_have_accessible_name("t(b,o) is read as t(b,o), b: 0, o: 0")
    graph = hd.lower(LAYER, language="comprehension", schedule="; ".join(FUSED)).graphs[-1]
    leaves = tree.get_by_role("listitem").filter(has_text="Statement")
    expect(leaves).to_have_text([f"Statement {statement_text(one)}" for _, one in assignments(graph.statement)])
    dependences = tree.get_by_role("region", name="Dependences")
    expect(dependences.get_by_role("cell")).to_have_text(["t(b,o)", "t(b,o)", "b: 0, o: 0"])
    versions = tree.get_by_role("region", name="Versions")
    expect(versions.get_by_role("cell").nth(2)).to_have_text("a number")
    assert violations(page) == []

    turned = (
        LAYER.replace("fmaxf(t(b,o)", "fmaxf(t(o,b)").replace("B,I", "N,I").replace("O,I", "N,I").replace("(O)", "(N)")
    )
    visitor.open(f"/#j1.{quote(json.dumps({**plan, 'expression': turned, 'schedule': FUSED[:1]}))}")
    visitor.expect_errors()
    said = "distance b2 - o2 forbids together(b, b2)"
    expect(drawn).to_have_accessible_name(f"t(b,o) is read as t(o2,b2): {said}")
    expect(dependences.get_by_role("cell").last).to_have_text(said)
    assert violations(page) == []

    visitor.open(f"/#j1.{quote(json.dumps({**plan, 'schedule': FUSED}))}")
    sequence = tree.get_by_role("button", name="Sequence 2 parts, one after the other")
    sequence.focus()
    page.keyboard.press("Enter")
    expect(leaves).to_have_count(0)
    expect(drawn).to_have_accessible_name("No dependences between rows")
    page.keyboard.press("Enter")
    expect(leaves).to_have_count(2)
