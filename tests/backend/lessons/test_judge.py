# ruff: noqa: E501 - a case for each line
"""Submissions that are odd: each is a verdict with its reason, whatever a plan holds and wherever it is refused."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from heddle.frontends.comprehension import COMPREHENSION
from heddle.frontends.notation import NOTATION
from heddle.frontends.patterns import PATTERNS
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle_server.lessons.course import course, lesson_named
from heddle_server.lessons.data import document_of
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.judge import Verdict, judge
from heddle_server.lessons.lesson import Task
from heddle_server.lessons.predicates import cost
from heddle_server.lessons.predicates.table import TABLE
from heddle_server.lessons.predicates.trace import OF_STATEMENTS
from heddle_server.services.compiling.lesson_worker import check_document
from tests.backend.serving import Server

SEED = 3
FIRST = ("what-a-format-stores", "no-empty-rows")
ROUTE = "/api/v1/lessons/{}/tasks/{}/check"


def task_of(lesson: str, task: str) -> Task:
    found = lesson_named(lesson)
    assert found is not None
    wanted = found.task(task)
    assert wanted is not None
    return wanted


def verdict(lesson: str, task: str, **changed: Any) -> Verdict:
    wanted = task_of(lesson, task)
    document = {**document_of(wanted, SEED), **changed}
    return judge(wanted, parse_plan(document), {}, SEED)


def tensors(**specs: Any) -> dict[str, Any]:
    return {"A": {"format": "csr"}, **specs}


@pytest.mark.parametrize("lesson", [lesson.id for lesson in course()])
def test_a_plan_of_another_language_is_for_another_task(lesson: str) -> None:
    """In patterns there is no assignment, no graph and nothing to count: lanes, hints and formulas asked for them."""
    found = lesson_named(lesson)
    assert found is not None
    for task in found.tasks:
        own = parse_plan(dict(task.start)).language
        for language in (NOTATION, PATTERNS, COMPREHENSION):
            if language.name == own:
                continue
            plan = {"version": 2, "expression": language.example, "language": language.name}
            answer = json.loads(check_document(lesson, task.id, plan, {}, SEED, None))
            (check,) = answer["checks"]
            assert not answer["passed"]
            assert check["why"] == f"this task is in the language {own}, this plan in {language.name}"


@pytest.fixture(scope="module")
def of_patterns() -> Evidence:
    plan = parse_plan({"version": 2, "expression": PATTERNS.example, "language": "patterns"})
    inputs = {"A": {"generator": "dense", "shape": [6, 4]}, "xs": {"generator": "dense", "shape": [4]}}
    return Evidence(lower(plan), {}, inputs=inputs)


@pytest.mark.parametrize("name", sorted(TABLE))
def test_every_fact_of_a_program_in_patterns_is_there_or_unknown(name: str, of_patterns: Evidence) -> None:
    """What is counted by the kinds of arrays, coordinates and values, would be 0 where these are alike."""
    words = {"relation": "split", "role": "guard", "question": "row", "parameter": "A"}
    known = TABLE[name]
    given = [1.0 if kind == "number" else words.get(one, "A") for one, kind in known.parameters]
    value, why = None, ""
    try:
        value = known.find(of_patterns, *given[: len(given) - known.optional])
    except Unknown as unknown:
        why = str(unknown)
    if name.startswith(("answer.", "run.")):
        assert why or value is False
    elif name.startswith(("storage.", "graph.", "lattice.", "cost.", "cache.")) or name in OF_STATEMENTS:
        assert "patterns" in why or name in ("graph.written", "graph.has", "cost.size"), (value, why)
    else:
        assert value is not None or why, name


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"tensors": tensors(x={"dtype": "float32"})}, "this task leaves the values of x as they are: float64"),
        ({"tensors": {"A": {"format": "dcsr", "dtype": "int8"}}}, "this task leaves the values of A as they are: float64"),
        ({"tensors": {"A": {"format": "csr", "shape": [2**31, 2**31]}}}, "the shape of A comes from the data of the task: leave it out"),
        ({"tensors": {"A": {"format": "csr", "fill": 1}}}, "this task leaves what A does not store as it is: 0"),
        ({"options": {"convert": "automatic"}}, "this task leaves it as it is whether operands are converted automatically"),
        ({"expression": "y(i) = A(i,j)"}, "this task is about y(i) = A(i,j) * x(j): the expression stays as it is"),
        ({"schedule": ["split(i, i0, i1, 4)"]}, "this task leaves the schedule as it is"),
        ({"target": "cuda"}, "this task is for the target c"),
        ({"sizes": {"N": 4}}, "this task leaves the sizes that the expression names as they are"),
    ],
)  # fmt: skip
def test_what_is_not_free_is_named(changed: dict[str, Any], why: str) -> None:
    found = verdict(*FIRST, **changed)
    assert [outcome.why for outcome in found.outcomes] == [why]
    assert not found.passed


def test_defaults_that_a_plan_writes_out_are_no_change() -> None:
    spelled = {"format": "dcsr", "dtype": "float64", "fill": 0}
    assert verdict(*FIRST, tensors={"A": spelled, "y": {"dtype": "float64"}}).passed


@pytest.mark.parametrize(
    ("schedule", "code"),
    [
        (["split(i"], "schedule/syntax"),
        (["splitt(i, i0, i1, 4)"], "schedule/unknown-command"),
        (["split(q, q0, q1, 4)"], "schedule/unknown-variable"),
        (["parallelize(j, CPUThread, NoRaces)"], "schedule/race"),
        (["parallelize(i, GPUBlock, NoRaces)"], "schedule/unit-of-target"),
    ],
)
def test_plans_that_refuse_at_every_stage(schedule: list[str], code: str) -> None:
    found = verdict("equal-work", "balanced", schedule=schedule)
    assert not found.passed
    assert found.failed == ("compiles",)
    assert [one.code for one in found.diagnostics] == [code]
    assert found.outcomes[0].why == found.diagnostics[0].message


@pytest.mark.parametrize("format", ["hyb(1,2)", "nothing", "dense", "csr;", "dense, dense, dense"])
def test_formats_that_store_too_much_or_are_none(format: str) -> None:
    """Facts of a matrix in parts, which the kernel takes apart, are unknown, not wrong."""
    found = verdict(*FIRST, tensors={"A": {"format": format}})
    assert not found.passed
    assert all(outcome.why or outcome.facts for outcome in found.outcomes if not outcome.passed)


@pytest.mark.parametrize("answer", ["inf", "-inf", "nan", "1e999"])
def test_an_answer_that_counts_nothing_is_a_text(answer: str) -> None:
    """Infinity is no JSON, so that the verdict could not be sent back."""
    document = document_of(task_of("what-a-format-stores", "which-row"), SEED)
    view = json.loads(check_document("what-a-format-stores", "which-row", document, {"row": answer}, SEED, None))
    (fact,) = view["checks"][-1]["facts"]
    assert (view["passed"], fact["value"]) == (False, answer)


def test_odd_submissions_over_http_are_refused_with_a_reason(server: Server) -> None:
    path = ROUTE.format("what-a-format-stores", "which-row")
    plan = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": tensors()}

    def sent(body: str, to: str = path) -> Any:
        return server.client.post(to, content=body, headers={"content-type": "application/json"})

    for number in ("Infinity", "NaN", "1e999"):
        answer = sent(f'{{"plan": {json.dumps(plan)}, "answers": {{"row": {number}}}}}')
        assert answer.status_code == 422, number
        assert "finite" in answer.text
    for body, status in (("", 422), ("[]", 422), ("{", 422), ('{"plan": 3}', 422), ('{"plan": {}}', 400)):
        assert sent(body).status_code == status, body
    large = json.dumps({"plan": {**plan, "expression": "y(i) = " + "A(i,j) + " * 200_000 + "x(i)"}})
    assert sent(large).status_code in (400, 413)
    for language in (PATTERNS, COMPREHENSION):
        other = {"version": 2, "expression": language.example, "language": language.name}
        answer = sent(json.dumps({"plan": other}), ROUTE.format("thirty-two-at-once", "busy-lanes"))
        assert (answer.status_code, answer.json()["passed"]) == (200, False)


def test_the_schedule_that_the_compiler_chooses_for_a_gpu_is_no_answer() -> None:
    """An empty schedule passed: what was counted is the one that the compiler writes in its place."""
    found = verdict("thirty-two-at-once", "busy-lanes", schedule=[])
    assert not found.passed
    assert found.failed == ("graph.written > 0",)
    assert found.hints[0].startswith("The compiler has chosen for you")


def test_the_result_of_a_rewritten_program_is_compared_with_that_of_the_solution() -> None:
    layer = "def layer(float(M,N) A, float(M,N) B, float(N) c) -> (O) { O(i,j) = %s }"
    right = verdict("ranges-and-fusion", "one-loop", expression=layer % "fmax(A(i,j) * B(i,j) + c(j), 0)")
    assert right.passed
    other = verdict("ranges-and-fusion", "one-loop", expression=layer % "fmax(A(i,j) * B(i,j), 0)")
    assert other.failed == ("result.answer",)


def test_facts_of_a_matrix_in_parts() -> None:
    stored = {"A": {"format": "ell(2) where slot < 2 + csr"}}
    plan = {"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": stored}
    matrix = np.array([[1.0, 2, 3, 4], [0, 5, 0, 0], [0, 0, 0, 0]])
    evidence = Evidence(lower(parse_plan(plan)), {"A": matrix, "x": np.ones(4)})

    def fact(name: str, *arguments: float | str) -> object:
        return TABLE[name].find(evidence, "A", *arguments)

    assert (fact("storage.parts"), fact("storage.entries"), fact("storage.stored")) == (2, 5, 8)
    assert (fact("storage.share", 1.0), fact("storage.share", 2.0)) == (0.6, 0.4)
    assert fact("storage.padding") == 1 - 5 / 8
    assert fact("storage.format") == "ell(2) where slot <= 1 + csr"
    with pytest.raises(Unknown, match=r"A is stored in 2 parts$"):
        fact("storage.share", 3.0)
    for name in ("storage.positions", "storage.segment"):
        with pytest.raises(Unknown, match="A is stored in 2 parts, each with levels of its own"):
            fact(name, 1.0)


def test_a_medal_for_speed_needs_a_run_from_which_something_follows() -> None:
    def medal(**more: Any) -> object:
        ratio = {"low": 1.4, "verdict": "faster", "statement": "SciPy takes 1.50 times as long as Heddle", **more}
        timed = {"entries": [{"id": "scipy", "ratio_to_heddle": ratio}]}
        return cost.ratio.find(cast(Evidence, SimpleNamespace(timed=timed)), "scipy")

    assert medal() == 1.4
    statement = "Not conclusive: SciPy did not have its cores"
    with pytest.raises(Unknown, match=r"from this run nothing follows \(Not conclusive: SciPy .* cores\): press Run"):
        medal(verdict="inconclusive", statement=statement, doubt="SciPy did not have its cores in 43% of the rounds.")
    with pytest.raises(Unknown, match="Noisy: not conclusive"):
        medal(verdict="inconclusive", statement="Noisy: not conclusive")
