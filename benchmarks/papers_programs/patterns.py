"""The programs of patterns of Pizzuti et al. 2020, as printed but for what is said of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.papers_programs.program import Program, Shapes

SIDE, ENTRIES = 16_384, 262_144
MATRIX: Mapping[str, Mapping[str, Any]] = {
    "A": {"generator": "uniform", "shape": [SIDE, SIDE], "nnz": ENTRIES, "seed": 1}
}
BLOCKS: Mapping[str, Mapping[str, Any]] = {
    "A": {"generator": "pruned-blocks", "shape": [4096, 4096], "size": 4, "density": 1 / 64, "empty": 0, "seed": 1}
}
UNPACKED = """nFun(n => nFun(m =>
fun(offset:[int]n+1 =>
fun(col_indices:[i -> [int]toNat(offset@(i+1)-offset@i)]n =>
fun(values:[i -> [float]toNat(offset@(i+1)-offset@i)]n =>
fun(xs:[float]m =>
"""
ROWS = """  zip(col_indices, values) :>>
  map(fun(rowPair =>
    zip(rowPair.1, rowPair.2) :>>
    map(fun(x=>x.2*(xs@x.1))) :>> reduce(+, 0) )) )))))"""
OF_CSR = {"offset": "A.pos", "col_indices": "A.crd", "values": "A.vals", "xs": "x"}


def _of(name: str, where: str, text: str, mended: str = "", shapes: Shapes | None = None, **more: Any) -> Program:
    if "arguments" in more:
        more.setdefault("inputs", MATRIX)
    return Program(name, where, "patterns", text, shapes or {}, mended, **more)


PATTERNS: tuple[Program, ...] = (
    _of(
        "dense",
        "Listing 1",
        "nFun(n => nFun(m =>\n  fun(matrix: [[float]n]m => fun(xs: [float]n =>\n    matrix :>> map(fun(row =>\n"
        "      zip(xs, row) :>> map(*) :>> reduce(+, 0)\n    )) )) ))",
        shapes={"matrix": (1024, 1024), "xs": (1024,)},
    ),
    _of(
        "dense, again",
        "Listing 2",
        "nFun(n => nFun(m =>\nfun(matrix:[[float]n]m => fun(xs:[float]n =>\n  matrix :>> map(fun(row =>\n"
        "    zip(xs,row) :>> map(*) :>> reduce(+,0)))))))",
        "the matrix has rows, and parentheses are closed",
        shapes={"matrix": (1024, 1024), "xs": (1024,)},
    ),
    _of(
        "LIL",
        "Listing 3",
        "nFun(n => nFun(m =>\nfun(row_length:[int]n =>\nfun(col_indices:[i -> [int]toNat(row_length@i)]n =>\n"
        "fun(values:[i -> [float]toNat(row_length@i)]n =>\nfun(xs:[float]m =>\n" + ROWS + ")",
        "the lengths have one name, and parentheses are closed",
        arguments={"row_length": "A.lengths", "col_indices": "A.crd", "values": "A.vals", "xs": "x"},
    ),
    _of("CSR, unpacked", "Listing 4", UNPACKED + ROWS + ")", "in the program of Listing 3", arguments=OF_CSR),
    _of(
        "CSR, packed",
        "Listing 5",
        "nFun(n => nFun(m =>\nfun(offset:[int]n+1 =>\n"
        "fun(values:[i -> [(int, float)]toNat(offset@(i+1)-offset@i)]n =>\n"
        "fun(xs:[float]m =>\n  values :>> map(fun(row =>\n    row :>> map(fun(x=>x.2*(xs@x.1)))\n"
        "    :>> reduce(+, 0) )) )))))",
        arguments={"offset": "A.pos", "values": "A.entries", "xs": "x"},
    ),
    _of(
        "row sums",
        "Listing 6",
        "nFun(n=>\nfun(offsets:[int]n+1 =>\nfun(values:[i -> [float]toNat(offsets@(i+1)-offsets@i)]n =>\n"
        "  values :>> map(reduce(+, 0.0f) )) ))",
        arguments={"offsets": "A.pos", "values": "A.vals"},
    ),
    _of(
        "row sums, refined",
        "§5.1",
        "nFun(n=>\nfun(offsets:[int]n+1 =>\n"
        "fun(values:[i -> [float]_{toNat(offsets@(i+1)) - (i == 0 ? 0 : toNat(offsets@i))}]n =>\n"
        "  values :>> map(reduce(+, 0.0) )) ))",
        arguments={"offsets": "A.pos", "values": "A.vals"},
    ),
    _of(
        "triangle",
        "Fig. 3",
        "nFun(n => fun(L:[i -> [float]_{i+1}]n => fun(xs:[float]n =>\n"
        "  L :>> mapi(fun(i => fun(row => zip(row, take(i+1)(xs)) :>> map(*) :>> reduce(+, 0)))))))",
        "in a product with a vector",
        shapes={"xs": (2000,)},
    ),
    _of(
        "BSR",
        "§7.1",
        "nFun(blk_n => nFun(blk_m => nFun(b => nFun(k =>\nfun(blk_offsets:[int]blk_n+1 =>\n"
        "fun(blk_cols:[i -> [int]toNat(blk_offsets@(i+1)-blk_offsets@i)]blk_n =>\n"
        "fun(blocks:[i -> [[[float]_k]_b]toNat(blk_offsets@(i+1)-blk_offsets@i)]blk_n =>\nfun(xs:[[float]_k]_blk_m =>\n"
        "  zip(blk_cols, blocks) :>> map(fun(r => zip(r.1, r.2) :>> reduceSeq(fun(acc => fun(e =>\n"
        "    zip(acc, e.2) :>> map(fun(p => p.1 + (zip(p.2, xs@e.1) :>> map(*) :>> reduce(+,0)))))), zeros(b))))"
        "))))))))",
        "in a product with a vector",
        arguments={"blk_offsets": "A.pos", "blk_cols": "A.crd", "blocks": "A.vals", "xs": "x"},
        inputs=BLOCKS,
        formats={"A": "bcsr(4,4)"},
    ),
    _of(
        "CSR, parallel",
        "Listing 7",
        UNPACKED + "  zip(col_indices, values) :>> splitUp(64) :>> mapWorkgroup(fun(rows =>\n"
        "    rows :>> mapSeq(fun(r => zip(r.1, r.2) :>> deal(4) :>>\n"
        "    mapLocal(map(fun(x=>x.2*(xs@x.1))) :>> reduceSeq(+, 0)) :>> toLocal :>> reduce(+, 0))))) :>> join))))))",
        "split of positions and transpose are written as splitUp and deal, and sizes as numbers",
        arguments=OF_CSR,
        target="opencl",
    ),
)
