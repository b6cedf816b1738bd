"""Every result of a kernel against its reference: what runs and searches ask before they believe a time."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.measuring.schema import Verification
from heddle.measuring.verification.dense_reference import dense_references, needs_dense
from heddle.measuring.verification.reference import Operand, Reference, evaluate
from heddle.measuring.verification.verify import compare
from heddle.notation.nodes import Assignment
from heddle.plan import Plan
from heddle.runtime.kernels.bound_call import BoundCall
from heddle.signature import Signature


def references_of(
    plan: Plan,
    assignment: Assignment,
    signature: Signature,
    operands: Mapping[str, Operand],
    sizes: Mapping[str, int],
) -> dict[str, Reference]:
    """Those of every result, by name; of a kernel of one statement the one of its only result.

    Raises
    ------
    CompileError
        ``run/no-reference`` for what cannot be computed in another way.
    """
    if needs_dense(assignment, signature):
        return dense_references(plan, assignment, signature, operands, sizes)
    reference = evaluate(assignment, operands, sizes, signature.result.dtype)
    return {signature.result.name: reference}


def verify(call: BoundCall, references: Mapping[str, Reference], signature: Signature) -> Verification:
    """Of a call that has run: all its results are right, or which error the first wrong one has; of several that are
    right the largest error."""
    tensors = {**call.shown, signature.result.name: call.output}
    checks = [
        compare(tensors[name].to_numpy(), reference, tensors[name].dtype) for name, reference in references.items()
    ]
    return next((check for check in checks if not check["ok"]), max(checks, key=lambda check: check["max_error"]))
