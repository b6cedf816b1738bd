"""Arrays, maps and expressions of loop IR, those of vectors included (``vectors.py`` says what a vector is)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True)
class Broadcast:
    """``lanes`` lanes with the same ``value``."""

    value: Expr
    lanes: int


@dataclass(frozen=True, slots=True)
class VectorLoad:
    """``array[index : index + lanes]``. Unlike :class:`Load` it does not widen 32-bit indices. Lanes that ``mask``
    leaves out are 0, and their elements are not read. ``path`` is the structured form's subscript of the first lane."""

    array: Array
    index: Expr
    lanes: int
    mask: Expr | None = None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gather:
    """``array[indices]``, an element for each lane; ``indices`` is a vector of int32. Lanes that ``mask`` leaves out
    are 0, and their elements are not read."""

    array: Array
    indices: Expr
    mask: Expr | None = None


@dataclass(frozen=True, slots=True)
class LaneRange:
    """The mask of those of ``lanes`` lanes from ``lower`` up to ``upper``, which may lie before the first and after
    the last."""

    lower: Expr
    upper: Expr
    lanes: int


@dataclass(frozen=True, slots=True)
class Keep:
    """``value`` in the lanes of ``mask``, 0 in the others."""

    value: Expr
    mask: Expr


@dataclass(frozen=True, slots=True)
class LaneSum:
    """The sum of all lanes, a scalar: halves are added until one lane is left, on every machine in the same order."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class VectorMasks:
    """Whether the machine that compiles the text has instructions that mask vectors: a constant there, unknown here."""

    dtype: str = "bool"


@dataclass(frozen=True, slots=True)
class RegistersHold:
    """Whether half of the vector registers of the machine that compiles the text hold ``size`` bytes: a constant there,
    unknown here."""

    size: int
    dtype: str = "bool"


@dataclass(frozen=True, slots=True)
class VectorUnit:
    """What kernels may ask of a machine: whether instructions mask vectors, and the bytes that half of its vector
    registers hold."""

    masks: bool
    held_bytes: int


AVX512, AVX2 = VectorUnit(masks=True, held_bytes=1024), VectorUnit(masks=False, held_bytes=256)


VectorExpression = Broadcast | VectorLoad | Gather | LaneRange | Keep | LaneSum | VectorMasks | RegistersHold


Expr = Var | Const | Binary | Unary | Load | Cast | Select | Call | MapSize | VectorExpression
