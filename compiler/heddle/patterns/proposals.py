"""Which parts of which tensors the parameters of a program look like, by their types and claims alone."""

from __future__ import annotations

from heddle.patterns.program import Program
from heddle.patterns.typing.claims import InRange, Permutation
from heddle.patterns.typing.layout import fields, record_of
from heddle.patterns.typing.types import ArrayType, Pair, Type
from heddle.symbolic.nodes import At, Length
from heddle.symbolic.walk import all_atoms

BLOCK = 4
"""Rows and columns of a block where the program leaves them open: whatever the matrix is stored with decides."""


def propose(program: Program) -> dict[str, str]:
    """For each parameter a tensor, or a part of one: ``{"offset": "A.pos", "cols": "A.crd", "vals": "A.vals", "xs":
    "xs"}``. Arrays with the same length of rows belong to one tensor. A program without rows of different lengths takes
    its parameters as they are, but for columns of slots."""
    reserved = {name for name, _ in program.types} | set(program.sizes)
    names = (name for name in _letters() if name not in reserved)
    tensor_parts: dict[str, str] = {}
    owners: dict[str, str] = {}
    for parameter, type in program.types:
        lengths = _row_lengths(type)
        source = next((_array(length) for length in lengths if _array(length) is not None), None)
        if source is None:
            continue
        owner = owners.get(source) or owners.setdefault(source, next(names))
        tensor_parts[source] = f"{owner}.{'pos' if _steps(lengths, source) else 'lengths'}"
        tensor_parts[parameter] = f"{owner}.{_part(record_of(type))}"
    columns = {claim.array for claim in program.claims if isinstance(claim, InRange)}
    permuted = {claim.array for claim in program.claims if isinstance(claim, Permutation)}
    for parameter, type in program.types:
        if parameter in tensor_parts or parameter not in columns or parameter in permuted:
            continue
        values = next(
            (
                candidate
                for candidate, candidate_type in program.types
                if candidate not in tensor_parts and _same_slots(candidate_type, type)
            ),
            None,
        )
        if values is not None:
            owner = next(names)
            tensor_parts[parameter], tensor_parts[values] = f"{owner}.crd", f"{owner}.vals"
    return {name: tensor_parts.get(name, name) for name, _ in program.types}


def formats(program: Program) -> dict[str, str]:
    """The format of each tensor that :func:`proposed` takes parts of, where it is not ``csr``: ``bcsr(4,4)`` where a
    value is a block, of the block's own sizes where the program fixes them, ``ell`` where all rows have equally many
    slots."""
    parts = propose(program)
    owners = {name: text.partition(".") for name, text in parts.items()}
    ragged = {owner for owner, _, part in owners.values() if part in ("pos", "lengths")}
    formats: dict[str, str] = {}
    for name, type in program.types:
        owner, _, part = owners[name]
        levels = _row_lengths(type)
        if part == "vals" and owner in ragged and len(levels) == 3:
            rows, columns = (level.constant or BLOCK for level in levels[1:])
            formats[owner] = f"bcsr({rows},{columns})"
        elif part == "crd" and owner not in ragged:
            formats[owner] = "ell"
    return formats


def _letters() -> list[str]:
    return ["A", "B", "C", "D", *(f"A{number}" for number in range(1, 40))]


def _row_lengths(type: Type) -> list[Length]:
    lengths: list[Length] = []
    while isinstance(type, ArrayType):
        lengths.append(type.size)
        type = type.element
    return lengths[1:]


def _array(length: Length) -> str | None:
    return next((atom.array for atom in all_atoms(length) if isinstance(atom, At)), None)


def _steps(lengths: list[Length], array: str) -> bool:
    """Whether lengths are differences of the elements of ``array``, rather than its elements."""
    indices = {
        atom.index.key
        for length in lengths
        for atom in all_atoms(length)
        if isinstance(atom, At) and atom.array == array
    }
    return len(indices) > 1


def _part(record: Type) -> str:
    record_fields = fields(record)
    if isinstance(record, Pair):
        return "entries" if [field.dtype[:3] for field in record_fields] == ["int", "flo"] else "vals"
    return "crd" if record_fields[0].dtype.startswith("int") else "vals"


def _same_slots(type: Type, columns: Type) -> bool:
    """Whether ``type`` has a number wherever ``columns`` has a position."""
    if not isinstance(type, ArrayType) or not isinstance(columns, ArrayType):
        return (
            not isinstance(type, ArrayType | Pair)
            and not isinstance(columns, ArrayType | Pair)
            and (fields(type)[0].dtype.startswith("float"))
        )
    return type.size == columns.size and _same_slots(type.element, columns.element)
