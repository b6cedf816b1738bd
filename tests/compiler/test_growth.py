"""How the work of a compile grows with the program: counts of lattice points, of nodes and of bytes, never a clock."""

from __future__ import annotations

import pytest

from benchmarks.growth.counts import FAMILIES, Family, counts, exponents, lowered, main

BY_NAME = {family.name: family for family in FAMILIES}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_programs_grow_in_proportion_to_their_size(family: Family) -> None:
    """From 4 to 8 terms: less than n^1.2, where a case for every set of operands would be 81 times as much."""
    many = min(8, family.most)
    grown = exponents(counts(lowered(family, 4)), counts(lowered(family, many)), many / 4)
    assert all(exponent < family.exponent for exponent in grown.values()), grown


@pytest.mark.parametrize(
    ("family", "count"),
    [("csr -> csr", 16), ("csr -> dense", 16), ("csf -> csf", 4), ("csf -> dense", 4), ("SpMV terms, csr", 8)],
)
def test_large_sums_are_short(family: str, count: int) -> None:
    assert counts(lowered(BY_NAME[family], count))["bytes"] < 20_000


def test_the_table_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--families", "sparse temporaries"]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    assert header.split()[:3] == ["family", "n", "points"]
    assert [line.split()[2] for line in lines] == ["2", "4", "7"]
