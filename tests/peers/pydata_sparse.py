"""Programs of the tests of pydata/sparse (``sparse/numba_backend/tests/``): element by element, reductions, products.

Its formats are coo, dok and gcxs: here coo, hashed and the compressed levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tests.peers.program import Array, Data, Program, einsum

_THREE = ("x=coo", "x=csf", "x=dss", "x=bitmap,hashed,hashed")
_UNARY: Mapping[str, tuple[str, Callable[[Array], Array]]] = {
    "expm1": ("expm1(x(i,j,k))", np.expm1),
    "log1p": ("log1p(x(i,j,k))", np.log1p),
    "sin": ("sin(x(i,j,k))", np.sin),
    "tan": ("tan(x(i,j,k))", np.tan),
    "tanh": ("tanh(x(i,j,k))", np.tanh),
    "floor": ("floor(x(i,j,k))", np.floor),
    "ceil": ("ceil(x(i,j,k))", np.ceil),
    "sqrt": ("sqrt(x(i,j,k))", np.sqrt),
    "abs": ("abs(x(i,j,k))", np.abs),
    "negative": ("-x(i,j,k)", np.negative),
    "square": ("square(x(i,j,k))", np.square),
    "cos": ("cos(x(i,j,k))", np.cos),
    "exp": ("exp(x(i,j,k))", np.exp),
    "power 5": ("pow(x(i,j,k), 5)", lambda x: x**5),
    "truediv 3": ("x(i,j,k) / 3", lambda x: x / 3),
    "mul 5": ("x(i,j,k) * 5", lambda x: x * 5),
    "add 5": ("x(i,j,k) + 5", lambda x: x + 5),
    "sub -5": ("x(i,j,k) - (-5)", lambda x: x + 5),
    "gt 0.5": ("x(i,j,k) > 0.5", lambda x: x > 0.5),
    "lt -5": ("x(i,j,k) < (-5)", lambda x: x < -5),
    "ne 0": ("x(i,j,k) != 0", lambda x: x != 0),
    "ge 0.5": ("x(i,j,k) >= 0.5", lambda x: x >= 0.5),
    "le -3": ("x(i,j,k) <= (-3)", lambda x: x <= -3),
    "eq 1": ("x(i,j,k) == 1", lambda x: x == 1),
    "rsub 2": ("2 - x(i,j,k)", lambda x: 2 - x),
    "relu of a difference": ("relu(x(i,j,k) - 0.5)", lambda x: np.maximum(x - 0.5, 0)),
}
_BINARY: Mapping[str, tuple[str, Callable[[Array, Array], Array]]] = {
    "mul": ("x({0}) * y({0})", np.multiply),
    "add": ("x({0}) + y({0})", np.add),
    "sub": ("x({0}) - y({0})", np.subtract),
    "gt": ("x({0}) > y({0})", np.greater),
    "lt": ("x({0}) < y({0})", np.less),
    "ne": ("x({0}) != y({0})", np.not_equal),
    "ge": ("x({0}) >= y({0})", np.greater_equal),
    "le": ("x({0}) <= y({0})", np.less_equal),
    "eq": ("x({0}) == y({0})", np.equal),
    "maximum": ("max(x({0}), y({0}))", np.maximum),
    "minimum": ("min(x({0}), y({0}))", np.minimum),
    "pow": ("pow(x({0}), y({0}))", np.power),
}
_TERNARY: Mapping[str, tuple[str, Callable[[Array, Array, Array], Array]]] = {
    "x + y + z": ("x({0}) + y({1}) + z({2})", lambda x, y, z: x + y + z),
    "x * y * z": ("x({0}) * y({1}) * z({2})", lambda x, y, z: x * y * z),
    "x + y * z": ("x({0}) + y({1}) * z({2})", lambda x, y, z: x + y * z),
    "(x + y) * z": ("(x({0}) + y({1})) * z({2})", lambda x, y, z: (x + y) * z),
    "x * (y + z)": ("x({0}) * (y({1}) + z({2}))", lambda x, y, z: x * (y + z)),
    "x + y - z": ("x({0}) + y({1}) - z({2})", lambda x, y, z: x + y - z),
    "x - y + z": ("x({0}) - y({1}) + z({2})", lambda x, y, z: x - y + z),
}
_REDUCTIONS: Mapping[str, tuple[str, Callable[[Array], Any]]] = {
    "sum axis 0": ("r(j,k) = x(i,j,k)", lambda x: x.sum(0)),
    "sum axis 1": ("r(i,k) = x(i,j,k)", lambda x: x.sum(1)),
    "sum axis 2": ("r(i,j) = x(i,j,k)", lambda x: x.sum(2)),
    "sum axes 0 2": ("r(j) = x(i,j,k)", lambda x: x.sum((0, 2))),
    "sum": ("r = x(i,j,k)", lambda x: x.sum()),
    "mean": ("r(i) = x(i,j,k) / 12", lambda x: x.mean((1, 2))),
    "max axis 2": ("r(i,j) = max(k, x(i,j,k))", lambda x: x.max(2)),
    "min axis 0": ("r(j,k) = min(i, x(i,j,k))", lambda x: x.min(0)),
    "prod axis 1": ("r(i,k) = prod(j, x(i,j,k))", lambda x: x.prod(1)),
    "any axis 2": ("r(i,j) = any(k, x(i,j,k) > 0.5)", lambda x: (x > 0.5).any(2)),
    "all axis 2": ("r(i,j) = all(k, x(i,j,k) >= 0)", lambda x: (x >= 0).all(2)),
    "count_nonzero": ("r(i,j) = sum(k, x(i,j,k) != 0)", lambda x: np.count_nonzero(x, axis=2)),
    "var": ("m = x(i,j,k) / 24; v = square(x(i,j,k) - m) / 24", lambda x: x.var()),
    "norm": ("r = sqrt(sum(i, sum(j, sum(k, square(x(i,j,k))))))", lambda x: np.linalg.norm(x.ravel())),
}
_TENSORDOT = "ab,bc->ac ab,ca->bc abc,bd->acd ab,cbd->acd ab,cba->c ab,cab->c abc,b->ac b,abc->ac a,a->"
_MATMUL = "abc,acd->abd abc,cd->abd ab,bc->ac a,ab->b ab,b->a aebc,decb->adeb eabc,dcb->ead"

_REFUSED = (
    ("sinh", "sinh(x(i,j,k))", "", ("expression/unknown-function", "sinh is not a function")),
    ("conj", "conj(x(i,j,k))", "x=complex128", ("expression/unknown-function", "conj is not a function")),
    ("rint", "rint(x(i,j,k))", "", ("expression/unknown-function", "rint is not a function")),
    ("round", "round(x(i,j,k))", "", ("expression/unknown-function", "round is not a function")),
    ("astype", "int32(x(i,j,k))", "", ("expression/unknown-function", "int32 is not a function")),
    ("floordiv", "x(i,j,k) // 4", "", ("expression/syntax", "found `/`")),
    ("mod", "x(i,j,k) % 5", "", ("expression/syntax", "found `%`")),
    ("bitwise_and", "x(i,j,k) & 3", "x=int64", ("expression/syntax", "found `&`")),
    ("bitwise_or", "x(i,j,k) | 3", "x=int64", ("expression/syntax", "found `|`")),
    ("bitwise_xor", "x(i,j,k) ^ 3", "x=int64", ("expression/syntax", "found `^`")),
    ("left_shift", "x(i,j,k) << 3", "x=int64", ("expression/syntax", "found `<`")),
    ("right_shift", "x(i,j,k) >> 3", "x=int64", ("expression/syntax", "found `>`")),
    ("invert", "~x(i,j,k)", "x=int64", ("expression/syntax", "found `~`")),
    ("logical_not", "!x(i,j,k)", "", ("expression/syntax", "found `!`")),
    ("power **", "x(i,j,k) ** 2", "", ("expression/syntax", "found `**`")),
)
"""What the notation does not have yet: name, right side, dtypes, and the diagnostic."""


def _unary() -> Iterator[Program]:
    for name, (text, oracle) in _UNARY.items():
        yield Program(
            f"elemwise {name}",
            f"r(i,j,k) = {text}",
            "x=2,3,4",
            oracle,
            _THREE,
            data=Data.FRACTIONS,
            density=0.5,
            tolerance=1e-14,
        )


def _binary() -> Iterator[Program]:
    for name, (text, oracle) in _BINARY.items():
        for rank in (1, 2, 3, 4):
            index = ",".join("ijkl"[:rank])
            shape = ",".join("2345"[:rank])
            every = "s" * rank
            formats = ("", f"x={every} y={every}") + (("x=coo y=coo", f"x=coo y={every}") if rank > 1 else ())
            yield Program(
                f"elemwise_binary {name} {rank}-d",
                f"r({index}) = {text.format(index)}",
                f"x={shape} y={shape}",
                oracle,
                formats,
                data=Data.FRACTIONS,
                density=0.5,
                tolerance=1e-14,
            )


def _ternary() -> Iterator[Program]:
    for name, (text, oracle) in _TERNARY.items():
        for shapes, indices, formats in (
            ("x=2,3 y=2,3 z=2,3", ("i,j",) * 3, ("", "x=ss y=ss z=ss", "x=coo y=csr z=csr", "x=coo y=coo z=coo")),
            ("x=2 y=3,2 z=4,3,2", ("k", "j,k", "i,j,k"), ("", "x=s y=ss z=sss", "y=coo z=coo")),
        ):
            label = "broadcast" if len(set(indices)) > 1 else "elemwise"
            result = "i,j,k" if label == "broadcast" else "i,j"
            yield Program(
                f"{label}_trinary {name}",
                f"r({result}) = {text.format(*indices)}",
                shapes,
                oracle,
                formats,
                density=0.5,
            )


def _products() -> Iterator[Program]:
    for title, strings in (("tensordot", _TENSORDOT), ("matmul", _MATMUL)):
        for subscripts in strings.split():
            first, second = subscripts.partition("->")[0].split(",")
            left, right = f"A={'s' * len(first)}", f"B={'s' * len(second)}"
            formats = ("", f"{left} {right}", left, right)
            yield einsum(
                subscripts,
                {"a": 3, "b": 4, "c": 5, "d": 2, "e": 2},
                name=f"{title} {subscripts}",
                formats=formats,
                density=0.5,
                options={"convert": "automatic"},
            )


PROGRAMS = (
    *_unary(),
    *_binary(),
    *_ternary(),
    *(
        Program(
            f"reductions {name}",
            text,
            "x=2,3,4",
            oracle,
            ("", *_THREE[:3]),
            data=Data.FRACTIONS,
            density=0.5,
            tolerance=1e-14,
        )
        for name, (text, oracle) in _REDUCTIONS.items()
    ),
    *_products(),
    Program(
        "dot complex",
        "y(i) = A(i,j) * x(j)",
        "A=20,20 x=20",
        lambda A, x: A @ x,
        ("A=csr", "A=coo", "A=csc"),
        dtypes="A=complex128 x=complex128",
        density=0.5,
    ),
    Program(
        "dot complex64",
        "C(i,k) = A(i,j) * B(j,k)",
        "A=20,20 B=20,20",
        lambda A, B: A @ B,
        ("A=csr", "A=csr B=csr C=csr"),
        dtypes="A=complex64 B=complex64",
        density=0.3,
    ),
    Program(
        "bitwise_binary_bool and",
        "r(i,j) = x(i,j) * y(i,j)",
        "x=4,5 y=4,5",
        lambda x, y: x & y,
        ("", "x=coo y=coo", "x=csr y=csr r=csr"),
        dtypes="x=bool y=bool",
        density=0.5,
    ),
    Program(
        "bitwise_binary_bool or",
        "r(i,j) = x(i,j) + y(i,j)",
        "x=4,5 y=4,5",
        lambda x, y: x | y,
        ("", "x=csr y=csr r=csr"),
        dtypes="x=bool y=bool",
        density=0.5,
    ),
    Program(
        "bitwise_binary_bool xor",
        "r(i,j) = x(i,j) != y(i,j)",
        "x=4,5 y=4,5",
        lambda x, y: x ^ y,
        ("", "x=csr y=csr r=csr"),
        dtypes="x=bool y=bool",
        density=0.5,
    ),
    Program(
        "transpose",
        "r(k,j,i) = x(i,j,k)",
        "x=2,3,4",
        lambda x: x.T,
        ("", "x=coo", "x=csf", "x=csf r=csf:2,1,0"),
        density=0.5,
    ),
    Program(
        "slicing x[1:3]",
        "r(i,j) = x(1:3,j)",
        "x=5,4",
        formats=("", "x=csr"),
        refusal=("expression/syntax", "found `:`"),
    ),
    Program(
        "elemwise_nonzero_input_fv add",
        "r(i,j) = x(i,j) + y(i,j)",
        "x=4,5 y=4,5",
        lambda x, y: x + y,
        ("x=csr y=csr",),
        fills={"x": 2.0, "y": 0.5},
    ),
    Program(
        "elemwise_nonzero_input_fv mul",
        "r(i,j) = x(i,j) * y(i,j)",
        "x=4,5 y=4,5",
        lambda x, y: x * y,
        ("x=csr y=csr",),
        fills={"x": 2.0, "y": 0.5},
    ),
    Program(
        "elemwise_mixed_empty",
        "r(i,j,k) = x(i,j,k) * y(i,j,k)",
        "x=2,0,4 y=2,0,4",
        lambda x, y: x * y,
        ("", "x=coo", "x=csf y=csf"),
    ),
    *(
        Program(f"elemwise {name}", f"r(i,j,k) = {text}", "x=2,3,4", formats=("x=coo",), dtypes=dtypes, refusal=refusal)
        for name, text, dtypes, refusal in _REFUSED
    ),
    Program(
        "broadcast of size 1",
        "r(i,j,k) = x(i,j,k) * y(i,j,k)",
        "x=3,1,4 y=3,2,4",
        formats=("", "x=coo"),
        refusal=("runtime/shape-mismatch", "has size 1 in dimension 2 but y(i,j,k) has size 2"),
    ),
)
