"""Runs of programs of patterns: arguments taken from matrices, verified, and timed beside what computes the same."""

from __future__ import annotations

import json
from typing import Any, get_args

import numpy as np
import pytest

import heddle.measuring.patterns.prepared as running
from heddle.measuring.patterns.arguments import make_arguments
from heddle.measuring.schema import Identity
from heddle.measuring.verification.reference import Reference
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle.runtime.devices.opencl_devices import devices
from heddle_server.figures.theme import COLOURS, PATTERNS, SYMBOLS
from tests.backend.worker.test_execute import run, small_stream  # noqa: F401
from tests.compiler.patterns.programs import CASES, many, program
from tests.errors.expect import refusal

pytestmark = pytest.mark.takes_turns(4)

MATRIX = {"generator": "uniform", "shape": [40, 30], "nnz": 200, "seed": 3}
CSR = {"offset": "A.pos", "cols": "A.crd", "vals": "A.vals", "xs": "x"}


def plan(name: str, arguments: dict[str, str], **more: Any) -> dict[str, Any]:
    text = CASES[name].text if name in CASES else name
    return {"version": 2, "language": "patterns", "expression": text, "arguments": arguments, **more}


def made(document: dict[str, Any]) -> Any:
    read = parse_plan(document)
    bound = lower(read).bound
    assert bound is not None
    return make_arguments(read, bound, {})


def test_a_matrix_of_compressed_rows() -> None:
    result = run(
        plan("P3", CSR, inputs={"A": MATRIX, "x": {"generator": "uniform", "seed": 2}}, schedule=["mapPar(map1)"])
    )
    assert result["verification"]["ok"]
    assert result["verification"]["reference"] == "NumPy, each pattern on all rows at once"
    entries = {entry["id"]: entry for entry in result["entries"]}
    assert list(entries)[:4] == ["heddle", "unscheduled", "notation", "scipy"]
    assert all(entries[name]["available"] for name in ("heddle", "unscheduled", "notation", "scipy"))
    assert entries["notation"]["label"] == "Heddle, y(i) = A(i,j) * x(j)"
    assert "A csr with parallelize(i, CPUThread, NoRaces)" in (entries["notation"]["note"] or "")
    assert [(one["tensor"], one["shape"], one["nnz"]) for one in result["inputs"]] == [
        ("A", [40, 30], 200),
        ("x", [30], 30),
    ]


def test_the_launches_of_work_groups_are_reported() -> None:
    """Their number follows from sizes that arrays tell, and is a plain number as all else in a result."""
    if not devices():
        pytest.skip("there is no OpenCL device: no wheel of a runtime for this machine")
    result = run(plan("P9", CSR, inputs={"A": MATRIX}, target="opencl"))
    assert result["verification"]["ok"]
    assert [one["blocks"] for one in result["launches"]] == [10]
    assert json.loads(json.dumps(result)) == result


@pytest.mark.parametrize("steps", [["pack(cols, vals)"], ["mapPar(map1)", "pack(cols, vals)", "mapSeq(map1)"]])
def test_arguments_follow_steps_that_pack_them(steps: list[str]) -> None:
    result = run(plan("P3", CSR, inputs={"A": MATRIX}, schedule=steps))
    assert result["verification"]["ok"]
    unscheduled = next(entry for entry in result["entries"] if entry["id"] == "unscheduled")
    assert unscheduled["label"] == "Heddle, up to pack(cols, vals)"
    assert unscheduled["available"] == (len(steps) > 1)


@pytest.mark.parametrize("body", ["zip(row, xs) :>> map(*)", "row"])
def test_a_represented_matrix_runs_on_one_that_is_never_dense(body: str) -> None:
    xs = "fun(xs:[float]m => " if "xs" in body else ""
    text = program(many("n", "m"), f"fun(A:[[float]m]n => {xs}A :>> map(fun(row => {body} :>> reduce(+,0.0)")
    large = {"generator": "uniform", "shape": [100_000, 90_000], "nnz": 2000, "seed": 3}
    result = run(plan(text, {}, inputs={"A": large}, schedule=["represent(A, csr)", "mapPar(map1)"]))
    assert result["verification"]["ok"]
    assert result["inputs"][0]["tensor"] == "A"
    notation = next(entry for entry in result["entries"] if entry["id"] == "notation")
    assert notation["label"].startswith("Heddle, y(i) = A(i,j)")


@pytest.mark.parametrize(
    ("name", "arguments", "more", "statement"),
    [
        ("P1", {}, {"inputs": {"A": {"generator": "dense", "shape": [9, 7]}}}, "y(i) = A(i,j) * xs(j)"),
        ("P2", {"lengths": "A.lengths", "cols": "A.crd", "vals": "A.vals"}, {"inputs": {"A": MATRIX}}, "* xs(j)"),
        ("P4", {"offset": "A.pos", "rows": "A.entries", "xs": "v"}, {"inputs": {"A": MATRIX}}, "* v(j)"),
        ("P5", {"offset": "A.pos", "values": "A.vals"}, {"inputs": {"A": MATRIX}}, "y(i) = A(i,j)"),
        (
            "P11",
            {"cols": "A.crd", "vals": "A.vals", "xs": "x"},
            {"inputs": {"A": MATRIX}, "tensors": {"A": {"format": "ell"}}},
            "y(i) = A(i,j) * x(j)",
        ),
        ("P12", {**CSR, "xs": "B"}, {"inputs": {"A": MATRIX, "B": {"generator": "dense", "shape": [30, 3]}}}, "B(j,k)"),
        ("P7", {}, {"inputs": {"xs": {"generator": "dense", "shape": [12]}}}, "L(i,j) * xs(j)"),
        ("P15", {}, {"inputs": {"x": {"generator": "dense", "shape": [50]}}}, None),
        ("P13", {"offset": "A.pos", "vals": "A.vals"}, {"inputs": {"A": MATRIX}}, None),
    ],
)
def test_other_shapes_of_data(
    name: str, arguments: dict[str, str], more: dict[str, Any], statement: str | None
) -> None:
    result = run(plan(name, arguments, target="interpreter", run={"baselines": []}, **more))
    assert result["verification"]["ok"]
    notation = next(entry for entry in result["entries"] if entry["id"] == "notation")
    assert notation["available"] is False
    if statement is None:
        assert notation["label"] == "Heddle, index notation"
    else:
        assert statement in notation["label"]


def test_blocks_tell_their_sizes() -> None:
    document = plan(
        "P8",
        {"offset": "A.pos", "bcols": "A.crd", "blocks": "A.vals", "xs": "xs"},
        inputs={"A": {"generator": "uniform", "shape": [12, 9], "nnz": 30, "seed": 1}},
        tensors={"A": {"format": "bcsr(2,3)"}},
        target="interpreter",
    )
    assert run(document)["verification"]["ok"]
    arguments = made(document)
    assert arguments.values["blocks"].shape[1:] == (2, 3)
    assert arguments.values["xs"].shape == (3, 3)


def test_a_wrong_result_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Reference(np.full(40, 7.5), np.ones(40), "a wrong one")
    monkeypatch.setattr(running, "reference_of", lambda *_: wrong)
    result = run(plan("P3", CSR, inputs={"A": MATRIX}))
    assert not result["verification"]["ok"]
    assert all(entry["samples_ns"] == [] for entry in result["entries"])


def test_another_product_is_not_taken_for_this_one() -> None:
    """Twice the values is no product of the inputs, although all shapes are those of one."""
    text = CASES["P3"].text.replace("x.2 *", "2 * x.2 *")
    result = run(plan(text, CSR, inputs={"A": MATRIX}))
    assert result["verification"]["ok"]
    entries = {entry["id"]: entry for entry in result["entries"]}
    for name in ("notation", "scipy", "mkl"):
        assert (
            entries[name]["reason"] == "No product of these inputs that is known in index notation has the same result."
        )


def test_a_packed_triangle_is_timed_beside_the_product_of_that_matrix() -> None:
    """The rows of the triangle lie one behind another, which no tensor of index notation does."""
    text = (
        "nFun(n => fun(L: [i -> [double]_{i+1}]_n => fun(xs: [double]_n => "
        "L :>> mapi(fun(i => fun(row => zip(row, take(i+1)(xs)) :>> map(*) :>> reduce(+, 0)))))))"
    )
    vector = {"generator": "dense", "shape": [12], "seed": 1}
    result = run({"version": 2, "language": "patterns", "expression": text, "inputs": {"xs": vector}})
    assert result["verification"]["ok"]
    entries = {entry["id"]: entry for entry in result["entries"]}
    assert entries["notation"]["label"] == "Heddle, y(i) = L(i,j) * xs(j)"
    assert entries["notation"]["note"] == "The same result on these inputs, written in index notation: L csr."
    assert entries["notation"]["samples_ns"]
    assert entries["scipy"]["samples_ns"]


def test_a_matrix_in_blocks_is_timed_beside_the_product_of_that_matrix() -> None:
    """Its vectors are arrays of blocks, which are vectors in index notation, and SciPy has such blocks too."""
    matrix = {"generator": "pruned-blocks", "shape": [24, 32], "size": 4, "density": 0.25, "empty": 0, "seed": 1}
    arguments = {"offset": "A.pos", "bcols": "A.crd", "blocks": "A.vals", "xs": "x"}
    asked = plan("P8", arguments, inputs={"A": matrix}, tensors={"A": {"format": "bcsr(4,4)"}})
    result = run(asked)
    assert result["verification"]["ok"]
    entries = {entry["id"]: entry for entry in result["entries"]}
    assert entries["notation"]["label"] == "Heddle, y(i) = A(i,j) * x(j)"
    assert entries["notation"]["samples_ns"]
    assert entries["scipy"]["samples_ns"]
    assert "A in BSR, with the blocks of the kernel." in entries["scipy"]["note"]


def test_drawn_positions_exist() -> None:
    arguments = made(
        plan(
            "P11",
            {},
            inputs={"vals": {"generator": "dense", "shape": [5, 2]}, "xs": {"generator": "dense", "shape": [4]}},
        )
    )
    cols = arguments.values["cols"]
    assert cols.shape == (5, 2)
    assert cols.min() >= 0
    assert cols.max() < 4


@pytest.mark.parametrize(
    ("document", "code", "message"),
    [
        (plan("P3", CSR), "input/argument", "A has no data, and arguments are parts of it."),
        (plan("P3", {}), "input/no-argument", "offset has no argument: nothing says how much n is."),
        (
            plan("P3", CSR, inputs={"A": MATRIX, "x": {"generator": "dense", "shape": [10]}}),
            "runtime/index-range",
            "and xs has 10 elements.",
        ),
        (
            plan("P3", {**CSR, "offset": "A.row"}, inputs={"A": MATRIX}),
            "input/argument",
            "offset takes A.row, and A has A.vals, A.pos",
        ),
        (
            plan("P1", {"A": "B"}, inputs={"B": MATRIX}, tensors={"B": {"format": "csr"}}),
            "input/argument",
            "B is csr, and an argument is one array: take a part of it, as B.vals.",
        ),
        (
            plan("P3", CSR, inputs={"A": MATRIX, "vals": {"generator": "dense"}}),
            "input/not-an-argument",
            "The plan has data for vals, which no parameter takes",
        ),
        (
            plan("P3", CSR, inputs={"A": {"generator": "uniform", "nnz": 3}}),
            "input/argument",
            "The generator of A says no shape.",
        ),
        (
            plan(program(many("n"), "fun(k:[int]_n => k :>> map(fun(v => v + 1"), {}, tensors={}),
            "input/unknown-size",
            "The size n of k is unknown: no input has it.",
        ),
        (
            plan("P7", {}, sizes={"n": 4}, inputs={"xs": {"generator": "dense", "shape": [5]}}),
            "input/size-conflict",
            "The plan fixes n = 4, but an input has 5 of it.",
        ),
    ],
)
def test_bad_input(document: dict[str, Any], code: str, message: str) -> None:
    diagnostic = refusal(lambda: run(document))
    assert diagnostic.code == code
    assert message in diagnostic.message


def test_what_could_be_taken_is_said() -> None:
    diagnostic = refusal(lambda: run(plan("P3", {})))
    assert diagnostic.hint == (
        "Take the arguments from a matrix (on the page, or as arguments of a plan): offset = A.pos, cols = A.crd, "
        "vals = A.vals."
    )


def test_all_sizes_that_nothing_tells_are_named_at_once() -> None:
    text = program(many("n", "m"), "fun(k:int => fun(A:[[float]m]n => A :>> map(map(fun(v => v * k")
    diagnostic = refusal(lambda: run(plan(text, {})))
    assert diagnostic.code == "input/unknown-size"
    assert diagnostic.message == "The sizes n, m and k are unknown: no input has them."
    assert diagnostic.hint == (
        "Give n, m and k a number (their fields below the expression, or sizes in a plan), or choose a data set or a "
        "generator with a shape for A and k."
    )
    assert made(plan(text, {}, sizes={"n": 3, "m": 2, "k": 5})).values["k"] == 5


@pytest.mark.parametrize("name", ["P1", "P7", "P10", "P11", "P14", "P15"])
def test_sizes_of_the_plan_make_the_arguments(name: str) -> None:
    """As the page's fields give them; positions are drawn from those that there are."""
    bound = lower(parse_plan(plan(name, {}))).bound
    assert bound is not None
    sizes = dict.fromkeys(bound.program.numbers, 6)
    assert run(plan(name, {}, sizes=sizes, target="interpreter", run={"baselines": []}))["verification"]["ok"]


def test_a_drawn_permutation_has_each_position_once() -> None:
    text = program(many("n"), "fun(p:[idx(n)]_n => fun(x:[float]n => x :>> scatter(p)")
    drawn = made(plan(text, {}, sizes={"n": 9})).values["p"]
    assert sorted(drawn) == list(range(9))


def test_too_much_for_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    import heddle.patterns.batched.values as values

    monkeypatch.setattr(values, "MOST_POINTS", 100)
    diagnostic = refusal(lambda: run(plan("P3", CSR, inputs={"A": MATRIX})))
    assert diagnostic.code == "run/no-reference"
    assert "200 points" in diagnostic.message


def test_every_contender_has_a_colour_a_pattern_and_a_symbol() -> None:
    names = set(get_args(Identity)) - {"callable"}  # which only the library times
    assert names == COLOURS.keys() == PATTERNS.keys() == SYMBOLS.keys()
    assert len(set(COLOURS.values())) == len(set(PATTERNS.values())) == len(set(SYMBOLS.values())) == len(names)
