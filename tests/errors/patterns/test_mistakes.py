"""Mistakes in programs of patterns: each with its text, its place, what was expected and what to do."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.diagnostics import CompileError, Diagnostic
from tests.compiler.patterns.programs import CASES, ROW, many, program

TWO = many("n", "m")
ONE = many("n")
RAGGED = f"fun(offset:[int]n+1 => fun(v:[i -> [float]{ROW}]n => "


def mistake(text: str, target: str = "interpreter") -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        hd.compile(text, language="patterns", target=target)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("text", "code", "message", "place"),
    [
        (
            program(TWO, "fun(xs:[float]m => fun(ys:[float]n => zip(xs,ys) :>> map(*)"),
            "zip-length",
            "zip pairs arrays of one length; these have m and n.",
            "zip(xs,ys)",
        ),
        (
            program("", "fun(x:[float]_64 => x :>> split(7) :>> map(reduce(+,0.0)"),
            "not-divisible",
            "Pieces of 7 do not divide 64 elements.",
            "7",
        ),
        (
            program(ONE, f"{RAGGED}v :>> transpose :>> map(reduce(+,0.0)"),
            "ragged-transpose",
            "Only rows of one length can be transposed; here row i has offset@(i + 1) - offset@i elements.",
            "v",
        ),
        (
            program(ONE, "fun(A:[[float]n]n => A :>> map(reduce(+)"),
            "arguments",
            "reduce is written reduce(+, 0); it has 2 of 3 arguments here.",
            "reduce(+)",
        ),
        (
            program(ONE, "fun(x:[float]n => x :>> reduce(-,0)"),
            "not-associative",
            "reduce combines in any order, which changes the result of -.",
            "-",
        ),
        (
            program(ONE, "fun(x:[float]n => x :>> reduce(+,1)"),
            "not-neutral",
            "reduce(+, 1) may start several partial results, and each of them would have 1 more.",
            "1",
        ),
        (
            program(ONE, "fun(lengths:[int]n => fun(v:[i -> [float]toNat(lenghts@i)]n => v :>> map(reduce(+,0.0)"),
            "unknown-name",
            "`lenghts` is not defined here.",
            "lenghts",
        ),
        (program(ONE, "fun(n:[int]n => n"), "name-conflict", "n is a size already.", "fun(n:[int]n => n)"),
        (
            program(ONE, "fun(vals:[float]n => fun(v:[i -> [float]toNat(vals@i)]n => v :>> map(reduce(+,0.0)"),
            "to-nat",
            "toNat takes an int, and this is float.",
            "vals@i",
        ),
        (
            program(ONE, "fun(l:[int]n => l :>> take(toNat(l :>> reduce(+,0)))"),
            "to-nat-computed",
            "toNat takes what can be computed from the parameters alone, before the kernel runs.",
            "l :>> reduce(+,0)",
        ),
        (
            program(ONE, "fun(v:[i -> i == 0 ? int : float]n => v"),
            "only-lengths",
            "Only lengths may depend on a position; the elements of an array are all of one kind.",
            "i",
        ),
        (
            program(ONE, "fun(offset:[int]n+1 => fun(v:[i -> [float]toNat(offset@i - offset@(i+1))]n => v"),
            "negative-length",
            "offset@i - offset@(i + 1) is negative where offset ascends: with offset = 0, 2, 2, 5, 7 row 0 would have "
            "-2 elements.",
            "[i -> [float]toNat(offset@i - offset@(i+1))]n",
        ),
        (
            program(TWO, "fun(r:[(int,float)]n => fun(xs:[float]m => r :>> map(fun(x => x.2*(xs@x.2)))"),
            "index-type",
            "An index is an int, and this is float.",
            "x.2",
        ),
        (
            program(ONE, "fun(x:[(int,float)]n => x :>> map(fun(p => p.3)"),
            "projection",
            "A pair has the fields .1 and .2, not .3.",
            ".3",
        ),
        (
            "fun(x => x :>> map(fun(y => y)))",
            "parameter-type",
            "x is a parameter of the program, and its type is not written.",
            "fun(",
        ),
        (
            "nFun(n => fun(x:[float]n => x :>> map(fun(y => y)))",
            "syntax",
            "Expected `)`, found the end of the text.",
            ")",
        ),
        (
            program(ONE, "fun(x:[float]n => x :>> mapLocal(fun(y => y+1.0)"),
            "unit",
            "mapLocal stands outside of mapWorkgroup.",
            "x :>> mapLocal(fun(y => y+1.0))",
        ),
        (
            program(TWO, "fun(A:[[float]m]n => A :>> mapWorkgroup(fun(r => r :>> toLocal :>> reduce(+,0))"),
            "local-size",
            "Memory of a work-group or a thread has a size that is a number, and this is [float]_m.",
            "toLocal",
        ),
        (
            "(" * 70 + "1" + ")" * 70,
            "too-deep",
            "Terms are more than 64 levels inside one another.",
            "(",
        ),
        (
            program(ONE, "fun(x:[float]n => x :>> map(fun(y => " + "-" * 500 + "y))"),
            "too-deep",
            "Terms are more than 64 levels inside one another.",
            "-",
        ),
        (
            program(ONE, "fun(x:[float]n => x :>> map(fun(y => " + "y < 1.0 ? y : " * 500 + "y))"),
            "too-deep",
            "Terms are more than 64 levels inside one another.",
            "y",
        ),
        (
            program(ONE, "fun(x:" + "[" * 100 + "float" + "]n" * 100 + " => x"),
            "too-deep",
            "Terms are more than 64 levels inside one another.",
            "[",
        ),
        (
            program(ONE, "fun(x:[float]n => x :>> map(fun(y => " + "y + " * 1500 + "y))"),
            "too-deep",
            "Terms are more than 200 levels inside one another, each of a chain of operators being one.",
            "y",
        ),
        (
            program(ONE, "fun(x:[float]_{" + "n + " * 500 + "n} => x"),
            "too-deep",
            "Terms are more than 200 levels inside one another, each of a chain of operators being one.",
            "n",
        ),
        (
            program(ONE, "fun(x:[float]n => take(9223372036854775808)(x)"),
            "number",
            "The number does not fit into 64 bits.",
            "9223372036854775808",
        ),
        (
            program(ONE, f"fun(x:[float]n => take({'9' * 5000})(x)"),
            "number",
            "The number does not fit into 64 bits.",
            "9",
        ),
        (
            program("", "fun(x:[float]_{4294967296*4294967296} => x"),
            "number",
            "A number of 65 bits, which comes of literals and lengths, is no value of int64.",
            "x",
        ),
        (
            program(ONE, "fun(x:[int]n => x :>> map(fun(y => y + 3000000000))"),
            "number",
            "A number of 32 bits, which comes of literals and lengths, is no value of int32.",
            "x :>> map(fun(y => y + 3000000000))",
        ),
        ("x" * 8_193, "too-long", "The program has 8,193 characters; at most 8,192 are read.", "x"),
        (
            program(ONE, "fun(x:[float]n => x" + " :>> map(fun(y => y + 1.0))" * 65),
            "too-many",
            "The program has more than 64 patterns.",
            "map",
        ),
        (program(ONE, "fun(x:[half]n => x"), "type-name", "`half` is not a type.", "half"),
        ("nFun(n => $)", "character", "`$` has no meaning here.", "$"),
        (
            program(ONE, "fun(x:[(int,float)]n => x"),
            "result-pair",
            "A result is one array, and this is an array of pairs or a pair.",
            "x",
        ),
        (
            program(ONE, f"{RAGGED}v :>> join :>> reverse"),
            "only-visited",
            "Rows of different lengths are joined here, and one element of the result is asked for: finding its row "
            "would take a search.",
            "join",
        ),
        (
            program(ONE, "fun(x:[float]n => x :>> iterate(n, reverse)"),
            "iterate",
            "How often iterate applies its function must be a number in the text.",
            "n",
        ),
        (
            program(ONE, "fun(x:[float]n => fun(y:[float]n => x :>> map(fun(a => y@(a == 0.0 ? 1 : 0)))"),
            "index-type",
            "This index is computed in a way that lengths cannot say, so nothing can be known of it.",
            "a == 0.0 ? 1 : 0",
        ),
    ],
)
def test_a_mistake_is_named_where_it_is(text: str, code: str, message: str, place: str) -> None:
    found = mistake(text)
    assert (found.code, found.message) == (f"patterns/{code}", message)
    assert found.expected
    assert found.location is not None
    marked = text[found.location.start : found.location.end]
    assert marked == place or (code in ("too-long", "too-deep", "only-visited", "number") and marked.endswith(place))


def test_units_are_those_of_the_target() -> None:
    found = mistake(CASES["P9"].text, "c")
    assert (found.code, found.message) == ("patterns/unit", "mapWorkgroup does not run on this target.")
    assert found.hint == "Write mapPar or mapSeq."
    text = program(ONE, "fun(x:[float]n => x :>> mapPar(fun(y => y+1.0)")
    (other,) = hd.lower(text, language="patterns", target="cuda").diagnostics
    assert (other.code, other.expected) == ("patterns/unit", "mapGlobal or mapWorkgroup")


def test_repairs_compile() -> None:
    text = program(ONE, "fun(lengths:[int]n => fun(v:[i -> [float]toNat(lenghts@i)]n => v :>> map(reduce(+,0.0)")
    (fix,) = mistake(text).fixes
    assert fix.title == "Write lengths"
    assert fix.expression is not None
    assert hd.lower(fix.expression, language="patterns").ok
    (fix,) = mistake("nFun(n => fun(x:[float]n => x :>> map(fun(y => y)))").fixes
    assert fix.expression is not None
    assert hd.lower(fix.expression, language="patterns").ok
    (fix,) = mistake(program(ONE, "fun(x:[float]n => x :>> reduce(-,0)")).fixes
    assert fix.expression == program(ONE, "fun(x:[float]n => x :>> reduceSeq(-,0)")
    assert hd.lower(fix.expression, language="patterns").ok


@pytest.mark.parametrize(
    ("step", "code", "message"),
    [
        ("sums(vals)", "step", "sums takes an array and a strategy, found 1 arguments."),
        ("sums(v, memo)", "unknown-array", "v is not a parameter of the program."),
        ("sums(vals, fast)", "strategy", "Sums are auto, closed, memo, loop, not fast."),
        ("split(i, i0, i1, 32)", "step", "`split(i, i0, i1, 32)` is not a step of this language."),
    ],
)
def test_steps_that_are_none(step: str, code: str, message: str) -> None:
    (found,) = hd.lower(CASES["P3"].text, language="patterns", schedule=[step]).diagnostics
    assert (found.code, found.message) == (f"patterns/{code}", message)
    assert found.location is not None
    assert found.location.command == 0


SUMS = "A :>> map(reduce(+, 0.0))"


@pytest.mark.parametrize(
    ("body", "place", "often"),
    [
        (f"{SUMS} :>> slide(3, 1) :>> map(reduce(+, 0.0)", SUMS, "3 times, once for each window that it is in"),
        (f"gather(pick, {SUMS})", SUMS, "once for each index that names it"),
        (f"let s = {SUMS} in zip(s, s) :>> map(*)", SUMS, "2 times, once for each s"),
    ],
)
def test_work_that_nothing_keeps_is_warned_of(body: str, place: str, often: str) -> None:
    head = "fun(A:[[float]m]n => fun(pick:[idx(n)]_4 => "
    text = program(TWO, head + body)
    result = hd.lower(text, language="patterns")
    assert result.ok
    (found,) = result.diagnostics
    assert (found.code, found.severity.value) == ("patterns/recomputed", "warning")
    assert found.message == f"Each element of this array takes a loop, and is computed {often}."
    assert found.location is not None
    assert text[found.location.start : found.location.end] == place
    kept = program(TWO, head + body.replace(SUMS, f"({SUMS} :>> toGlobal)"))
    assert not hd.lower(kept, language="patterns").diagnostics


def test_windows_that_do_not_overlap_and_cheap_elements_are_not_warned_of() -> None:
    for body in (f"{SUMS} :>> slide(2, 2) :>> map(reduce(+, 0.0)", "A :>> join :>> slide(3, 1) :>> map(reduce(+, 0.0)"):
        assert not hd.lower(program(TWO, f"fun(A:[[float]m]n => {body}"), language="patterns").diagnostics
