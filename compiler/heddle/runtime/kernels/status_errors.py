"""What the status of a kernel means that did not end well: no memory, too many entries, a claim that does not hold."""

from __future__ import annotations

from heddle.diagnostics import Diagnostic, InternalError, Location, OperandError, Part
from heddle.loop_ir.dtypes import integer_range
from heddle.loop_ir.nodes import INDEX_OVERFLOW, OUT_OF_MEMORY, ArrayRole, Function, Require
from heddle.signature import Signature


def status_error(status: int, function: Function, signature: Signature, schedule: tuple[str, ...]) -> OperandError:
    """The error for a ``status`` of ``function`` that is not 0.

    Raises
    ------
    InternalError
        for a status that no claim of the function has.
    """
    if status == OUT_OF_MEMORY:
        return OperandError(
            Diagnostic(
                code="runtime/out-of-memory",
                message="The kernel could not allocate its workspace: the machine has no memory left.",
                hint="Use smaller operands, or a schedule with a smaller workspace.",
            )
        )
    if status == INDEX_OVERFLOW:
        return OperandError(_overflow(function, signature))
    requirement = next((claim for claim in function.requirements if claim.code == status), None)
    if requirement is None:
        raise InternalError(f"The kernel returned the unknown status {status}")
    return OperandError(_broken_claim(requirement, schedule))


def _broken_claim(requirement: Require, schedule: tuple[str, ...]) -> Diagnostic:
    """At the command that claims it, if one does."""
    command = requirement.origin.command
    location = None
    if command is not None:
        location = Location(Part.SCHEDULE, 0, len(schedule[command]), command=command)
    return Diagnostic("runtime/refused", requirement.message, location)


def _overflow(function: Function, signature: Signature) -> Diagnostic:
    result = signature.result
    dtypes = {
        parameter.dtype
        for parameter in function.parameters
        if parameter.allocated and parameter.array is not None and parameter.array.role is ArrayRole.POS
    }
    dtype_names = " or ".join(sorted(dtypes))
    largest = " or ".join(f"{integer_range(dtype)[1]:,}" for dtype in sorted(dtypes))
    return Diagnostic(
        code="runtime/index-overflow",
        message=f"The result {result.name} has more entries than its positions, which are {dtype_names}, can count.",
        location=Location(Part.INPUT, tensor=result.name),
        expected=f"a result with at most {largest} entries",
        hint=f"Use smaller operands, or compute {result.name} in parts.",
    )
