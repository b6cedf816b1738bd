"""The door for expressions takes a language by one record, whether it gives statements or makes its loops itself."""

from __future__ import annotations

import inspect
from typing import get_args

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError, InternalError
from heddle.frontends import table
from heddle.frontends.front_end import FrontEnd, Statements
from heddle.frontends.table import DEFAULT_LANGUAGE, FRONT_ENDS, LANGUAGES, LanguageName, assignment_of, front_end_of
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.notation.printer import to_text
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan, parser, plan_hash, to_document
from heddle.tuning.search.suggest import suggest
from tests.compiler.frontends.two_languages import WITH_LOOPS, WITH_STATEMENTS

VECTOR = np.array([1.0, 0.0, -2.5])


@pytest.fixture
def with_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "FRONT_ENDS", (*FRONT_ENDS, WITH_STATEMENTS, WITH_LOOPS))


@pytest.mark.parametrize("front_end", FRONT_ENDS, ids=LANGUAGES)
def test_an_example_says_the_same_when_it_is_printed(front_end: FrontEnd[object, object]) -> None:
    program = front_end.read(front_end.example)
    text = front_end.to_text(program)
    assert front_end.to_text(front_end.read(text)) == text
    start, end = front_end.computed(front_end.example)
    assert 0 < start < end <= len(front_end.example)


@pytest.mark.parametrize("front_end", FRONT_ENDS, ids=LANGUAGES)
def test_an_example_computes_what_its_language_says(front_end: FrontEnd[object, object]) -> None:
    names = front_end.tensors(front_end.parse(front_end.example))
    kernel = hd.compile(front_end.example, language=front_end.name)
    result = kernel.signature.result.name
    random = np.random.default_rng(7)
    dtypes = {name: tensor.dtype for name, tensor in kernel.signature.tensors.items()}
    operands = {n: random.random((3, 3, 3)[:order]).astype(dtypes[n]) for n, order in names.items() if n != result}
    expected = front_end.reference(front_end.read(front_end.example), operands, {})
    assert expected.keys() == {result}
    np.testing.assert_allclose(kernel(**operands).to_numpy(), expected[result], rtol=1e-5)


def test_names_are_names_of_one() -> None:
    assert len(set(LANGUAGES)) == len(LANGUAGES)
    assert get_args(LanguageName) == LANGUAGES
    assert DEFAULT_LANGUAGE == "notation"
    for function in (hd.compile, hd.lower):
        assert inspect.signature(function).parameters["language"].default == DEFAULT_LANGUAGE
    with pytest.raises(InternalError, match="There is no front end for the language recipes"):
        front_end_of("recipes")


def test_the_reference_of_index_notation_adds_to_what_is_there() -> None:
    notation = front_end_of("notation")
    program = notation.read("y(i) += 2 * x(i)")
    found = notation.reference(program, {"x": VECTOR, "y": np.ones(3)}, {})
    np.testing.assert_array_equal(found["y"], 1 + 2 * VECTOR)


def test_a_language_is_part_of_the_plan() -> None:
    plan, words = Plan("twice x"), Plan("twice x", language="words")
    assert "language" not in to_document(plan)
    assert to_document(words)["language"] == "words"
    assert plan_hash(plan) != plan_hash(words)


@pytest.mark.usefixtures("with_words")
def test_a_language_that_gives_statements_has_formats_and_schedules() -> None:
    kernel = hd.Kernel(lower(Plan("twice x", language="words", schedule=("parallelize(i, CPUThread, NoRaces)",))))
    np.testing.assert_array_equal(kernel(x=VECTOR).to_numpy(), 2 * VECTOR)
    assert to_text(assignment_of("words", "twice x")) == "y(i) = 2 * x(i)"
    assert suggest(Plan("twice x", language="words")).rule != ""


@pytest.mark.usefixtures("with_words")
@pytest.mark.parametrize("schedule", [(), ("threads",)])
def test_a_language_that_makes_loops_has_passes_texts_and_targets(schedule: tuple[str, ...]) -> None:
    result = lower(Plan("twice x", language="loop-words", schedule=schedule))
    assert result.ok
    assert result.function is not None
    assert result.source is not None
    assert [one.title for one in result.passes[:2]] == ["Words", "Where each value lies"]
    assert result.passes[0].text == "twice x"
    assert any(one.name == "pass-simplify" for one in result.passes)
    assert ("#pragma omp parallel for" in result.source.text) == bool(schedule)
    arrays = {"y_vals": np.zeros(3), "x_vals": VECTOR.copy()}
    interpret(result.function, {**arrays, "x1_dimension": 3})
    np.testing.assert_array_equal(arrays["y_vals"], 2 * VECTOR)
    assert (result.assignment, result.graphs) == (None, ())


@pytest.mark.usefixtures("with_words")
def test_loops_that_no_gpu_can_launch_are_a_diagnostic() -> None:
    result = lower(Plan("twice x", language="loop-words", schedule=("blocks",), target="cuda"))
    (diagnostic,) = result.diagnostics
    assert diagnostic.code == "schedule/gpu-workspace"
    assert diagnostic.message.startswith("the workspace w belongs to a block or warp of the GPU")
    assert diagnostic.location is not None
    assert diagnostic.location.path == "/schedule"


@pytest.mark.usefixtures("with_words")
@pytest.mark.parametrize("language", ["words", "loop-words"])
def test_what_a_language_refuses_is_shown_where_it_says_what_is_computed(language: str) -> None:
    (diagnostic,) = lower(Plan("thrice x", language=language)).diagnostics
    assert diagnostic.message == "nothing is called thrice"
    assert diagnostic.location is not None
    assert (diagnostic.location.start, diagnostic.location.end) == (7, 8)


@pytest.mark.usefixtures("with_words")
def test_a_plan_names_tensors_of_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "LANGUAGES", (*LANGUAGES, "words"))
    document = {"expression": "twice x", "language": "words", "tensors": {"x": {"shape": [3]}}}
    plan = parse_plan(document)
    assert to_document(parse_plan(to_document(plan))) == to_document(plan)
    with pytest.raises(CompileError, match="tensors has an entry for z, which the expression does not use"):
        parse_plan({**document, "tensors": {"z": {}}})
    with pytest.raises(CompileError, match="more than 80 characters"):
        parse_plan({**document, "expression": "twice x".ljust(81)})


@pytest.mark.usefixtures("with_words")
def test_rules_need_statements() -> None:
    with pytest.raises(CompileError) as caught:
        suggest(Plan("twice x", language="loop-words"))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.code, diagnostic.message) == (
        "plan/no-rules",
        "the rules choose schedules for statements of index notation, and a program in loop-words has none: it becomes "
        "loops directly",
    )


def test_index_notation_is_statements_already() -> None:
    notation = front_end_of("notation")
    assert isinstance(notation.entry, Statements)
    assert to_text(notation.entry.assignment(notation.read("y(i) = x(i)"))) == "y(i) = x(i)"
