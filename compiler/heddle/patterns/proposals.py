"""Which parts of which tensors the parameters of a program look like, by their types and claims alone."""

from __future__ import annotations

from heddle.lengths.nodes import At, Length
from heddle.lengths.walk import all_atoms
from heddle.patterns.program import Program
from heddle.patterns.typing.claims import InRange, Permutation
from heddle.patterns.typing.layout import fields, record_of
from heddle.patterns.typing.types import ArrayType, Pair, Type

BLOCK = 4
"""Rows and columns of a block where the program leaves them open: whatever the matrix is stored with decides."""


def proposed(program: Program) -> dict[str, str]:
    """For each parameter a tensor, or a part of one: ``{"offset": "A.pos", "cols": "A.crd", "vals": "A.vals", "xs":
    "xs"}``. Arrays with the same length of rows belong to one tensor. A program without rows of different lengths takes
    its parameters as they are, but for columns of slots."""
    taken = {name for name, _ in program.types} | set(program.sizes)
    names = (name for name in _letters() if name not in taken)
    found: dict[str, str] = {}
    owners: dict[str, str] = {}
    for parameter, type in program.types:
        lengths = _row_lengths(type)
        source = next((_array(one) for one in lengths if _array(one) is not None), None)
        if source is None:
            continue
        owner = owners.get(source) or owners.setdefault(source, next(names))
        found[source] = f"{owner}.{'pos' if _steps(lengths, source) else 'lengths'}"
        found[parameter] = f"{owner}.{_part(record_of(type))}"
    columns = {claim.array for claim in program.claims if isinstance(claim, InRange)}
    permuted = {claim.array for claim in program.claims if isinstance(claim, Permutation)}
    for parameter, type in program.types:
        if parameter in found or parameter not in columns or parameter in permuted:
            continue
        values = next((one for one, own in program.types if one not in found and _same_slots(own, type)), None)
        if values is not None:
            owner = next(names)
            found[parameter], found[values] = f"{owner}.crd", f"{owner}.vals"
    return {name: found.get(name, name) for name, _ in program.types}


def formats(program: Program) -> dict[str, str]:
    """The format of each tensor that :func:`proposed` takes parts of, where it is not ``csr``: ``bcsr(4,4)`` where a
    value is a block, of the block's own sizes where the program fixes them, ``ell`` where all rows have equally many
    slots."""
    parts = proposed(program)
    owners = {name: text.partition(".") for name, text in parts.items()}
    ragged = {owner for owner, _, part in owners.values() if part in ("pos", "lengths")}
    found: dict[str, str] = {}
    for name, type in program.types:
        owner, _, part = owners[name]
        levels = _row_lengths(type)
        if part == "vals" and owner in ragged and len(levels) == 3:
            rows, columns = (level.constant or BLOCK for level in levels[1:])
            found[owner] = f"bcsr({rows},{columns})"
        elif part == "crd" and owner not in ragged:
            found[owner] = "ell"
    return found


def _letters() -> list[str]:
    return ["A", "B", "C", "D", *(f"A{number}" for number in range(1, 40))]


def _row_lengths(type: Type) -> list[Length]:
    found: list[Length] = []
    while isinstance(type, ArrayType):
        found.append(type.size)
        type = type.element
    return found[1:]


def _array(length: Length) -> str | None:
    return next((atom.array for atom in all_atoms(length) if isinstance(atom, At)), None)


def _steps(lengths: list[Length], array: str) -> bool:
    """Whether lengths are differences of the elements of ``array``, rather than its elements."""
    indices = {
        atom.index.key for one in lengths for atom in all_atoms(one) if isinstance(atom, At) and atom.array == array
    }
    return len(indices) > 1


def _part(record: Type) -> str:
    own = fields(record)
    if isinstance(record, Pair):
        return "entries" if [one.dtype[:3] for one in own] == ["int", "flo"] else "vals"
    return "crd" if own[0].dtype.startswith("int") else "vals"


def _same_slots(type: Type, columns: Type) -> bool:
    """Whether ``type`` has a number wherever ``columns`` has a position."""
    if not isinstance(type, ArrayType) or not isinstance(columns, ArrayType):
        return (
            not isinstance(type, ArrayType | Pair)
            and not isinstance(columns, ArrayType | Pair)
            and (fields(type)[0].dtype.startswith("float"))
        )
    return type.size == columns.size and _same_slots(type.element, columns.element)
