"""Types of drawn programs in patterns, and the parameters that these may have."""

from __future__ import annotations

from dataclasses import dataclass

ROW = "toNat(offset@(i+1) - offset@i)"
SIZES = ("n", "m", "k")
PARAMETERS = {
    "offset": "[int]_{n+1}",
    "lens": "[int]_n",
    "a": f"[i -> [double]_{{{ROW}}}]_n",
    "b": f"[i -> [double]_{{{ROW}}}]_n",
    "cols": f"[i -> [int]_{{{ROW}}}]_n",
    "packed": f"[i -> [(int,double)]_{{{ROW}}}]_n",
    "l": "[i -> [double]_{toNat(lens@i)}]_n",
    "tri": "[i -> [double]_{i+1}]_n",
    "band": "[i -> [double]_{min(2, n-i)}]_n",
    "nested": "[i -> [j -> [double]_{i+j}]_{i+1}]_n",
    "blocks": f"[i -> [[double]_k]_{{{ROW}}}]_n",
    "D": "[[double]_m]_n",
    "xs": "[double]_m",
    "ys": "[double]_n",
    "ints": "[int]_n",
    "pick": "[idx(m)]_k",
    "order": "[int]_n",
    "q": "int",
}
"""In an order in which types name what is in front of them."""


@dataclass(frozen=True)
class Scalar:
    kind: str = "f"


@dataclass(frozen=True)
class Position:
    """An index of dimension ``of``; ``instance`` is that of the elements there."""

    of: str
    instance: str = ""


@dataclass(frozen=True)
class Pair:
    first: Type
    second: Type


@dataclass(frozen=True)
class Array:
    size: str
    element: Type


Type = Scalar | Position | Pair | Array
F, WHOLE = Scalar(), Scalar("i")
TYPES: dict[str, Type] = {
    "a": Array("n", Array("row*", F)),
    "b": Array("n", Array("row*", F)),
    "cols": Array("n", Array("row*", Position("m"))),
    "packed": Array("n", Array("row*", Pair(Position("m"), F))),
    "l": Array("n", Array("lens*", F)),
    "tri": Array("n", Array("tri*", F)),
    "band": Array("n", Array("band*", F)),
    "nested": Array("n", Array("tri*", Array("nested*", F))),
    "blocks": Array("n", Array("row*", Array("k", F))),
    "D": Array("n", Array("m", F)),
    "xs": Array("m", F),
    "ys": Array("n", F),
    "ints": Array("n", WHOLE),
    "pick": Array("k", Position("m")),
}


def renamed(type: Type, instance: str) -> Type:
    """The type of an element: rows of different lengths have one length there."""
    match type:
        case Array(size=size, element=element):
            own = f"{size[:-1]}#{instance}" if size.endswith("*") else size
            return Array(own, element)
        case Pair(first=first, second=second):
            return Pair(renamed(first, instance), renamed(second, instance))
        case _:
            return type


def reordered(type: Type, fresh: str) -> Type:
    """The type of elements in another order: rows of different lengths are those of no other array."""
    match type:
        case Array(size=size, element=element):
            return Array(f"{fresh}.{size}" if size.endswith("*") else size, reordered(element, fresh))
        case Pair(first=first, second=second):
            return Pair(reordered(first, fresh), reordered(second, fresh))
        case _:
            return type
