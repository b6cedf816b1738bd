"""What is said of the parts of an operand, in terms of the operand: only that can be stored otherwise."""

from __future__ import annotations

from dataclasses import replace

from heddle.advice import StoreInOrder
from heddle.decomposition.decomposed import Decomposed
from heddle.decomposition.legal import in_one_part
from heddle.diagnostics import CompileError, Diagnostic


def of_the_whole(error: CompileError, made: Decomposed, *, converting: bool) -> CompileError:
    """``error`` with repairs that store the operand in one part, where it had some for its parts. ``converting``: the
    plan asks for conversions, of which there are none here."""
    return CompileError(*(_of_the_whole(one, made, converting=converting) for one in error.diagnostics))


def _of_the_whole(diagnostic: Diagnostic, made: Decomposed, *, converting: bool) -> Diagnostic:
    names = {part.name for part in made.parts}
    ordered = [one for one in diagnostic.advice if isinstance(one, StoreInOrder)]
    kept = tuple(fix for fix in diagnostic.fixes if not names & set(fix.formats or ()))
    if len(kept) == len(diagnostic.fixes) and not ordered:
        return diagnostic
    hint = diagnostic.hint
    if converting and ordered:
        hint = f"{made.tensor} is a sum of parts, whose operands are not converted automatically."
    return replace(
        diagnostic,
        location=None
        if diagnostic.location is None
        else replace(
            diagnostic.location,
            tensor=made.tensor if diagnostic.location.tensor in names else diagnostic.location.tensor,
        ),
        hint=hint,
        fixes=(*kept, *in_one_part(made.tensor, made.order)),
        advice=tuple(one for one in diagnostic.advice if one not in ordered),
    )
