"""Arrays, maps and expressions of loop IR."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heddle.loop_ir.nodes.vectors import VectorExpression

INDEX = "int64"
BOOL = "bool"


class ArrayRole(StrEnum):
    POS = "pos"
    CRD = "crd"
    WIDTH = "width"
    OFFSETS = "offsets"
    MASK = "mask"
    ROWS = "rows"
    PERM = "perm"
    FIRST = "first"
    STARTS = "starts"
    VALS = "vals"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Array:
    """A one-dimensional array. Parameters come from a tensor's level (1-based; 0 for ``vals``)."""

    name: str
    dtype: str
    role: ArrayRole
    tensor: str | None = None
    level: int = 0


@dataclass(frozen=True, slots=True)
class Map:
    """A hash workspace: entries with an ``int64`` key and a value of ``dtype``, in slots 0, 1, 2, … in the order in
    which their keys first came. ``keys`` and ``vals`` are loaded and stored by slot like any array."""

    name: str
    dtype: str

    @property
    def keys(self) -> Array:
        return Array(f"{self.name}_keys", INDEX, ArrayRole.WORKSPACE)

    @property
    def vals(self) -> Array:
        return Array(f"{self.name}_vals", self.dtype, ArrayRole.WORKSPACE)


# ----------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Var:
    name: str
    dtype: str = INDEX


@dataclass(frozen=True, slots=True)
class Const:
    value: int | float | complex | bool
    dtype: str = INDEX


@dataclass(frozen=True, slots=True)
class Binary:
    """Operators: ``+ - * / // % min max == != < <= > >= && ||``; ``//`` and ``%`` take non-negative integers."""

    operator: str
    left: Expr
    right: Expr
    dtype: str = INDEX


@dataclass(frozen=True, slots=True)
class Unary:
    """Operators: ``-`` and ``!``."""

    operator: str
    operand: Expr
    dtype: str = INDEX


@dataclass(frozen=True, slots=True)
class Load:
    """``array[index]``. ``path`` is the structured form's subscript, e.g. ``("i", "jA")`` for ``A.vals[i, jA]``."""

    array: Array
    index: Expr
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cast:
    operand: Expr
    dtype: str


@dataclass(frozen=True, slots=True)
class Select:
    """``condition ? then : otherwise``; both sides are evaluated lazily."""

    condition: Expr
    then: Expr
    otherwise: Expr
    dtype: str = INDEX


@dataclass(frozen=True, slots=True)
class Call:
    """A pure function by name (``sqrt``, ``abs`` …)."""

    function: str
    arguments: tuple[Expr, ...]
    dtype: str


@dataclass(frozen=True, slots=True)
class MapSize:
    """The number of entries of ``map``."""

    map: Map
    dtype: str = INDEX


Expr = Var | Const | Binary | Unary | Load | Cast | Select | Call | MapSize | VectorExpression
