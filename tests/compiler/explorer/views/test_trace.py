"""Traces: the order of visiting is the oracle's, the counts are the formulas', and what cannot be traced is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from pydantic import ConfigDict, TypeAdapter, with_config

import heddle as hd
from heddle.codegen.c import printer as c
from heddle.explorer.views.trace import trace
from heddle.explorer.views.trace.trace import trace_view
from heddle.explorer.views.trace.trace_schema import TraceView
from heddle.loop_ir.interpreter.faults import UninitialisedRead
from heddle.loop_ir.nodes import Block, For, Stmt, Store
from heddle.loop_ir.walk import statements
from heddle.plan import parse_plan
from heddle.result import replace_function
from tests.golden.cases import CASES, Case

SPMV = "y(i) = A(i,j) * x(j)"
CSR = {"A": "csr"}
POSITIONS = ("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 3)")
ATOMICS = (*POSITIONS, "parallelize(p0, CPUThread, Atomics)")
EXAMPLE = [[6, 0, 9, 0, 0, 0], [0, 0, 0, 0, 0, 0], [5, 0, 0, 7, 0, 1], [0, 2, 0, 0, 8, 0]]
BY_ROWS = [(0, 0), (0, 2), (2, 0), (2, 3), (2, 5), (3, 1), (3, 4)]
BY_COLUMNS = sorted(BY_ROWS, key=lambda entry: entry[1])
EVERY = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def spmv(schedule: tuple[str, ...] = (), format: str = "csr", **operands: object) -> TraceView:
    return trace_view(hd.lower(SPMV, {"A": format}, schedule), operands)


def visits(view: TraceView) -> list[tuple[int, ...]]:
    return [tuple(step["visit"].values()) for step in view["steps"] if step["visit"] is not None]


@EVERY
def test_every_golden_program_is_traced(case: Case) -> None:
    """Strict: the declared types and no other key; the result is the interpreter's on the same operands."""
    result = hd.lower(case.expression, case.formats, case.schedule)
    view = trace_view(result)
    assert view["diagnostics"] == []
    assert view["visits"] > 0
    adapter = TypeAdapter(with_config(ConfigDict(strict=True, extra="forbid"))(TraceView))
    assert adapter.validate_python(view) == view
    assert json.loads(json.dumps(view, allow_nan=False)) == view
    assert all(step["visit"] is None or step["kind"] in ("assign", "store") for step in view["steps"])


@EVERY
def test_lines_of_loops_and_of_c_have_one_origin(case: Case) -> None:
    result = hd.lower(case.expression, case.formats, case.schedule)
    assert result.function is not None
    assert result.source is not None
    lines = c.statement_lines(result.function)
    numbered = [s for s in statements(result.function.body) if not isinstance(s, Block)]
    assert len(lines) == len(numbered)
    for line, statement in zip(lines, numbered, strict=True):
        origins = [span.origin for span in result.source.spans if span.line == line]
        assert statement.origin in origins, result.source.line(line)
        assert "#pragma" not in result.source.line(line)


@pytest.mark.parametrize(
    ("format", "schedule", "expected"),
    [
        ("csr", (), BY_ROWS),
        ("csc", (), BY_COLUMNS),
        ("dcsr", (), BY_ROWS),
        ("csr", POSITIONS, BY_ROWS),
        ("csr", ATOMICS, BY_ROWS),
        ("csr", ("split(i, i0, i1, 3)",), BY_ROWS),
        ("csr", ("split(j, j0, j1, 3)",), BY_ROWS),
    ],
    ids=str,
)
def test_the_nonzeros_are_visited_in_the_order_of_the_schedule(
    format: str, schedule: tuple[str, ...], expected: list[tuple[int, int]]
) -> None:
    view = spmv(schedule, format)
    assert visits(view) == expected
    assert view["visits"] == view["tensors"][0]["nonzeros"] == 7
    assert all(list(step["visit"]) == ["i", "j"] for step in view["steps"] if step["visit"] is not None)


def test_tiles_of_positions_hold_three_three_and_one_nonzeros() -> None:
    """The tiles of the oracle, as workers: row 2 straddles tiles 0 and 1, so that both update it, with atomics."""
    view = spmv(ATOMICS)
    tiles: dict[int, list[tuple[int, ...]]] = {}
    rows: dict[int, list[int]] = {}
    for step in view["steps"]:
        if step["visit"] is not None:
            tiles.setdefault(step["worker"]["p0"], []).append(tuple(step["visit"].values()))
        if step["store"] is not None and step["store"]["atomic"]:
            rows.setdefault(step["worker"]["p0"], []).append(step["store"]["index"])
    assert tiles == {0: BY_ROWS[:3], 1: BY_ROWS[3:6], 2: BY_ROWS[6:]}
    assert rows[0][-1] == rows[1][0] == 2
    assert view["atomics"] == sum(map(len, rows.values())) <= 2 * len(tiles)


def test_atomics_of_a_scattered_update_are_as_many_as_nonzeros() -> None:
    view = spmv(("parallelize(j, CPUThread, Atomics)",), "csc")
    assert view["atomics"] == view["visits"] == 7


def test_lines_are_those_of_the_texts() -> None:
    result = hd.lower(SPMV, CSR, POSITIONS)
    view = trace_view(result)
    assert result.flat is not None
    assert result.source is not None
    step = next(step for step in view["steps"] if step["visit"] is not None)
    assert result.flat.line(step["line"]).strip() == "y_sum += A_vals[p] * x_vals[j]"
    assert step["c_line"] is not None
    assert result.source.line(step["c_line"]).strip() == "y_sum += A_vals[p] * x_vals[j];"
    assert step["loads"] == [
        {"array": "A_vals", "index": 0, "value": 6.0},
        {"array": "x_vals", "index": 0, "value": view["tensors"][1]["arrays"]["x_vals"][0]},
    ]


def test_given_operands_are_used_and_the_result_is_theirs() -> None:
    x = [1, 2, 3, 4, 5, 6]
    view = spmv((), A=EXAMPLE, x=x)
    assert [tensor["origin"] for tensor in view["tensors"]] == ["given", "given", "result"]
    assert view["tensors"][2]["arrays"]["y_vals"] == (np.array(EXAMPLE) @ x).tolist()
    assert view["tensors"][0]["coordinates"] == [list(entry) for entry in BY_ROWS]


def test_operands_that_are_made_fit_those_that_are_given() -> None:
    view = spmv((), A=[[1, 0], [0, 2], [3, 0]])
    assert view["tensors"][1]["shape"] == [2]
    assert visits(view) == [(0, 0), (1, 1), (2, 0)]


@pytest.mark.parametrize(
    ("expression", "formats", "example"),
    [
        ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": "csf"}, "C"),
        ("A(i,j) = B(i,j) * C(i,k) * D(k,j)", {"B": "csr"}, "B"),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr"}, "A"),
    ],
)
def test_the_example_is_the_first_sparse_matrix(expression: str, formats: dict[str, str], example: str) -> None:
    view = trace_view(hd.lower(expression, formats))
    assert [tensor["tensor"] for tensor in view["tensors"] if tensor["origin"] == "example"] == [example]
    assert all(step["visit"] is None or "i" in step["visit"] for step in view["steps"])


def test_a_sum_visits_the_union_and_a_product_the_intersection() -> None:
    formats = {"A": "csr", "B": "csr"}
    for operator, meet in (("+", set.union), ("*", set.intersection)):
        view = trace_view(hd.lower(f"C(i,j) = A(i,j) {operator} B(i,j)", formats))
        stored = [{tuple(entry) for entry in tensor["coordinates"]} for tensor in view["tensors"][:2]]
        assert visits(view) == sorted(meet(*stored))


def test_a_sparse_operand_that_is_made_is_half_full() -> None:
    view = trace_view(hd.lower("y(i) = A(i,j) * x(j)", {"A": "csc", "x": "compressed"}))
    assert view["tensors"][1]["nonzeros"] == 3
    assert view["visits"] > 0


def test_a_matrix_times_itself_has_one_size() -> None:
    view = trace_view(hd.lower("C(i,k) = A(i,j) * A(j,k)", {"A": "dense"}))
    assert view["tensors"][0]["shape"] == [4, 4]
    assert view["visits"] == 64


def test_a_large_shape_of_the_plan_is_for_other_data() -> None:
    view = trace_view(hd.lower(SPMV, CSR, shapes={"A": (5000, 5000)}))
    assert view["tensors"][0]["shape"] == [4, 6]


def test_numbers_that_json_cannot_hold_are_texts() -> None:
    view = trace_view(hd.lower("y(i) = 1 / x(i)", {}), {"x": [0, 2]})
    assert view["tensors"][1]["arrays"]["y_vals"] == ["inf", 0.5]
    wide = trace_view(hd.lower("y(i) = x(i)", {}, dtypes={"x": "int64"}), {"x": [2**60]})
    assert wide["tensors"][0]["arrays"]["x_vals"] == [str(2**60)]


def test_large_operands_are_refused() -> None:
    with pytest.raises(hd.CompileError, match="x has 4097 elements, too many to follow step by step") as refused:
        trace_view(hd.lower("y(i) = x(i)", {}), {"x": [1] * 4097})
    assert refused.value.diagnostics[0].code == "trace/too-large"
    assert refused.value.diagnostics[0].expected == "at most 4096 elements"


def test_large_results_are_refused_before_they_are_allocated() -> None:
    with pytest.raises(hd.CompileError, match="A has 1000000000 elements") as refused:
        trace_view(hd.lower("A(i,j,k) = a(i) * b(j) * c(k)", {}), {name: [1] * 1000 for name in "abc"})
    assert refused.value.diagnostics[0].found == "the shape 1000 × 1000 × 1000"


def test_long_runs_are_refused() -> None:
    with pytest.raises(hd.CompileError, match="more than 4000 iterations and filled elements") as refused:
        trace_view(hd.lower(SPMV, {}), {"A": np.ones((64, 64)), "x": np.ones(64)})
    assert refused.value.diagnostics[0].code == "trace/too-large"


def test_runs_with_many_events_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "MAX_EVENTS", 10)
    with pytest.raises(hd.CompileError, match="more than 10 loads, stores and assignments, too many to follow"):
        spmv()


SIX = "C(a,b,c,d,e,f) = A(a,b,c,d) * B(d,e) * x(f)"


def test_an_example_of_six_dimensions_shrinks_until_it_can_be_followed() -> None:
    view = trace_view(hd.lower(SIX, {}))
    shapes = {tensor["tensor"]: tensor["shape"] for tensor in view["tensors"]}
    # Of the sizes that can be followed, those whose run has room in one answer.
    assert shapes == {"A": [2, 2, 2, 2], "B": [2, 2], "x": [2], "C": [2, 2, 2, 2, 2, 2]}
    assert view["ok"]
    assert view["visits"] == 2**6


def test_an_example_shrinks_to_twos_and_beside_operands_that_are_given() -> None:
    nine = "C(a,b,c,d,e,f,g,h) = A(a,b,c,d) * B(e,f,g,h)"
    view = trace_view(hd.lower(nine, {}))
    assert (view["ok"], view["tensors"][-1]["shape"]) == (True, [2, 2, 2, 2, 2, 2, 2, 2])
    given = trace_view(hd.lower(SIX, {}), {"x": [1, 2, 3]})
    assert [given["tensors"][-1]["shape"][-1], given["ok"]] == [3, True]


def test_small_shapes_of_a_plan_yield_where_the_run_would_be_too_long() -> None:
    shapes = {"A": (8, 8, 8, 8), "B": (8, 8)}
    assert trace_view(hd.lower(SIX, {}, shapes=shapes))["tensors"][0]["shape"] == [2, 2, 2, 2]


def without_atomics(statement: Stmt) -> Stmt:
    match statement:
        case Block(statements=inner):
            return Block(tuple(without_atomics(child) for child in inner))
        case For(body=body):
            return replace(statement, body=without_atomics(body))
        case Store():
            return replace(statement, atomic=False)
        case _:
            return statement


def test_a_race_is_a_diagnostic_that_names_the_command_and_the_line() -> None:
    schedule = ("parallelize(j, CPUThread, Atomics)",)
    result = hd.lower(SPMV, {"A": "csc"}, schedule)
    assert result.function is not None
    body = without_atomics(result.function.body)
    assert isinstance(body, Block)
    result = replace_function(result, replace(result.function, body=body), result.source)
    view = trace_view(result)
    assert view["ok"] is False
    problem = view["diagnostics"][0]
    assert problem["code"] == "trace/fault"
    assert problem["found"] == "DataRace"
    assert problem["location"] is not None
    assert problem["location"]["command"] == 0
    line = view["steps"][-1]["line"]
    assert result.flat is not None
    assert "A_vals" in result.flat.line(line)
    assert f"in line {line} of the loops" in problem["message"]
    assert f"It comes from the command {schedule[0]}." in problem["message"]
    assert view["visits"] > 0, "what came before the race is kept"
    assert view["tensors"][2]["arrays"]["y_vals"] == [None] * 4


def test_a_fault_without_a_command_has_no_location(monkeypatch: pytest.MonkeyPatch) -> None:
    result = hd.lower("y(i) = x(i)", {})
    assert result.function is not None
    statement = next(statements(result.function.body))

    def broken(*_: object, **__: object) -> None:
        raise UninitialisedRead("w[0] is read before it is written", statement, (("i", 2),))

    monkeypatch.setattr(trace, "interpret", broken)
    problem = trace_view(result)["diagnostics"][0]
    assert problem["location"] is None
    assert problem["message"] == "W[0] is read before it is written, in line 2 of the loops at i=2."


def test_a_broken_claim_is_a_diagnostic() -> None:
    view = spmv(("bound(i, ib, 3, MaxConstraint)",))
    assert view["ok"] is False
    assert view["diagnostics"][0]["code"] == "runtime/refused"
    assert view["steps"] == []


def test_errors_of_the_program_are_raised() -> None:
    with pytest.raises(hd.CompileError, match="q"):
        spmv(("split(q, q0, q1, 8)",))


def test_operands_that_do_not_fit_are_refused() -> None:
    with pytest.raises(hd.CompileError, match="has 5 entries"):
        spmv((), A=EXAMPLE, x=[1] * 5)
    with pytest.raises(hd.CompileError, match="B is not an operand of this kernel"):
        spmv((), B=[1])
    with pytest.raises(hd.CompileError, match="nested lists of uneven lengths"):
        spmv((), A=[[1, 2], [3]])


@pytest.mark.parametrize("schedule", [(), ("parallelize(j, CPUThread, NoRaces)",)])
def test_a_plan_for_large_shapes_is_traced_on_small_data(schedule: tuple[str, ...]) -> None:
    """Its loops index with 64 bits what small data store with 32; the evidence on a race is such a trace too."""
    plan = {
        "version": 2,
        "expression": "y(j) = A(i,j) * x(i)",
        "tensors": {"A": {"format": "csr", "shape": [2**31, 2**31]}},
        "schedule": list(schedule),
    }
    view = trace_view(hd.lower(parse_plan(plan)))
    assert view["ok"]
    assert view["visits"] > 0
