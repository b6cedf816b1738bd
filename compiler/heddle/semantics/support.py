"""What this version can lower: checked before the schedule, so that the message names the format or the expression."""

from __future__ import annotations

from collections.abc import Iterator

from heddle.diagnostics import Diagnostic, Fix, Location, Part
from heddle.fills.dtypes import holds_fill
from heddle.formats.assembled_levels import can_be_assembled
from heddle.formats.level_problems import level_problems
from heddle.formats.printer import format_text, level_text
from heddle.iteration_graph.algebra.type_promotion import infer_dtype
from heddle.notation.nodes import Access, Assignment, accesses, operand_accesses, statements
from heddle.semantics.declared import statement_signature
from heddle.semantics.operation_types import operation_problems
from heddle.signature import Signature, TensorSignature


def find_unsupported(text: str, assignment: Assignment, signature: Signature) -> list[Diagnostic]:
    """One diagnostic for each thing that cannot be lowered. ``text`` is what ``assignment`` was parsed from."""
    diagnostics = [*_temporaries(assignment, signature), *_coordinates(assignment, signature)]
    for temporary in assignment.temporaries:
        local_signature = statement_signature(signature, temporary)
        diagnostics += [*_lossy(temporary, local_signature), *operation_problems(temporary, local_signature)]
    return [*diagnostics, *_result_problems(text, statements(assignment)[-1], signature)]


def _coordinates(assignment: Assignment, signature: Signature) -> Iterator[Diagnostic]:
    """What coordinates are computed of is loaded, and what only a condition keeps inside cannot be searched."""
    program = assignment.program
    if program is None:
        return
    indices = {access.tensor for formula in program.computed.values() for access in accesses(formula)}
    guarded = {
        access.tensor
        for statement in statements(assignment)
        for access in accesses(statement.expression)
        if not program.lazy.isdisjoint(access.indices)
    }
    for name, tensor in signature.tensors.items():
        if tensor.format.is_dense or name not in indices | guarded:
            continue
        reason = (
            "holds indices of another tensor, which are loaded where they are needed"
            if name in indices
            else "is read under a condition, with coordinates that lie outside of it where the condition does not hold"
        )
        yield Diagnostic(
            "format/computed-coordinates",
            f"{name} {reason}, so that it cannot be stored as {format_text(tensor.format)}. Store {name} dense.",
            Location(Part.FORMAT, tensor=name),
            expected="dense",
            actual=format_text(tensor.format),
            fixes=(Fix(f"Store {name} dense", formats={name: "dense"}),),
        )
    for name, access in _searched_in_vain(assignment, signature).items():
        text = format_text(signature.tensors[name].format)
        known = ", ".join("…" if index in program.computed else index for index in access.indices)
        instead = "csr" if signature.tensors[name].order == 2 else "dense"
        yield Diagnostic(
            "format/computed-coordinates",
            f"{name}({known}) is read at a coordinate that is computed, which cannot be searched in {text}. "
            f"Store {name} as {instead}.",
            Location(Part.FORMAT, tensor=name),
            expected="a format in which the coordinate can be searched",
            actual=text,
            fixes=(Fix(f"Store {name} as {instead}", formats={name: instead}),),
        )


def _searched_in_vain(assignment: Assignment, signature: Signature) -> dict[str, Access]:
    """By tensor, an access whose format has no way to a coordinate that no loop runs over: sums of parts, dimensions
    that are cut into blocks, and coordinates that come in no order."""
    program, unreachable = assignment.program, dict[str, Access]()
    for access in operand_accesses(assignment) if program is not None else ():
        tensor = signature.tensors.get(access.tensor)
        if tensor is None or program is None:
            continue
        computed = {n for n, index in enumerate(access.indices) if index in program.computed}
        layout = tensor.format
        unordered = {layout.order[level] for level in range(len(layout.levels)) if not layout.ascends(level)}
        if computed and (layout.composition is not None or not computed.isdisjoint({*layout.cuts, *unordered})):
            unreachable.setdefault(access.tensor, access)
    return unreachable


def _result_problems(text: str, assignment: Assignment, signature: Signature) -> list[Diagnostic]:
    local_signature = statement_signature(signature, assignment)
    return [
        *(problem for tensor in signature.tensors.values() for problem in level_problems(tensor.name, tensor.format)),
        *(_assembly_problems(signature.result, "result") if assignment.operator == "=" else ()),
        *_fills(signature),
        *_lossy(assignment, local_signature),
        *_accumulation(text, assignment, signature),
        *operation_problems(assignment, local_signature),
    ]


def _temporaries(assignment: Assignment, signature: Signature) -> Iterator[Diagnostic]:
    """A temporary is stored as a result may be, where nobody but the statements behind it reads it."""
    for name in signature.stored_temporaries:
        tensor = signature.temporaries[name]
        reason = _must_be_dense(assignment, name)
        if reason is None:
            yield from level_problems(name, tensor.format)
            yield from _assembly_problems(tensor, "temporary")
            continue
        yield Diagnostic(
            "format/sparse-temporary",
            f"{reason}, so that it cannot be stored as {format_text(tensor.format)}. Store {name} dense.",
            Location(Part.FORMAT, tensor=name),
            expected="dense",
            actual=format_text(tensor.format),
            fixes=(Fix(f"Store {name} dense", formats={name: "dense"}),),
        )


def _must_be_dense(assignment: Assignment, name: str) -> str | None:
    """Why a temporary has an element for each coordinate; None where it need not."""
    if assignment.program is not None:
        return f"{name} is a tensor of a comprehension, whose statements read and overwrite any of its elements"
    return None


def _assembly_problems(tensor: TensorSignature, noun: str) -> Iterator[Diagnostic]:
    """What a kernel makes is assembled level by level: dense, or appended in order."""
    levels, later = tensor.format.levels, ", and convert it afterwards" if tensor.is_result else ""
    if tensor.format.blocks and all(level.kind == "dense" for level in levels):
        yield Diagnostic(
            "format/tiled-result",
            f"the {noun} {tensor.name} is stored as tiles without a compressed level, which cannot be assembled. "
            f"Store {tensor.name} dense{later}.",
            Location(Part.FORMAT, tensor=tensor.name),
            expected=f"a dense {noun}, or one with a compressed level above the blocks",
            actual="dense levels in blocks",
            fixes=(Fix(f"Store {tensor.name} dense", formats={tensor.name: "dense"}),),
        )
    for number, level in enumerate(levels, start=1):
        if can_be_assembled(levels, number - 1):
            continue
        yield Diagnostic(
            "format/sparse-result",
            f"level {number} of the {noun} {tensor.name} is {level_text(level)}, which cannot be assembled. "
            f"Store {tensor.name} with dense and compressed levels or as coo{later}.",
            Location(Part.FORMAT, tensor=tensor.name),
            expected="dense or compressed levels",
            actual=level_text(level),
            fixes=(Fix(f"Store {tensor.name} dense", formats={tensor.name: "dense"}),),
        )


def _fills(signature: Signature) -> Iterator[Diagnostic]:
    """A fill is a value of its tensor."""
    for tensor in signature.tensors.values():
        if not holds_fill(tensor.dtype, tensor.fill):
            yield Diagnostic(
                "format/fill",
                f"{tensor.name} has the dtype {tensor.dtype}, which cannot hold its fill {tensor.fill}.",
                Location(Part.FORMAT, tensor=tensor.name),
                expected=f"a value of {tensor.dtype}",
                actual=str(tensor.fill),
            )


def _lossy(assignment: Assignment, signature: Signature) -> Iterator[Diagnostic]:
    """A result that cannot hold what is computed would be cut silently."""
    result = signature.result
    if assignment.operator in ("|=", "&="):
        if result.dtype != "bool":
            yield Diagnostic(
                "format/lossy-dtype",
                f"{assignment.operator} gives truth values, but {result.name} has the dtype {result.dtype}. "
                f"Give {result.name} the dtype bool.",
                Location(Part.FORMAT, tensor=result.name),
                expected="bool",
                actual=result.dtype,
            )
        return
    computed = infer_dtype(assignment.expression, {name: t.computed_dtype for name, t in signature.tensors.items()})
    if computed is None or _rank(computed) <= _rank(result.dtype):
        return
    yield Diagnostic(
        "format/lossy-dtype",
        f"the expression computes {computed} values, which {result.name} of dtype {result.dtype} cannot hold without "
        f"loss. Give {result.name} the dtype {computed}.",
        Location(Part.FORMAT, tensor=result.name),
        expected=computed,
        actual=result.dtype,
    )


def _rank(dtype: str) -> int:
    """Truth values, integers, reals and complex numbers: a value of a higher rank loses a part of itself in a lower."""
    return "bifc".index("i" if dtype[0] == "u" else dtype[0])


def _accumulation(text: str, assignment: Assignment, signature: Signature) -> Iterator[Diagnostic]:
    """Only what is stored everywhere can be added to in place."""
    if assignment.operator == "=":
        return
    result = signature.result
    if not result.format.is_dense:
        start = text.index(assignment.operator, assignment.target.span.end if assignment.target.span else 0)
        yield Diagnostic(
            "expression/accumulate",
            f"{assignment.operator} combines with what {result.name} already holds, but {result.name} is stored with "
            f"compressed levels, where new entries have no place. Store {result.name} dense, or assign with =.",
            Location(Part.EXPRESSION, start, start + len(assignment.operator)),
            expected=f"a dense {result.name}, or =",
            actual=f"{assignment.operator} into compressed levels",
            fixes=(Fix(f"Store {result.name} dense", formats={result.name: "dense"}),),
        )
