"""Facts of programs in patterns: types and their formulas, and what finding rows takes, counted on data."""

from __future__ import annotations

from typing import Any

import pytest

from heddle.frontends.notation import NOTATION
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle_server.lessons.arguments import arguments_of
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.predicates.table import TABLE
from heddle_server.lessons.task_reader import plan_document

ROWS = 10
DOT = "map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)"
LENGTHS, OFFSETS = "toNat(lengths@i)", "toNat(offset@(i+1) - offset@i)"


def spmv(length: str, dtype: str = "double", *, packed: bool = False) -> str:
    first = "lengths: [int]_n" if "lengths" in length else "offset: [int]_{n+1}"
    head = f"nFun(n => nFun(m => fun({first} => "
    if packed:
        return (
            f"{head}fun(rows: [i -> [(int, {dtype})]_{{{length}}}]_n => fun(xs: [{dtype}]_m => rows :>> map({DOT}))))))"
        )
    arrays = f"fun(cols: [i -> [int]_{{{length}}}]_n => fun(vals: [i -> [{dtype}]_{{{length}}}]_n => "
    return f"{head}{arrays}fun(xs: [{dtype}]_m => zip(cols, vals) :>> map(fun(r => zip(r.1, r.2) :>> {DOT}))))))))"


def evidence(text: str, *schedule: str, nnz: int = 40) -> Evidence:
    first = {"lengths": "A.lengths"} if "lengths" in text else {"offset": "A.pos"}
    parts = {"rows": "A.entries"} if "rows:" in text else {"cols": "A.crd", "vals": "A.vals"}
    written = {"expression": text, "language": "patterns", "arguments": {**first, **parts, "xs": "x"}}
    plan = parse_plan(plan_document({**written, "schedule": schedule}, {}))
    inputs: dict[str, dict[str, Any]] = {
        "A": {"generator": "uniform", "shape": [ROWS, 8], "nnz": nnz, "seed": 1},
        "x": {"generator": "dense", "shape": [8], "seed": 1},
    }
    return Evidence(lower(plan), {}, written=plan.schedule, inputs=inputs)


def fact(of: Evidence, name: str, *arguments: float | str) -> Any:
    return TABLE[name].find(of, *arguments)


@pytest.mark.parametrize(
    ("length", "schedule", "additions", "kept"),
    [
        (LENGTHS, (), ROWS, 1),
        (LENGTHS, ("sums(cols, memo)", "sums(vals, memo)"), ROWS, 1),
        (LENGTHS, ("sums(cols, loop)", "sums(vals, loop)"), ROWS * (ROWS - 1) // 2, 0),
        (LENGTHS, ("sums(vals, loop)",), ROWS * (ROWS - 1) // 2 + ROWS, 1),
        (OFFSETS, (), 0, 0),
        (OFFSETS, ("sums(vals, loop)",), ROWS * (ROWS - 1) // 2, 0),
        (OFFSETS, ("sums(vals, memo)",), ROWS, 1),
    ],
)
def test_additions_are_those_of_each_way_to_find_rows(
    length: str, schedule: tuple[str, ...], additions: int, kept: int
) -> None:
    of = evidence(spmv(length), *schedule)
    assert (fact(of, "types.additions"), fact(of, "types.kept")) == (additions, kept)
    assert (fact(of, "result.right"), fact(of, "cost.size", "n")) == (True, ROWS)


def test_types_and_their_formulas() -> None:
    lists, offsets = evidence(spmv(LENGTHS)), evidence(spmv(OFFSETS))
    assert fact(lists, "types.of", "vals") == "[i -> [double]_{lengths@i}]_n"
    assert fact(lists, "types.length", "vals") == "lengths@i"
    assert (fact(lists, "types.closed", "vals"), fact(lists, "types.rules", "vals")) == (False, 0)
    assert (fact(offsets, "types.closed", "vals"), fact(offsets, "types.rules", "vals")) == (True, 1)
    assert fact(lists, "types.claims") == 2
    begins = [fact(offsets, "types.begins", "vals", row) for row in range(ROWS + 1)]
    arguments = arguments_of(offsets.result, offsets.inputs)
    assert (
        begins == arguments["offset"].tolist() == [fact(lists, "types.begins", "cols", row) for row in range(ROWS + 1)]
    )
    for name, row in (("vals", ROWS + 1), ("vals", -1), ("xs", 0), ("none", 0)):
        with pytest.raises(
            Unknown, match=r"fewer rows than|has no rows: it is \[double\]_m|there is no parameter none"
        ):
            fact(offsets, "types.begins", name, row)


@pytest.mark.parametrize(("dtype", "record", "padding"), [("double", 16, 0.25), ("float", 8, 0.0)])
def test_pairs_and_what_their_padding_takes(dtype: str, record: int, padding: float) -> None:
    width = 8 if dtype == "double" else 4
    packed, apart = evidence(spmv(OFFSETS, dtype, packed=True)), evidence(spmv(OFFSETS, dtype))
    assert (fact(packed, "types.record", "rows"), fact(packed, "types.padding", "rows")) == (record, padding)
    others = 4 * (ROWS + 1) + 8 * width
    assert fact(packed, "types.bytes") == 40 * record + others
    assert fact(apart, "types.bytes") == 40 * (4 + width) + others
    unpacked = evidence(spmv(OFFSETS, dtype, packed=True), "unpack(rows)")
    assert fact(unpacked, "types.bytes") == fact(apart, "types.bytes")
    assert fact(unpacked, "result.right")


def test_a_claim_that_the_data_break_is_a_fact() -> None:
    wrong = evidence(spmv("toNat(offset@(i+1))"))
    assert fact(wrong, "types.claim_broken") is True
    with pytest.raises(Unknown, match="the kernel cannot run: "):
        fact(wrong, "types.additions")
    assert fact(evidence(spmv(OFFSETS)), "types.claim_broken") is False


def test_statements_have_no_such_types() -> None:
    statement = Evidence(lower(parse_plan({"version": 2, "expression": NOTATION.example})), {})
    for name in ("types.additions", "types.kept", "types.claims", "types.claim_broken", "types.bytes"):
        with pytest.raises(Unknown, match="types are those of programs in patterns, and this one is in notation"):
            fact(statement, name)


def test_parallel_rows_are_right_in_every_order_and_a_missing_argument_is_named() -> None:
    parallel = evidence(spmv(OFFSETS), "mapPar(map1)")
    assert (fact(parallel, "result.right"), fact(parallel, "trace.workers")) == (True, ROWS)
    nothing = Evidence(parallel.result, {})
    with pytest.raises(Unknown, match=r"the kernel cannot run: .*A has no data"):
        fact(nothing, "result.right")
