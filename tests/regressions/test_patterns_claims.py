"""What programs in patterns claim of their arguments is checked for every position, and nothing is read outside of an
array: arguments that break a claim are refused, all others give what the program means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from tests.compiler.patterns.programs import many, program

ONES = np.ones(8, np.float32)


def outcome(text: str, **arguments: Any) -> str | list[float]:
    """The result, or the code of what is refused, at the compile or at the call."""
    try:
        kernel = hd.compile(text, language="patterns", target="interpreter")
        result: list[float] = kernel(**arguments).to_numpy().reshape(-1).tolist()
        return result
    except CompileError as error:
        return error.diagnostics[0].code


def test_a_claim_about_another_loop_is_not_the_same_claim() -> None:
    """Both loops have a position i; the second one runs further than z has elements."""
    sums = " + ".join(f"({one} :>> mapi(fun(i => fun(v => v + (z@i)))) :>> reduce(+, 0.0))" for one in "xy")
    text = program(many("n", "m"), f"fun(x:[float]n => fun(y:[float]m => fun(z:[float]_4 => {sums}")
    assert outcome(text, x=ONES[:3], y=ONES[:4], z=ONES[:4]) == [14.0]
    assert outcome(text, x=ONES[:3], y=ONES[:6], z=ONES[:4]) == "runtime/negative-length"


def test_arrays_of_other_numbers_of_rows_have_starts_of_their_own() -> None:
    types = "fun(l:[int]_6 => fun(a:[i -> [float]toNat(l@i)]n => fun(b:[i -> [float]toNat(l@i)]m => "
    both = "(a :>> map(reduce(+, 0.0)) :>> reduce(+, 0.0)) + (b :>> map(reduce(+, 0.0)) :>> reduce(+, 0.0))"
    lengths = np.array([1, 2, 0, 1, 1, 9])
    for first, second in (("n", "m"), ("m", "n")):
        text = program(many(first, second), types + both)
        assert outcome(text, l=lengths, a=ONES[:3], b=ONES[:5], n=3, m=5) == [8.0]


def test_a_claim_about_the_first_rows_says_nothing_of_the_others() -> None:
    natural = program(
        many("n"),
        "fun(l:[int]_4 => fun(a:[i -> [float]toNat(l@i)]_2 => fun(x:[float]n => "
        "iota(4) :>> map(fun(i => x :>> take(l@i) :>> reduce(+, 0.0)",
    )
    assert outcome(natural, l=np.array([1, 2, 0, 4]), a=ONES[:3], x=ONES[:5]) == [1.0, 2.0, 0.0, 4.0]
    assert outcome(natural, l=np.array([1, 2, 0, -4]), a=ONES[:3], x=ONES[:5]) == "runtime/negative-length"
    ascending = program(
        many("n"),
        "fun(o:[int]_5 => fun(a:[i -> [float]toNat(o@(i+1)-o@i)]_2 => fun(x:[float]n => "
        "iota(2) :>> map(fun(i => x :>> take(o@(i+3)-o@(i+2)) :>> reduce(+, 0.0)",
    )
    assert outcome(ascending, o=np.array([0, 1, 3, 3, 5]), a=ONES[:3], x=ONES[:5]) == [0.0, 2.0]
    assert outcome(ascending, o=np.array([0, 1, 3, 2, 5]), a=ONES[:3], x=ONES[:5]) == "runtime/offsets"


def test_a_claim_about_rows_that_there_are_not_says_nothing() -> None:
    text = program(
        many("k", "n"),
        "fun(l:[int]n => fun(a:[[i -> [float]toNat(l@i)]n]k => fun(x:[float]_4 => "
        "iota(n) :>> map(fun(i => x :>> take(l@i) :>> reduce(+, 0.0)",
    )
    assert outcome(text, l=np.array([1, -1]), a=ONES[:0], x=ONES[:4], k=0) == "runtime/negative-length"


@pytest.mark.parametrize("type", ["int", "long"])
@pytest.mark.parametrize(
    "body",
    [
        "x :>> take(q)",
        "x :>> drop(q)",
        "x :>> pad(q, 1, 0.0)",
        "x :>> pad(1, q, clamp)",
        "x :>> slide(q, 1) :>> map(reduce(+, 0.0))",
        "x :>> splitUp(q) :>> map(reduce(+, 0.0))",
        "x :>> deal(q) :>> map(reduce(+, 0.0))",
        "iota(q) :>> map(fun(i => i + 1))",
        "generate(q, fun(i => i + 1))",
        "zeros(q)",
        "x@q",
    ],
)
def test_an_int_may_be_negative_and_is_refused_where_it_must_not_be(type: str, body: str) -> None:
    text = program(many("n"), f"fun(q:{type} => fun(x:[float]n => {body}")
    assert outcome(text, q=-1, x=ONES[:3]) == "runtime/negative-length"
    assert isinstance(outcome(text, q=1, x=ONES[:3]), list)


def test_a_number_in_the_text_that_is_negative_is_refused_at_the_compile() -> None:
    for body in ("pad(-1, 0, 0.0)", "take(-2)", "drop(-2)"):
        assert outcome(program(many("n"), f"fun(x:[float]n => x :>> {body}"), x=ONES) == "patterns/negative-length"


def test_a_length_is_divided_by_a_positive_one_alone() -> None:
    quotient = program(many("n", "k"), "fun(x:[float]_{n/k} => fun(y:[float]n => x")
    assert outcome(quotient, x=ONES[:2], y=ONES[:4], k=2) == [1.0, 1.0]
    assert outcome(quotient, x=ONES[:2], y=ONES[:4], k=0) == "runtime/negative-length"
    data = program(many("n"), "fun(q:int => fun(x:[float]_{n % toNat(q)} => fun(y:[float]n => x")
    assert outcome(data, x=ONES[:1], y=ONES[:4], q=3) == [1.0]
    assert outcome(data, x=ONES[:1], y=ONES[:4], q=0) == "runtime/negative-length"
    assert outcome(data, x=ONES[:1], y=ONES[:4], q=-3) == "runtime/size-mismatch"


def test_starts_with_halves_are_exact() -> None:
    """Row i has i more elements than the data say: i*(i - 1)/2 of them lie in front."""
    text = program(many("n"), "fun(l:[int]n => fun(a:[i -> [float]_{i+toNat(l@i)}]n => a :>> map(reduce(+,0.0)")
    values = np.arange(1, 7, dtype=np.float32)
    assert outcome(text, l=np.array([1, 2, 0]), a=values) == [1.0, 9.0, 11.0]


def test_a_size_may_be_called_row() -> None:
    text = program(
        many("row", "n"), "fun(l:[int]n => fun(a:[i -> [float]_{toNat(l@i)+row}]n => a :>> map(reduce(+,0.0)"
    )
    values = np.arange(1, 7, dtype=np.float32)
    assert outcome(text, l=np.array([1, 2, 0]), a=values, row=1) == [3.0, 12.0, 6.0]


@pytest.mark.parametrize(
    "body",
    [
        "A :>> map(reduce(+,0.0)) :>> pad(1,1,0.0)",
        "A :>> map(reduce(+,0.0)) :>> pad(1,1,clamp)",
        "x :>> map(toPrivate) :>> pad(1,1,0.0)",
        "concat(x :>> map(toPrivate), x) :>> reverse",
        "concat(A :>> map(reduce(+,0.0)), x) :>> reverse",
    ],
)
def test_statements_do_not_run_for_elements_that_are_not_there(body: str) -> None:
    text = program(many("n", "m"), f"fun(A:[[float]m]n => fun(x:[float]n => {body}")
    assert outcome(text, A=np.ones((2, 3), np.float32), x=ONES[:2]) == "patterns/only-visited"


def test_kept_elements_are_padded() -> None:
    text = program(many("n", "m"), "fun(A:[[float]m]n => A :>> map(reduce(+,0.0)) :>> toGlobal :>> pad(1,1,0.0)")
    assert outcome(text, A=np.ones((2, 3), np.float32)) == [0.0, 3.0, 3.0, 0.0]


def test_nothing_cannot_be_wrapped() -> None:
    text = program(many("n"), "fun(x:[float]n => x :>> pad(1,1,wrap)")
    assert outcome(text, x=np.array([1.0, 2.0])) == [2.0, 1.0, 2.0, 1.0]
    assert outcome(text, x=ONES[:0]) == "runtime/negative-length"


def test_only_a_permutation_as_it_is_scatters() -> None:
    through = program(
        many("n"), "fun(x:[float]n => fun(p:[int]n => fun(o:[int]n => scatter(o :>> map(fun(j => p@j)), x)"
    )
    order = np.array([2, 0, 1])
    assert outcome(through, x=ONES[:3], p=order, o=np.array([0, 0, 1])) == "patterns/scatter"
    fields = program(many("n"), "fun(x:[float]n => fun(p:[(int,int)]n => scatter(p :>> map(fun(q => q.1)), x)")
    assert outcome(fields, x=ONES[:3], p=(order, order)) == "patterns/scatter"
    longer = program(many("n", "m"), "fun(x:[float]n => fun(p:[int]m => scatter(p, x)")
    assert outcome(longer, x=ONES[:3], p=order) == "patterns/scatter-length"
    plain = program(many("n"), "fun(x:[float]n => fun(p:[int]n => scatter(p, x)")
    assert outcome(plain, x=np.arange(3.0), p=order) == [1.0, 2.0, 0.0]


def test_a_ragged_result_whose_lengths_are_data_has_its_offsets() -> None:
    text = program(many("n"), "fun(l:[int]n => fun(a:[i -> [float]toNat(l@i)]n => a :>> map(map(fun(v => v * 2.0")
    kernel = hd.compile(text, language="patterns", target="interpreter")
    result = kernel(l=np.array([2, 0, 1]), a=ONES[:3])
    assert result.to_list() == [[2.0, 2.0], [], [2.0]]


NESTED = "fun(nested:[i -> [j -> [float]_{i+j}]_{i+1}]n => "


def test_rows_of_rows_are_joined_only_where_they_are_alike() -> None:
    assert outcome(program(many("n"), f"{NESTED}nested :>> join"), nested=ONES[:3], n=2) == "patterns/ragged-join"
    each = program(many("n"), f"{NESTED}nested :>> map(join) :>> join")
    assert outcome(each, nested=np.arange(3.0), n=2) == [0.0, 1.0, 2.0]


def test_rows_of_no_elements_are_joined() -> None:
    text = program(many("n"), "fun(a:[[float]_0]n => concat(a :>> join, zeros(2)) :>> reverse")
    assert outcome(text, a=np.ones((3, 0), np.float32)) == [0.0, 0.0]


def test_rows_of_different_lengths_are_not_scattered() -> None:
    text = program(many("n"), "fun(t:[i -> [float]_{i+1}]n => fun(p:[int]n => scatter(p, t)")
    assert outcome(text, t=ONES[:3], p=np.array([1, 0])) == "patterns/scatter"


def test_a_pair_of_arrays_has_no_place_in_an_array() -> None:
    text = program(
        many("n", "m"),
        "fun(a:[[float]m]n => fun(b:[float]n => zip(a, b) :>> toGlobal :>> map(fun(p => p.1 :>> reduce(+, 0.0)",
    )
    assert outcome(text, a=np.ones((2, 3)), b=ONES[:2]) == "patterns/record"
    typed = program(many("n", "m"), "fun(a:[([float]m, float)]n => a :>> map(fun(p => p.2)")
    assert outcome(typed, a=ONES) == "patterns/record"


def test_threads_are_not_unrolled() -> None:
    text = program(many("n"), "fun(x:[float]n => x :>> mapUnroll(fun(v => v + 1.0)) :>> mapPar(fun(v => v * 2.0)")
    assert outcome(text, x=ONES[:3]) == [4.0, 4.0, 4.0]


def test_elements_behind_a_joined_array_are_not_read_from_it() -> None:
    text = program(
        many("n", "m"),
        "fun(l:[int]n => fun(a:[i -> [float]toNat(l@i)]n => fun(x:[float]m => concat(a :>> join, x) :>> scan(+, 0)",
    )
    assert outcome(text, l=np.array([0, 1, 1]), a=ONES[:2], x=ONES[:2]) == [1.0, 2.0, 3.0, 4.0]


def test_claims_may_be_about_what_is_added_up() -> None:
    text = program(
        many("n"),
        "fun(l:[int]n => fun(a:[i -> [float]toNat(l@i)]n => a :>> map(drop(1)) :>> join :>> map(fun(v => v * 2.0)",
    )
    assert outcome(text, l=np.array([2, 1]), a=np.arange(3.0)) == [2.0]
    assert outcome(text, l=np.array([2, 0]), a=np.arange(2.0)) == "runtime/negative-length"


def test_proofs_end() -> None:
    """Lengths of pieces of pieces of bands ask more questions than anybody has time for."""
    text = program(many("n", "k"), "fun(b:[i -> [float]_{min(2, n-i)}]n => b :>> split(3) :>> drop(k) :>> deal(2)")
    assert outcome(text, b=ONES[:5], n=3, k=0) == [1.0] * 5
