"""``./heddle bench growth``: how the work of a compile grows with the program.

Each family is a program with a number, such as the operands of a sum. The table has counts, which no machine changes
(lattice points, nodes of the loops, bytes of C), the milliseconds of a compile to C, and the exponents of a power law
through the counts of two programs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from math import log

import heddle as hd
from benchmarks.growth.rows import choose_rows
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.graph.provenance import coordinates

Formats = Mapping[str, str]
SIZES = (2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class Family:
    """Programs by their size. ``exponent`` bounds how their counts grow from 4 to 8; ``most`` is the largest size."""

    name: str
    expression: Callable[[int], str]
    formats: Callable[[int], Formats]
    exponent: float = 1.2
    most: int = 16


def _sum(name: str, whole: str, term: str, format: str, result: Formats) -> Family:
    return Family(
        name,
        lambda count: whole.format(" + ".join(term.format(number) for number in range(count))),
        lambda count: dict.fromkeys([f"B{number}" for number in range(count)], format) | dict(result),
    )


def _chain(count: int) -> str:
    """Sparse temporaries of which each is computed of the one before."""
    first = "T0(i,j) = P(i,j) * A(i,j)"
    steps = [f"T{number}(i,j) = T{number - 1}(i,j) * A(i,j)" for number in range(1, count)]
    return "; ".join([first, *steps, f"y(i) = T{count - 1}(i,j) * x(j)"])


FAMILIES = (
    _sum("SpMV terms, csr", "y(i) = {}", "B{}(i,j) * x(j)", "csr", {}),
    _sum("SpMV terms, dcsr", "y(i) = {}", "B{}(i,j) * x(j)", "dcsr", {}),
    _sum("SpMV terms, csc", "y(i) = {}", "B{}(i,j) * x(j)", "csc", {}),
    _sum("SpMM terms, csr", "Y(i,k) = {}", "B{}(i,j) * X(j,k)", "csr", {}),
    _sum("SpMV of a sum", "y(i) = ({}) * x(j)", "B{}(i,j)", "csr", {}),
    _sum("csr -> dense", "A(i,j) = {}", "B{}(i,j)", "csr", {}),
    _sum("csr -> csr", "A(i,j) = {}", "B{}(i,j)", "csr", {"A": "csr"}),
    _sum("dcsr -> dcsr", "A(i,j) = {}", "B{}(i,j)", "dcsr", {"A": "dcsr"}),
    _sum("coo -> dense", "A(i,j) = {}", "B{}(i,j)", "coo", {}),
    _sum("csf -> csf", "A(i,j,k) = {}", "B{}(i,j,k)", "csf", {"A": "csf"}),
    _sum("csf -> dense", "A(i,j,k) = {}", "B{}(i,j,k)", "csf", {}),
    _sum("vectors", "a(i) = {}", "B{}(i)", "sparse", {"a": "sparse"}),
    _sum("maxima of columns, csr", "r(j) = max(i, {})", "B{}(i,j)", "csr", {}),
    Family("sparse temporaries", _chain, lambda _: {"P": "csr"}, most=7),
)


def lowered(family: Family, count: int) -> hd.CompileResult:
    return hd.lower(family.expression(count), family.formats(count))


def counts(result: hd.CompileResult) -> dict[str, int]:
    """Of what a compile writes."""
    if result.graph is None or result.function is None or result.source is None:
        raise ValueError(f"{result} is refused")
    points = sum(len(lattice_at(result.graph, variable)) for variable in coordinates(result.graph))
    return {"points": points, "nodes": nodes(result.function.body), "bytes": len(result.source.text)}


def nodes(value: object) -> int:
    """Of the loops: dataclasses inside each other, origins left out."""
    if isinstance(value, tuple):
        return sum(nodes(part) for part in value)
    if not is_dataclass(value) or type(value).__name__ == "Origin":
        return 0
    return 1 + sum(nodes(getattr(value, field.name)) for field in fields(value))


def exponents(few: Mapping[str, int], many: Mapping[str, int], ratio: float) -> dict[str, float]:
    """Of a power law through two programs whose sizes are ``ratio`` apart."""
    return {what: log(many[what] / few[what], ratio) for what in few}


def main(arguments: list[str]) -> int:
    """Prints the table; 1 where a family grows faster than it may."""
    chosen = choose_rows("growth", __doc__, "--families", FAMILIES, arguments)
    print(f"{'family':22}{'n':>4}{'points':>8}{'nodes':>9}{'bytes':>9}{'ms':>9}   exponents")
    too_fast = [family.name for family in chosen if _print_family(family)]
    return 1 if too_fast else 0


def _print_family(family: Family) -> bool:
    """Prints its lines, and says whether it grows faster than it may."""
    before: tuple[int, dict[str, int]] | None = None
    too_fast = False
    for count in dict.fromkeys(min(size, family.most) for size in SIZES):
        start = time.perf_counter()
        totals = counts(lowered(family, count))
        milliseconds = 1e3 * (time.perf_counter() - start)
        line = f"{family.name:22}{count:4}{totals['points']:8}{totals['nodes']:9}{totals['bytes']:9}{milliseconds:9.1f}"
        if before is not None and count >= 2 * before[0] - 1:
            grown = exponents(before[1], totals, count / before[0])
            line += "   " + ", ".join(f"{what} {exponent:.2f}" for what, exponent in grown.items())
            too_fast = before[0] >= 4 and max(grown.values()) >= family.exponent
        print(line)
        before = count, totals
    return too_fast
