"""``--input A=my.mtx``: a plan reads files of a person, by the names of its operands."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from heddle.cli.parsing import UsageError
from heddle.cli.source import SourceError
from heddle.plan import parse_plan
from heddle_server.command_line.own_inputs import with_inputs

PLAN = parse_plan({"expression": "y(i) = A(i,j) * x(j)", "inputs": {"A": {"dataset": "bcsstk13"}}})
MATRIX = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3.5\n"


def test_an_operand_comes_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "my matrix.mtx"
    file.write_text(MATRIX)
    plan, paths = with_inputs(PLAN, [f"A={file}"])
    identity = f"sha256:{hashlib.sha256(MATRIX.encode()).hexdigest()}"
    assert plan.inputs["A"] == {"upload": identity}
    assert paths == {identity: str(file)}
    assert with_inputs(PLAN, []) == (PLAN, {})


@pytest.mark.parametrize(
    ("text", "error", "part"),
    [
        ("A", UsageError, "TENSOR=FILE"),
        ("=a.mtx", UsageError, "TENSOR=FILE"),
        ("a=a.mtx", UsageError, "the plan reads A, x; did you mean A?"),
        ("A=/no/a.mtx", SourceError, "/no/a.mtx does not exist"),
        ("A=a.csv", SourceError, "expected .mtx, .tns, .smtx"),
        ("A=a.npz", SourceError, "hd.write makes them"),
    ],
)
def test_what_is_no_input_is_refused(text: str, error: type[Exception], part: str) -> None:
    with pytest.raises(error, match=part):
        with_inputs(PLAN, [text])
