from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from heddle.frontends.table import LANGUAGES
from heddle.plan import parse_plan, plan_from_arguments, plan_hash, to_document

EXPRESSION = "y(i) = A(i,j) * x(j)"
sizes = st.integers(0, 2**31 - 1)
specs = st.fixed_dictionaries(
    {}, optional={"format": st.sampled_from(["csr", "ds", "dense"]), "dtype": st.just("float32")}
)
inputs = st.one_of(
    st.just({"dataset": "bcsstk13"}),
    st.builds(lambda digits: {"upload": f"sha256:{digits}"}, st.text("0123456789abcdef", min_size=64, max_size=64)),
    st.fixed_dictionaries(
        {"generator": st.just("rmat"), "shape": st.lists(sizes, min_size=2, max_size=2)},
        optional={"seed": st.integers(0, 2**53), "density": st.floats(0, 1)},
    ),
)
runs = st.fixed_dictionaries({}, optional={"baselines": st.just(["mkl"]), "threads": st.none() | st.integers(1, 8)})
documents = st.fixed_dictionaries(
    {"expression": st.just(EXPRESSION)},
    optional={
        "version": st.sampled_from([1, 2]),
        "language": st.sampled_from(LANGUAGES),
        "tensors": st.dictionaries(st.sampled_from(["A", "x", "y"]), specs),
        "schedule": st.lists(st.sampled_from(["split(i,i0,i1,2)", "", "# note"])),
        "target": st.sampled_from(["c", "cuda", "opencl", "interpreter"]),
        "inputs": st.dictionaries(st.just("A"), inputs),
        "run": runs,
        "options": st.fixed_dictionaries({}, optional={"convert": st.sampled_from(["never", "automatic"])}),
    },
)


@given(documents)
def test_the_canonical_document_is_a_fixed_point(document: dict[str, object]) -> None:
    plan = parse_plan(document)
    canonical = to_document(plan)
    again = parse_plan(json.loads(json.dumps(canonical)))
    assert to_document(again) == canonical
    assert plan_hash(again) == plan_hash(plan)


def test_defaults_are_left_out() -> None:
    spelled_out = {
        "version": 1,
        "expression": EXPRESSION,
        "language": "notation",
        "tensors": {"A": {"format": "dense", "dtype": "float64"}, "x": {}},
        "schedule": ["# nothing"],
        "target": "c",
        "inputs": {},
        "run": {"baselines": ["scipy", "mkl"], "threads": None},
        "options": {"convert": "never"},
    }
    assert to_document(parse_plan(spelled_out)) == {"version": 1, "expression": EXPRESSION}
    assert plan_hash(parse_plan(spelled_out)) == plan_hash(parse_plan({"expression": EXPRESSION}))


def test_a_plan_keeps_its_version() -> None:
    assert to_document(parse_plan({"version": 2, "expression": EXPRESSION})) == {"version": 2, "expression": EXPRESSION}
    assert to_document(parse_plan({"expression": EXPRESSION})) == {"version": 1, "expression": EXPRESSION}
    assert to_document(plan_from_arguments(EXPRESSION)) == {"version": 2, "expression": EXPRESSION}


def test_the_order_of_keys_and_the_spelling_of_numbers_do_not_matter() -> None:
    one = {"expression": EXPRESSION, "inputs": {"A": {"generator": "rmat", "seed": 7.0}, "x": {"dataset": "v"}}}
    other = {"inputs": {"x": {"dataset": "v"}, "A": {"seed": 7, "generator": "rmat"}}, "expression": EXPRESSION}
    assert plan_hash(parse_plan(one)) == plan_hash(parse_plan(other))


def test_what_differs_has_another_hash() -> None:
    plans = [
        {"expression": EXPRESSION},
        {"version": 2, "expression": EXPRESSION},
        {"expression": EXPRESSION + " "},
        {"expression": EXPRESSION, "tensors": {"A": {"format": "csr"}}},
        {"expression": EXPRESSION, "tensors": {"A": {"shape": [2, 3]}}},
        {"expression": EXPRESSION, "tensors": {"A": {"shape": [3, 2]}}},
        {"expression": EXPRESSION, "schedule": ["unroll(i,2)", "unroll(j,2)"]},
        {"expression": EXPRESSION, "schedule": ["unroll(j,2)", "unroll(i,2)"]},
        {"expression": EXPRESSION, "target": "cuda"},
        {"expression": EXPRESSION, "run": {"baselines": []}},
        {"expression": EXPRESSION, "run": {"threads": 1}},
    ]
    assert len({plan_hash(parse_plan(plan)) for plan in plans}) == len(plans)


def test_text_that_is_no_unicode_still_has_a_hash() -> None:
    assert len(plan_hash(parse_plan({"expression": "y = \ud800"}))) == 64
