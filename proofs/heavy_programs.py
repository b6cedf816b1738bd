"""The heaviest work that is allowed beside sums of sparse matrices: programs of the other languages, sums of parts,
their accounts, and what is predicted of decompositions. Each is a new one, so that nothing is remembered."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

Request = tuple[str, dict[str, Any]]
"""A route below /api/v1, and what is sent there."""


def doubled(number: int) -> dict[str, Any]:
    """A program in patterns in which each name is the one before it twice: 8,000 terms in 400 characters."""
    lets = "".join(f"let x{n} = zip(x{n - 1}, x{n - 1}) :>> map(+) in " for n in range(1, 13))
    body = f"{lets}x12 :>> map(fun(y => y + {number}.0))"
    return {"version": 2, "language": "patterns", "expression": f"nFun(n => fun(x0: [float]_n => {body}))"}


def chain(number: int) -> dict[str, Any]:
    """A tensor comprehension of sixteen statements with twenty products each."""
    products = " + ".join(f"a(i + {n}, k) * b(k, j + {n})" for n in range(20))
    lines = " ".join(f"t{n}(i, j) +=! {products}" for n in range(16))
    names = ", ".join(f"t{n}" for n in range(16))
    expression = f"def f(float(N, N) a, float(N, N) b) -> ({names}) {{ {lines} }}"
    return {"version": 2, "language": "comprehension", "expression": expression, "run": {"threads": 1 + number % 1024}}


def parts(number: int) -> dict[str, Any]:
    """A matrix in ten parts, multiplied by a sum of sparse ones."""
    format = " + ".join([*(f"csr where length <= {most}" for most in range(1, 10)), "csr"])
    tensors = {"A": {"format": format}, "B": {"format": "dcsr"}, "C": {"format": "dcsr"}}
    expression = "Y(i,j) = A(i,j) * (B(i,j) + C(i,j))"
    return {"expression": expression, "tensors": tensors, "run": {"threads": 1 + number % 1024}}


def tiles(number: int) -> dict[str, Any]:
    schedule = [f"split(i, i0, i1, {1 + number % 50_000})", "split(k, k0, k1, 8)", "reorder(i0, k0, i1, j, k1)"]
    return {"expression": "C(i,k) = A(i,j) * B(j,k)", "tensors": {"A": {"format": "csr"}}, "schedule": schedule}


def decomposition(number: int) -> dict[str, Any]:
    tensor = {"generator": "zipf", "shape": [2000, 2000, 2000], "nnz": 400_000, "seed": number}
    return {"algorithm": "cp-als", "inputs": {"X": tensor}, "parameters": {"rank": 16}}


MADE: tuple[tuple[str, Callable[[int], dict[str, Any]]], ...] = (
    ("compile", doubled),
    ("compile", chain),
    ("compile", parts),
    ("legal", parts),
    ("account", tiles),
    ("algorithms/compile", decomposition),
)


def heavy_request() -> Request:
    route, made = random.choice(MADE)
    return route, made(random.randrange(1 << 20))
