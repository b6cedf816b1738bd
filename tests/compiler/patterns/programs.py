"""Fifteen programs, each with data of any size and what it means in NumPy and SciPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import bsr_matrix, csr_matrix

ROW = "toNat(offset@(i+1) - offset@i)"
DOT = "map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0)"
CSR = f"fun(offset:[int]_{{n+1}} => fun(cols:[i -> [int]{ROW}]n => fun(vals:[i -> [float]{ROW}]n => "


def program(head: str, body: str) -> str:
    """``head`` with its functions closed behind ``body``."""
    text = head + body
    return text + ")" * (text.count("(") - text.count(")"))


def many(*names: str) -> str:
    return "".join(f"nFun({name} => " for name in names)


@dataclass(frozen=True)
class Case:
    """``make`` draws arguments for n rows and gives what the result is, flat."""

    text: str
    make: Callable[[np.random.Generator, int], tuple[dict[str, Any], NDArray[Any]]]


def rows(random: np.random.Generator, n: int, m: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Offsets with empty rows, columns and values of a CSR matrix; duplicates are allowed."""
    lengths = random.integers(0, min(m, 5) + 1, n) * random.integers(0, 2, n) if m else np.zeros(n, int)
    offset = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    count = int(offset[-1])
    return offset, random.integers(0, max(m, 1), count).astype(np.int32), whole(random, count)


def whole(random: np.random.Generator, *shape: int) -> NDArray[Any]:
    """Small whole numbers, so that sums have one value in any order."""
    return random.integers(-4, 5, shape).astype(np.float32)


def sparse(random: np.random.Generator, n: int) -> tuple[Any, ...]:
    m = n + 2
    offset, cols, vals = rows(random, n, m)
    xs = whole(random, m)
    return offset, cols, vals, xs, csr_matrix((vals, cols, offset), (n, m)) @ xs


def _p1(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    a, x = whole(random, n, n + 1), whole(random, n + 1)
    return {"A": a, "xs": x}, a @ x


def _p2(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    offset, cols, vals, xs, y = sparse(random, n)
    return {"lengths": np.diff(offset), "cols": cols, "vals": vals, "xs": xs}, y


def _p3(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    offset, cols, vals, xs, y = sparse(random, n)
    return {"offset": offset, "cols": cols, "vals": vals, "xs": xs}, y


def _p4(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    offset, cols, vals, xs, y = sparse(random, n)
    packed = np.zeros(len(cols), [("column", np.int32), ("value", np.float32)])
    packed["column"], packed["value"] = cols, vals
    return {"offset": offset, "rows": packed, "xs": xs}, y


def _p5(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    offset, _, vals = rows(random, n, n + 2)
    return {"offset": offset, "values": vals}, np.array([vals[a:b].sum() for a, b in pairwise(offset)])


def _p7(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    a, x = whole(random, n, n), whole(random, n)
    return {"L": a[np.tril_indices(n)], "xs": x}, np.tril(a) @ x


def _p8(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    b, k, m = 2, 3, n + 1
    offset, cols, _ = rows(random, n, m)
    blocks = whole(random, len(cols), b, k)
    xs = whole(random, m, k)
    y = np.zeros(n * b) if not n else bsr_matrix((blocks, cols, offset), (n * b, m * k)) @ xs.reshape(-1)
    return {"offset": offset, "bcols": cols, "blocks": blocks, "xs": xs, "b": b}, y


def _p10(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    a, b = whole(random, n, n + 1), whole(random, n + 1, 3)
    return {"A": a, "B": b}, (a @ b).reshape(-1)


def _p11(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    cols, vals, x = random.integers(0, n + 2, (n, 3)).astype(np.int32), whole(random, n, 3), whole(random, n + 2)
    return {"cols": cols, "vals": vals, "xs": x}, (vals * x[cols]).sum(1)


def _p12(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    offset, cols, vals = rows(random, n, n + 2)
    xs = whole(random, n + 2, 3)
    y = csr_matrix((vals, cols, offset), (n, n + 2)) @ xs
    return {"offset": offset, "cols": cols, "vals": vals, "xs": xs}, y.reshape(-1)


def _p13(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    offset, _, vals = rows(random, n, n + 2)
    return {"offset": offset, "vals": vals}, 2 * vals


def _p14(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    x = whole(random, 8 * n)
    return {"x": x}, x.reshape(n, 8).sum(1)


def _p15(random: np.random.Generator, n: int) -> tuple[dict[str, Any], NDArray[Any]]:
    x = whole(random, n)
    padded = np.pad(x, 1, "edge") if n else np.zeros(2)
    return {"x": x}, np.array([padded[i : i + 3].sum() for i in range(n)])


SPMV_ROWS = f"zip(cols, vals) :>> map(fun(r => zip(r.1, r.2) :>> {DOT}))"

CASES = {
    "P1": Case(
        program(
            many("n", "m"),
            "fun(A:[[float]m]n => fun(xs:[float]m => A :>> map(fun(r => zip(xs,r) :>> map(*) :>> reduce(+,0)",
        ),
        _p1,
    ),
    "P2": Case(
        program(
            many("n", "m"),
            "fun(lengths:[int]n => fun(cols:[i -> [int]toNat(lengths@i)]n => "
            f"fun(vals:[i ↦ [float]toNat(lengths@i)]n => fun(xs:[float]m => {SPMV_ROWS}",
        ),
        _p2,
    ),
    "P3": Case(program(many("n", "m") + CSR, f"fun(xs:[float]_m => {SPMV_ROWS}"), _p3),
    "P4": Case(
        program(
            many("n", "m"),
            f"fun(offset:[int]n+1 => fun(rows:[i -> [(int,float)]{ROW}]n => fun(xs:[float]m => rows |> map({DOT}",
        ),
        _p4,
    ),
    "P5": Case(
        program(
            many("n"),
            f"fun(offset:[int]n+1 => fun(values:[i -> [float]{ROW}]n => values :>> map(reduce(+, 0.0",
        ),
        _p5,
    ),
    "P6": Case(
        program(
            many("n"),
            "fun(offset:[int]n+1 => fun(values:[i -> [float]_{toNat(offset@(i+1)) - (i == 0 ? 0 : toNat(offset@i))}]n "
            "=> values :>> map(reduce(+, 0.0",
        ),
        _p5,
    ),
    "P7": Case(
        program(
            many("n"),
            "fun(L:[i -> [float]_{i+1}]n => fun(xs:[float]n => "
            "L :>> mapi(fun(i => fun(r => zip(r, take(i+1)(xs)) :>> map(*) :>> reduce(+,0)",
        ),
        _p7,
    ),
    "P8": Case(
        program(
            many("nb", "mb", "b", "k"),
            "fun(offset:[int]nb+1 => fun(bcols:[i -> [int]toNat(offset@(i+1)-offset@i)]nb => "
            "fun(blocks:[i -> [[[float]_k]_b]toNat(offset@(i+1)-offset@i)]nb => fun(xs:[[float]_k]_mb => "
            "zip(bcols, blocks) :>> map(fun(r => zip(r.1, r.2) :>> reduceSeq(fun(acc => fun(e => "
            "zip(acc, e.2) :>> map(fun(p => p.1 + (zip(p.2, xs@e.1) :>> map(*) :>> reduce(+,0)))))), zeros(b)",
        ),
        _p8,
    ),
    "P9": Case(
        program(
            many("n", "m") + CSR,
            "fun(xs:[float]m => zip(cols,vals) :>> splitUp(4) :>> mapWorkgroup(fun(rows => rows :>> mapSeq(fun(r => "
            "zip(r.1,r.2) :>> deal(8) :>> mapLocal(map(fun(x => x.2*(xs@x.1))) :>> reduceSeq(+,0)) :>> toLocal "
            ":>> reduce(+,0))))) :>> join",
        ),
        _p3,
    ),
    "P10": Case(
        program(
            many("n", "m", "k"),
            "fun(A:[[float]m]n => fun(B:[[float]k]m => "
            "A :>> map(fun(r => transpose(B) :>> map(fun(c => zip(r,c) :>> map(*) :>> reduce(+,0)",
        ),
        _p10,
    ),
    "P11": Case(
        program(
            many("n", "m", "w"),
            f"fun(cols:[[idx(m)]_w]_n => fun(vals:[[float]_w]_n => fun(xs:[float]m => {SPMV_ROWS}",
        ),
        _p11,
    ),
    "P12": Case(
        program(
            many("n", "m", "k") + CSR,
            "fun(xs:[[float]_k]_m => zip(cols,vals) :>> map(fun(r => zip(r.1,r.2) :>> reduceSeq(fun(acc => fun(x => "
            "zip(acc, xs@x.1) :>> map(fun(p => p.1 + x.2*p.2)))), zeros(k)",
        ),
        _p12,
    ),
    "P13": Case(
        program(
            many("n"),
            f"fun(offset:[int]n+1 => fun(vals:[i -> [float]{ROW}]n => vals :>> map(fun(r => r :>> map(fun(v => v * 2.0",
        ),
        _p13,
    ),
    "P14": Case(program(many("m"), "fun(x:[float]_{8*m} => x :>> iterate(3, split(2) :>> map(reduce(+, 0.0))"), _p14),
    "P15": Case(program(many("n"), "fun(x:[float]n => x :>> pad(1,1,clamp) :>> slide(3,1) :>> map(reduce(+,0)"), _p15),
}
ON_CPU = [name for name in CASES if name != "P9"]
