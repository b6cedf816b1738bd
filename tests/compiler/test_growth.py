"""How the work of a compile grows with the program: counts of lattice points, of nodes and of bytes, never a clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import log

import pytest

import heddle as hd
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.graph.provenance import coordinates

Formats = Mapping[str, str]


def summed(count: int, term: str, separator: str = " + ") -> str:
    return separator.join(term.format(number) for number in range(count))


def stored(count: int, format: str, result: Formats | None = None) -> dict[str, str]:
    return dict.fromkeys([f"B{number}" for number in range(count)], format) | dict(result or {})


FAMILIES = {
    "SpMV terms, csr": ("y(i) = {}", "B{}(i,j) * x(j)", "csr", {}),
    "SpMV terms, dcsr": ("y(i) = {}", "B{}(i,j) * x(j)", "dcsr", {}),
    "SpMV terms, csc": ("y(i) = {}", "B{}(i,j) * x(j)", "csc", {}),
    "SpMM terms, csr": ("Y(i,k) = {}", "B{}(i,j) * X(j,k)", "csr", {}),
    "SpMV of a sum": ("y(i) = ({}) * x(j)", "B{}(i,j)", "csr", {}),
    "csr -> dense": ("A(i,j) = {}", "B{}(i,j)", "csr", {}),
    "csr -> csr": ("A(i,j) = {}", "B{}(i,j)", "csr", {"A": "csr"}),
    "dcsr -> dcsr": ("A(i,j) = {}", "B{}(i,j)", "dcsr", {"A": "dcsr"}),
    "coo -> dense": ("A(i,j) = {}", "B{}(i,j)", "coo", {}),
    "csf -> csf": ("A(i,j,k) = {}", "B{}(i,j,k)", "csf", {"A": "csf"}),
    "csf -> dense": ("A(i,j,k) = {}", "B{}(i,j,k)", "csf", {}),
    "vectors": ("a(i) = {}", "B{}(i)", "sparse", {"a": "sparse"}),
}


def lowered(family: str, count: int) -> hd.CompileResult:
    whole, term, format, result = FAMILIES[family]
    found = hd.lower(whole.format(summed(count, term)), stored(count, format, result))
    assert found.ok, found.diagnostics
    return found


def nodes(value: object) -> int:
    """Of the loops: dataclasses inside each other, origins left out."""
    if isinstance(value, tuple):
        return sum(nodes(one) for one in value)
    if not is_dataclass(value) or type(value).__name__ == "Origin":
        return 0
    return 1 + sum(nodes(getattr(value, field.name)) for field in fields(value))


def counts(result: hd.CompileResult) -> dict[str, int]:
    assert result.graph is not None
    assert result.function is not None
    assert result.source is not None
    points = sum(len(lattice_at(result.graph, variable)) for variable in coordinates(result.graph))
    return {"points": points, "nodes": nodes(result.function.body), "bytes": len(result.source.text)}


@pytest.mark.parametrize("family", FAMILIES)
def test_sums_grow_in_proportion_to_their_terms(family: str) -> None:
    """From 4 to 8 terms: less than n^1.2, where a case for every set of operands would be 81 times as much."""
    few, many = counts(lowered(family, 4)), counts(lowered(family, 8))
    grown = {what: log(many[what] / few[what], 2) for what in few}
    assert all(exponent < 1.2 for exponent in grown.values()), grown


@pytest.mark.parametrize(
    ("family", "count"),
    [("csr -> csr", 16), ("csr -> dense", 16), ("csf -> csf", 4), ("csf -> dense", 4), ("SpMV terms, csr", 8)],
)
def test_large_sums_are_short(family: str, count: int) -> None:
    assert counts(lowered(family, count))["bytes"] < 20_000
