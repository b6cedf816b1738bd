"""What a graph or a function is asked again and again is found once, and is never the answer about another one."""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import Forall, Where
from heddle.iteration_graph.graph.provenance import assignments, find_assignments, operand_accesses
from heddle.loop_ir.walk import all_statements, statements
from heddle.pipeline import lower
from heddle.plan import Plan

TWO = "def f(float(N,M) A, float(M) x) -> (y) { t(i) +=! A(i,j) * x(j)  y(i) = t(i) * A(i,0) }"


def test_assignments_and_accesses_below_each_statement_are_those_of_its_own() -> None:
    graph = lower(Plan(TWO, language="comprehension")).graph
    assert graph is not None
    whole = graph.statement
    assert isinstance(whole, Where)
    for statement in (whole, whole.producer, whole.consumer):
        for _ in range(2):
            assert list(find_assignments(graph, statement)) == [assign for _, assign in assignments(statement)]
    names = [[access.tensor for access in operand_accesses(graph, one)] for one in (whole.producer, whole.consumer)]
    assert names == [["A", "x"], ["A"]]
    assert operand_accesses(graph, whole) == (
        *operand_accesses(graph, whole.producer),
        *operand_accesses(graph, whole.consumer),
    )


def test_a_statement_at_the_place_in_memory_of_another_has_its_own_answer() -> None:
    graph = lower(Plan(TWO, language="comprehension")).graph
    assert graph is not None
    whole = graph.statement
    assert isinstance(whole, Where)
    loop = whole.consumer
    assert isinstance(loop, Forall)
    expected, of_whole = find_assignments(graph, loop), find_assignments(graph, whole)
    assert expected != of_whole
    for key, found in [*graph.memo.items()]:
        if key[1:] == (id(whole),):
            graph.memo[key[0], id(loop)] = found  # as if the whole had been at the place of the loop
    assert find_assignments(graph, loop) == expected


def test_the_statements_of_a_function_are_found_once() -> None:
    function = lower(Plan(TWO, language="comprehension")).function
    assert function is not None
    found = all_statements(function)
    assert found is all_statements(function)
    assert [*found] == [*statements(function.body)]
