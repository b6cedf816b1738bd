"""The language of checks: what it computes, and what it says of texts that are none."""

from __future__ import annotations

import pytest

from heddle_server.lessons.condition import BadCondition, Fact, Value, facts_in, parse_condition, value_of

FACTS: dict[str, Value] = {
    "trace.imbalance": 1.5,
    "start.trace.imbalance": 4.0,
    "trace.loads(A)": 12,
    "graph.order": ("j", "i"),
    "graph.has(pos)": False,
    "storage.format(A)": "csr",
}


def valued(text: str) -> Value:
    return value_of(parse_condition(text), lambda fact: FACTS[str(fact)])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("trace.imbalance <= 1.5", True),
        ("trace.imbalance < 1.5 or trace.loads(A) == 12", True),
        ("not graph.has(pos) and trace.loads(A) >= 3 * 4", True),
        ("not (graph.has(pos) or trace.loads(A) == 12)", False),
        ("trace.imbalance <= 0.5 * start.trace.imbalance - 0.5", True),
        ("graph.order == [j, i]", True),
        ("storage.format(A) == csr", True),
        ('storage.format(A) != "csr"', False),
        ("trace.loads(A) / 0 > 100", True),
    ],
)
def test_values(text: str, value: bool) -> None:
    assert valued(text) is value


def test_facts_of_the_start_are_told_apart() -> None:
    found = list(facts_in(parse_condition("trace.work < start.trace.work and storage.positions(A, 2) == 1")))
    assert [(str(one), one.of_start) for one in found] == [
        ("trace.work", False),
        ("start.trace.work", True),
        ("storage.positions(A, 2)", False),
    ]
    assert all(isinstance(one, Fact) for one in found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("trace.work <=", "at character 14 of 'trace.work <=': expected a fact or a number, found the end"),
        ("trace.work = 3", "at character 11 of 'trace.work = 3': expected a fact, a number or a sign, found ' = 3'"),
        ("trace.loads(A", "at character 14 of 'trace.loads(A': expected ',', found the end"),
        ("1 < 2 3", "at character 7 of '1 < 2 3': expected and, or, or the end, found '3'"),
        (
            "__import__('os')",
            "at character 12 of '__import__('os')': expected a fact, a number or a sign, found \"'os')\"",
        ),
        ("not " * 30 + "graph.has(pos)", "expected fewer parentheses"),
        ("1 + " * 200 + "1", "expected at most 400 characters"),
    ],
)
def test_what_is_no_condition(text: str, message: str) -> None:
    with pytest.raises(BadCondition) as found:
        parse_condition(text)
    assert message in str(found.value)


def test_words_are_not_compared_by_size() -> None:
    with pytest.raises(ValueError, match="expected a number, found 'csr'"):
        valued("storage.format(A) < 3")
