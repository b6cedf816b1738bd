"""Plan documents come from strangers: what is wrong is named with its place, and nothing is ignored."""

from __future__ import annotations

import math

import pytest

from heddle.diagnostics import CompileError
from heddle.plan import parse_plan
from tests.errors.expect import refusal

EXPRESSION = "y(i) = A(i,j) * x(j)"
SOURCES = "an input needs exactly one of dataset, upload, generator"
DATASET = "dataset must be the id of a data set, as bcsstk13 or suitesparse:HB/bcsstk13"


@pytest.mark.parametrize(
    ("document", "found"),
    [(None, "null"), ([], "a list"), ("x", "the text `x`"), (3.5, "the number 3.5"), (True, "true")],
)
def test_a_plan_is_an_object(document: object, found: str) -> None:
    diagnostic = refusal(lambda: parse_plan(document))
    assert (diagnostic.code, diagnostic.message) == ("plan/type", f"the plan must be an object, found {found}")


@pytest.mark.parametrize(
    ("version", "found"),
    [
        (3, "the number 3"),
        (0, "the number 0"),
        ("1", "the text `1`"),
        (True, "true"),
        (10**40, "an integer of 133 bits"),
    ],
)
def test_versions(version: object, found: str) -> None:
    diagnostic = refusal(lambda: parse_plan({"version": version, "expression": EXPRESSION, "new": 1}))
    assert (diagnostic.code, diagnostic.message) == (
        "plan/version",
        f"this Heddle reads plans of version 1 and 2, found {found}",
    )


def test_an_expression_is_needed() -> None:
    assert refusal(lambda: parse_plan({})).message == "the plan has no expression"
    assert refusal(lambda: parse_plan({"expression": 3})).message == "expression must be a text, found the number 3"
    diagnostic = refusal(lambda: parse_plan({"expression": "x" * 1025}))
    assert diagnostic.message == "the expression has 1025 characters, the limit is 1024"


@pytest.mark.parametrize(
    ("part", "code", "path", "message"),
    [
        (
            {"target": "cpu"},
            "plan/choice",
            "/target",
            "target must be one of c, cuda, opencl, interpreter, found the text `cpu`",
        ),
        (
            {"language": "recipes"},
            "plan/language",
            "/language",
            "this Heddle reads expressions in notation (index notation), patterns, comprehension (tensor "
            "comprehensions), found the text `recipes`",
        ),
        (
            {"language": ["notation"]},
            "plan/language",
            "/language",
            "this Heddle reads expressions in notation (index notation), patterns, comprehension (tensor "
            "comprehensions), found a list",
        ),
        (
            {"options": {"convert": "always"}},
            "plan/choice",
            "/options/convert",
            "options.convert must be one of never, automatic, found the text `always`",
        ),
        (
            {"options": {"convrt": "never"}},
            "plan/unknown-key",
            "/options/convrt",
            "options has no entry `convrt`; did you mean convert?",
        ),
        ({"tensors": []}, "plan/type", "/tensors", "tensors must be an object, found a list"),
        ({"tensors": {"A": 3}}, "plan/type", "/tensors/A", "tensors.A must be an object, found the number 3"),
        (
            {"tensors": {"A": {"format": 3}}},
            "plan/type",
            "/tensors/A/format",
            "tensors.A.format must be a text, found the number 3",
        ),
        (
            {"tensors": {"A": {"format": "d" * 300}}},
            "plan/too-long",
            "/tensors/A/format",
            "tensors.A.format has 300 characters, the limit is 256",
        ),
        (
            {"tensors": {"A": {"shape": [4, -1]}}},
            "plan/out-of-range",
            "/tensors/A/shape/1",
            "tensors.A.shape.1 must be from 0 to 1099511627775, found the number -1",
        ),
        (
            {"tensors": {"A": {"shape": [2**40, 1]}}},
            "plan/out-of-range",
            "/tensors/A/shape/0",
            "tensors.A.shape.0 must be from 0 to 1099511627775, found the number 1099511627776",
        ),
        (
            {"tensors": {"A": {"shape": [10**40, 1]}}},
            "plan/out-of-range",
            "/tensors/A/shape/0",
            "tensors.A.shape.0 must be from 0 to 1099511627775, found an integer of 133 bits",
        ),
        (
            {"tensors": {"x": {"shape": [math.nan]}}},
            "plan/type",
            "/tensors/x/shape/0",
            "tensors.x.shape.0 must be an integer, found the number nan",
        ),
        (
            {"tensors": {"x": {"shape": [True]}}},
            "plan/type",
            "/tensors/x/shape/0",
            "tensors.x.shape.0 must be an integer, found true",
        ),
        (
            {"tensors": {"A": {"shape": [1] * 10}}},
            "plan/too-many-sizes",
            "/tensors/A/shape",
            "tensors.A.shape has 10 sizes, the limit is 9",
        ),
        (
            {"tensors": {"A": {"shape": [4]}}},
            "plan/shape-order",
            "/tensors/A/shape",
            "A has 2 dimensions, but its shape has 1 size",
        ),
        (
            {"inputs": {"x": {"generator": "uniform", "shape": [4, 4]}}},
            "plan/shape-order",
            "/inputs/x/shape",
            "x has 1 dimension, but its shape has 2 sizes",
        ),
        ({"tensors": {"a/b~": {}}}, "plan/tensor-name", "/tensors/a~1b~0", "`a/b~` cannot name a tensor"),
        (
            {"tensors": {f"a{number}": {} for number in range(34)}},
            "plan/too-many-entries",
            "/tensors",
            "tensors has 34 entries, the limit is 33",
        ),
        (
            {"tensors": {1: {}}},
            "plan/type",
            "/tensors",
            "tensors must be an object with text keys, found the number 1",
        ),
        ({"schedule": {}}, "plan/type", "/schedule", "schedule must be a list of commands, found an object"),
        ({"schedule": [3]}, "plan/type", "/schedule/0", "schedule.0 must be a text, found the number 3"),
        (
            {"schedule": ["", "x" * 513]},
            "plan/too-long",
            "/schedule/1",
            "schedule.1 has 513 characters, the limit is 512",
        ),
        (
            {"schedule": ["unroll(i,2)"] * 10_000},
            "plan/too-many-commands",
            "/schedule",
            "the schedule has 10000 commands, the limit is 256",
        ),
        (
            {"schedule": "unroll(i,2)\n" * 10_000},
            "plan/too-many-commands",
            "/schedule",
            "the schedule has 10000 commands, the limit is 256",
        ),
        ({"inputs": {"A": {}}}, "plan/input-source", "/inputs/A", f"{SOURCES}, found none of them"),
        (
            {"inputs": {"A": {"dataset": "a", "upload": "b"}}},
            "plan/input-source",
            "/inputs/A",
            f"{SOURCES}, found dataset and upload",
        ),
        ({"inputs": {"A": 3}}, "plan/type", "/inputs/A", "inputs.A must be an object, found the number 3"),
        (
            {"inputs": {"A": {"dataset": "../etc/passwd"}}},
            "plan/dataset",
            "/inputs/A/dataset",
            f"{DATASET}, found the text `../etc/passwd`",
        ),
        (
            {"inputs": {"A": {"upload": "sha256:zz"}}},
            "plan/upload",
            "/inputs/A/upload",
            "upload must be sha256: and 64 hexadecimal digits, found the text `sha256:zz`",
        ),
        (
            {"inputs": {"A": {"generator": "$(rm)"}}},
            "plan/generator",
            "/inputs/A/generator",
            "generator must be the name of a generator: lower-case letters, digits, dashes and underscores, "
            "found the text `$(rm)`",
        ),
        (
            {"inputs": {"A": {"generator": "rmat", "seed": "1"}}},
            "plan/type",
            "/inputs/A/seed",
            "inputs.A.seed must be a number, found the text `1`",
        ),
        (
            {"inputs": {"A": {"generator": "rmat", "density": math.inf}}},
            "plan/type",
            "/inputs/A/density",
            "inputs.A.density must be a finite number, found the number inf",
        ),
        (
            {"inputs": {"A": {"generator": "rmat", "Seed": 1}}},
            "plan/unknown-key",
            "/inputs/A/Seed",
            "the text `Seed` cannot name a parameter of a generator",
        ),
        (
            {"run": {"baselines": ["scipy", "$(rm)"]}},
            "plan/type",
            "/run/baselines/1",
            "run.baselines.1 must be the name of a baseline, found the text `$(rm)`",
        ),
        (
            {"run": {"threads": 0}},
            "plan/out-of-range",
            "/run/threads",
            "run.threads must be from 1 to 1024, found the number 0",
        ),
    ],
)
def test_refused(part: dict[str, object], code: str, path: str, message: str) -> None:
    diagnostic = refusal(lambda: parse_plan({"expression": EXPRESSION, **part}))
    assert diagnostic.location is not None
    assert (diagnostic.code, diagnostic.location.path, diagnostic.message) == (code, path, message)


@pytest.mark.parametrize(
    ("part", "message", "candidate"),
    [
        ({"shedule": []}, "the plan has no entry `shedule`; did you mean schedule?", "schedule"),
        ({"tensors": {"A": {"fromat": "csr"}}}, "tensors.A has no entry `fromat`; did you mean format?", "format"),
        ({"inputs": {"A": {"dataset": "d", "seed": 1}}}, "inputs.A has no entry `seed`", "dataset"),
        ({"run": {"thread": 2}}, "run has no entry `thread`; did you mean threads?", "threads"),
        ({"\x00" * 50: 1}, f"the plan has no entry `{(chr(92) + 'x00') * 37}...`", "version"),
    ],
)
def test_misspelt_keys_are_not_ignored(part: dict[str, object], message: str, candidate: str) -> None:
    diagnostic = refusal(lambda: parse_plan({"expression": EXPRESSION, **part}))
    assert (diagnostic.code, diagnostic.message) == ("plan/unknown-key", message)
    assert diagnostic.candidates[0] == candidate


@pytest.mark.parametrize("part", ["tensors", "inputs"])
def test_tensors_that_the_expression_does_not_use(part: str) -> None:
    entry = {"format": "csr"} if part == "tensors" else {"dataset": "karate"}
    diagnostic = refusal(lambda: parse_plan({"expression": EXPRESSION, part: {"B": entry}}))
    assert diagnostic.code == "plan/unknown-tensor"
    assert diagnostic.message == f"{part} has an entry for B, which the expression does not use"
    assert diagnostic.candidates == ("A", "x", "y")
    assert diagnostic.hint == "remove the entry, or use B in y(i) = A(i,j) * x(j)"


def test_dtypes_are_listed() -> None:
    diagnostic = refusal(lambda: parse_plan({"expression": EXPRESSION, "tensors": {"A": {"dtype": "float63"}}}))
    assert diagnostic.code == "plan/choice"
    assert diagnostic.message == (
        "tensors.A.dtype must be one of float64, float32, int64, int32, int16, int8, uint64, uint32, "
        "uint16, uint8, bool, complex128, complex64, found the text `float63`"
    )
    assert diagnostic.candidates == ("float64", "float32")


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(CompileError) as caught:
        parse_plan({"expression": 1, "target": 2, "run": {"threads": "3"}, "extra": 4})
    assert {one.code for one in caught.value.diagnostics} == {"plan/type", "plan/choice", "plan/unknown-key"}
    assert len(caught.value.diagnostics) == 4
