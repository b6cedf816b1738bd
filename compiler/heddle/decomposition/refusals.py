"""What is said of the parts of an operand, in terms of the operand: only that can be stored otherwise."""

from __future__ import annotations

from dataclasses import replace

from heddle.advice import StoreInOrder
from heddle.decomposition.decomposed import Decomposed
from heddle.decomposition.legal import suggest_undivided
from heddle.diagnostics import CompileError, Diagnostic


def of_the_whole(error: CompileError, decomposition: Decomposed, *, converting: bool) -> CompileError:
    """``error`` with repairs that store the operand in one part, where it had some for its parts. ``converting``: the
    plan asks for conversions, of which there are none here."""
    return CompileError(
        *(_of_the_whole(diagnostic, decomposition, converting=converting) for diagnostic in error.diagnostics)
    )


def _of_the_whole(diagnostic: Diagnostic, decomposition: Decomposed, *, converting: bool) -> Diagnostic:
    names = {part.name for part in decomposition.parts}
    ordered = [advice for advice in diagnostic.advice if isinstance(advice, StoreInOrder)]
    remaining = tuple(fix for fix in diagnostic.fixes if not names & set(fix.formats or ()))
    if len(remaining) == len(diagnostic.fixes) and not ordered:
        return diagnostic
    hint = diagnostic.hint
    if converting and ordered:
        hint = f"{decomposition.tensor} is a sum of parts, whose operands are not converted automatically."
    return replace(
        diagnostic,
        location=None
        if diagnostic.location is None
        else replace(
            diagnostic.location,
            tensor=decomposition.tensor if diagnostic.location.tensor in names else diagnostic.location.tensor,
        ),
        hint=hint,
        fixes=(*remaining, *suggest_undivided(decomposition.tensor, decomposition.order)),
        advice=tuple(advice for advice in diagnostic.advice if advice not in ordered),
    )
