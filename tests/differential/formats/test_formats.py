"""The kernels of the first slice, in all dense and compressed combinations of their operands (dense results)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from heddle.notation.nodes import accesses
from heddle.notation.parser import parse
from tests.differential.check import check

EXPRESSIONS = {
    "spmv and spmspv": "y(i) = A(i,j) * x(j)",
    "spmm and spgemm into dense": "C(i,k) = A(i,j) * B(j,k)",
    "addition": "C(i,j) = A(i,j) + B(i,j)",
    "vector addition": "y(i) = a(i) + b(i)",
    "product and sum": "y(i) = b(i) * c(i) + d(i)",
    "sddmm": "C(i,j) = S(i,j) * A(i,k) * B(k,j)",
    "ttv": "C(i,j) = T(i,j,k) * x(k)",
    "diagonal": "y(i) = A(i,i) * x(i)",
    "mttkrp": "C(i,j) = T(i,k,l) * A(k,j) * B(l,j)",
}


def combinations() -> Iterator[tuple[str, str, dict[str, str]]]:
    for name, expression in EXPRESSIONS.items():
        orders = {access.tensor: len(access.indices) for access in accesses(parse(expression).expression)}
        for letters in product("ds", repeat=sum(orders.values())):
            text = iter(letters)
            formats = {tensor: "".join(next(text) for _ in range(order)) for tensor, order in orders.items()}
            yield name, expression, formats


CASES = [
    pytest.param(expression, formats, id=f"{name} {'-'.join(formats.values())}")
    for name, expression, formats in combinations()
]


@pytest.mark.combinations(8, "expression")
@pytest.mark.parametrize(("expression", "formats"), CASES)
def test_all_dense_and_compressed_combinations(expression: str, formats: dict[str, str]) -> None:
    check(expression, formats)
