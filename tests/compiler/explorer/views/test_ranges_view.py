"""What the page shows of the ranges of a comprehension is what inference found, as far as it came."""

from __future__ import annotations

import heddle as hd
from heddle.explorer.views import compile_view
from heddle.explorer.views.ranges import ranges_view
from heddle.explorer.views.ranges_schema import RangesView

CONV = "def conv(float(H,W) I, float(KH,KW) K) -> (O) { O(h,w) +=! I(2*h+kh,w+kw) * K(kh,kw) }"


def view(text: str, **sizes: int) -> RangesView:
    found = ranges_view(text, sizes)
    assert found is not None
    return found


def test_rounds_and_answers_are_those_of_the_inference() -> None:
    made = view(CONV, KW=2)
    assert made["complete"]
    (statement,) = made["statements"]
    assert [(one["number"], one["access"], one["constraint"], one["interval"]) for one in statement["rounds"]] == [
        (1, "K(kh,kw)", "0 <= kh < KH", "0:KH"),
        (1, "K(kh,kw)", "0 <= kw < 2", "0:2"),
        (2, "I(2*h+kh,w+kw)", "0 <= 2*h + kh < H", "0:(H - KH) / 2 + 1"),
        (2, "I(2*h+kh,w+kw)", "0 <= kw + w < W", "0:W - 1"),
    ]
    assert [
        (one["name"], one["interval"], one["start"], one["end"], one["reduced"]) for one in statement["variables"]
    ] == [
        ("h", "0:(H - KH) / 2 + 1", 0, 3, False),
        ("w", "0:W - 1", 0, 7, False),
        ("kh", "0:KH", 0, 3, True),
        ("kw", "0:2", 0, 2, True),
    ]
    assert [(one["name"], one["value"], one["example"]) for one in made["sizes"]] == [
        ("H", 8, True),
        ("W", 8, True),
        ("KH", 3, True),
        ("KW", 2, False),
    ]
    assert made["results"] == [{"name": "O", "dimensions": ["0:(H - KH) / 2 + 1", "0:W - 1"]}]
    assert CONV[statement["first"] : statement["last"]] == statement["text"]
    for variable in statement["variables"]:
        assert variable["at"] is not None
        assert CONV[: variable["at"]].endswith(variable["name"])


def test_what_was_found_stays_where_a_range_is_missing() -> None:
    made = view("def f(float(B,H) in) -> (O) { O(b,i) max=! in(b,2*i+k) }")
    assert not made["complete"]
    assert made["results"] == made["checks"] == []
    (statement,) = made["statements"]
    assert {one["name"]: one["interval"] for one in statement["variables"]} == {"b": "0:B", "i": None, "k": None}
    assert [one["variable"] for one in statement["rounds"]] == ["b"]


def test_all_that_is_checked_at_the_call_is_listed() -> None:
    made = view(
        """def f(float(N) a, int d, int(M) I, float(K) c) -> (float(M) b) {
            t(j) = a(I(j)) + c(0)
            b(j) = (j < M && t(j) > 0) ? a(j+d) : 0 where j in 0:M
            b(j) = b(j) + a(j/d) where j in 0:K }"""
    )
    assert [(one["statement"], one["what"]) for one in made["checks"]] == [
        (0, "0 <= 0 < K"),
        (1, "0 <= d + j < N"),
        (2, "0 <= j < M"),
        (2, "0 <= j / d < N"),
        (0, "0 <= I(j) < N"),
        (2, "j/d"),
        (None, "M = K"),
        (None, "K = M"),
    ]
    assert made["checks"][1]["why"] == "a(j+d) stays inside of a wherever its condition holds"


def test_calls_show_inlays_in_the_text_of_what_they_call() -> None:
    made = view(
        """def g(float(N) x) -> (y) { y(i) = 2 * x(i) }
        def f(float(M) a) -> (b) { t = g(a)  (b) = g(t) }"""
    )
    assert [[one["at"] for one in statement["variables"]] for statement in made["statements"]] == [[30], [30]]
    joined = view("def f(float(M,N) A, float(M,K) B) -> (O) { O = concat(A, B) }")
    assert [one["at"] for one in joined["statements"][0]["variables"]] == [None, None]


def test_only_comprehensions_whose_names_have_a_meaning_have_ranges() -> None:
    assert ranges_view("def f(float(N) a) -> (b) { b(i) = c(i) }", {}) is None
    assert ranges_view("def f(", {}) is None
    assert compile_view(hd.lower("y(i) = x(i)"))["ranges"] is None
    shown = compile_view(hd.lower(CONV, language="comprehension"))["ranges"]
    assert shown == ranges_view(CONV, {})
