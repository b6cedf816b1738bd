"""The patterns and what each takes: functions (``f``), an operator or function (``o``), lengths (``n``), values
(``v``), words (``w``) and data (``x``), in the order of the arguments."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signature:
    takes: str
    usage: str
    summary: str


MAPS = (
    "map",
    "mapSeq",
    "mapUnroll",
    "mapPar",
    "mapVec",
    "mapGlobal",
    "mapWorkgroup",
    "mapLocal",
    "mapWarp",
    "mapLane",
)
"""Ways to run a map; they mean the same."""

SHORT = {"mapGlb": "mapGlobal", "mapWrg": "mapWorkgroup", "mapLcl": "mapLocal", "mapIdx": "mapi"}
"""Lift's names."""

PATTERNS: dict[str, Signature] = {
    **{name: Signature("fx", f"{name}(f)", "applies f to each element") for name in MAPS},
    "mapi": Signature("fx", "mapi(fun(i => f))", "applies f to each position and element"),
    "reduce": Signature("ovx", "reduce(+, 0)", "combines all elements, in any order"),
    "reduceSeq": Signature("fvx", "reduceSeq(f, start)", "combines all elements, the first one first"),
    "reduceUnroll": Signature("fvx", "reduceUnroll(f, start)", "the same, several steps at a time"),
    "scan": Signature("fvx", "scan(+, 0)", "every element combined with those before it"),
    "zip": Signature("xx", "zip(a, b)", "pairs the elements of two arrays"),
    "unzip": Signature("x", "unzip", "a pair of arrays from an array of pairs"),
    "split": Signature("nx", "split(n)", "pieces of n elements; n divides the length"),
    "splitUp": Signature("nx", "splitUp(n)", "pieces of n elements, the last one with what is left"),
    "deal": Signature("nx", "deal(s)", "s hands, dealt out one element at a time"),
    "join": Signature("x", "join", "all elements of all rows, row by row"),
    "transpose": Signature("x", "transpose", "columns for rows"),
    "concat": Signature("xx", "concat(a, b)", "one array after the other"),
    "take": Signature("nx", "take(n)", "the first n elements"),
    "drop": Signature("nx", "drop(n)", "all but the first n elements"),
    "reverse": Signature("x", "reverse", "the last element first"),
    "gather": Signature("xx", "gather(indices, a)", "the elements of a at the indices"),
    "scatter": Signature("xx", "scatter(indices, a)", "each element at the place that its index says"),
    "slide": Signature("nnx", "slide(size, step)", "windows of size elements"),
    "pad": Signature("nnvx", "pad(left, right, clamp)", "more elements at both ends: clamp, wrap, or a value"),
    "iota": Signature("n", "iota(n)", "0, 1, …, n - 1"),
    "generate": Signature("nf", "generate(n, f)", "f(0), f(1), …, f(n - 1)"),
    "zeros": Signature("n", "zeros(n)", "n times 0.0"),
    "iterate": Signature("nfx", "iterate(k, f)", "f applied k times"),
    "toGlobal": Signature("x", "toGlobal", "the value kept in memory"),
    "toLocal": Signature("x", "toLocal", "the value kept in memory that a work-group shares"),
    "toPrivate": Signature("x", "toPrivate", "the value kept in registers"),
}

NEUTRAL: dict[str, tuple[str, ...]] = {"+": ("0",), "*": ("1",), "&&": ("true",), "||": ("false",)}
REDUCING = ("+", "*", "min", "max", "&&", "||")
"""Associative and commutative operators."""
