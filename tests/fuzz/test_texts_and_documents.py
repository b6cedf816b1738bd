"""Whatever a person or a stranger sends is either read or refused with a diagnostic; nothing else is ever raised."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from heddle.cli.render import render
from heddle.diagnostics import CompileError
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.notation.check import check
from heddle.notation.parser import parse
from heddle.notation.printer import to_text
from heddle.plan import Plan, TensorSpec, parse_plan, plan_hash, split_schedule, to_document

PIECES = ["y", "A", "x(i)", "A(i,j)", "i", "j", "(", ")", "{", "}", "_", ",", "=", "+=", "+", "-", "*", "/", "2", "1e3"]
PIECES += [".5", " ", "\n", "for", "é", "·", "[", "^", ";", "\x00", "sqrt"]
expressions = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=20).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=20).map(lambda pieces: "y(i) = " + "".join(pieces)),
    st.text(max_size=60),
)
WORDS = [
    "dense",
    "compressed",
    "singleton",
    "csr",
    "csc",
    "d",
    "s",
    "u",
    "(",
    ")",
    ",",
    ":",
    "0",
    "1",
    " ",
    "nonunique",
]
formats = st.one_of(st.lists(st.sampled_from(WORDS), max_size=10).map("".join), st.text(max_size=30))
KEYS = "version expression tensors schedule target inputs run A y format dtype shape dataset upload generator seed"
keys = st.sampled_from([*KEYS.split(), "baselines", "threads", ""])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | keys | st.just("y(i) = A(i,j)"),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(keys, children, max_size=6),
    max_leaves=25,
)


@given(expressions)
def test_expressions(text: str) -> None:
    try:
        assignment = parse(text)
        check(assignment)
    except CompileError as error:
        for diagnostic in error.diagnostics:
            assert diagnostic.location is not None
            assert 0 <= diagnostic.location.start <= diagnostic.location.end <= len(text)
            assert render(diagnostic, Plan(text))
            for fix in diagnostic.fixes:
                assert fix.expression is not None
                parse(fix.expression)
    else:
        assert to_text(parse(to_text(assignment))) == to_text(assignment)


@given(formats, st.integers(0, 4))
def test_formats(text: str, order: int) -> None:
    try:
        format = parse_format(text, order, "A")
    except CompileError as error:
        (diagnostic,) = error.diagnostics
        assert diagnostic.location is not None
        assert 0 <= diagnostic.location.start <= diagnostic.location.end <= len(text)
        assert render(diagnostic, Plan("y = x", {"A": TensorSpec(text)}))
        for fix in diagnostic.fixes:
            assert fix.formats is not None
            parse_format(fix.formats["A"], order, "A")
    else:
        assert parse_format(format_text(format), order, "A") == format


@given(values | st.dictionaries(keys, values, max_size=7).map(lambda document: {"expression": "y = A(i)", **document}))
def test_plans(document: object) -> None:
    try:
        plan = parse_plan(document)
    except CompileError as error:
        for diagnostic in error.diagnostics:
            assert len(diagnostic.message) < 1000
            assert render(diagnostic, None)
    else:
        canonical = json.loads(json.dumps(to_document(plan), allow_nan=False))
        assert plan_hash(parse_plan(canonical)) == plan_hash(plan)


@given(st.text(alphabet="split(i,0)#/;\n \r\x0b\u2028", max_size=60))
def test_schedules(text: str) -> None:
    commands = split_schedule(text)
    assert all(command == command.strip() and command for command in commands)
    assert parse_plan({"expression": "y = x", "schedule": text}).schedule == commands
