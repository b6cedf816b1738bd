"""The sizes of a run's operands: those that the plan fixes, and what is said where some are unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.notation.alpha_renaming import ties
from heddle.notation.nodes import Assignment
from heddle.plan import Plan
from heddle.signature import Signature


def unknown_sizes(tensors: Mapping[str, str]) -> CompileError:
    """All sizes that no input has, each with the first tensor that has it."""
    names, first = list(tensors), next(iter(tensors.values()))
    pronoun = "it" if len(names) == 1 else "them"
    said = f"The size {names[0]} of {first} is" if len(names) == 1 else f"The sizes {_in_words(names)} are"
    if names == [first]:
        said = f"The integer {first} is"
    return CompileError(
        Diagnostic(
            code="input/unknown-size",
            message=f"{said} unknown: no input has {pronoun}.",
            location=Location(Part.INPUT, tensor=first),
            expected=f"a number for {_in_words(names)} in sizes, or inputs that have {pronoun}",
            hint=_how_to_fix(names, list(dict.fromkeys(tensors.values()))),
        )
    )


def _in_words(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _how_to_fix(names: Sequence[str], tensors: Sequence[str]) -> str:
    fields = f"the field size {names[0]}" if len(names) == 1 else "their fields below the expression"
    return (
        f"Give {_in_words(names)} a number ({fields}, or sizes in a plan), or choose a data set or a generator with a "
        f"shape for {_in_words(tensors)}."
    )


def size_conflict(name: str, fixed: int, size: int) -> CompileError:
    """The plan fixes ``name``, and an input has another ``size``."""
    return CompileError(
        Diagnostic(
            code="input/size-conflict",
            message=f"The plan fixes {name} = {fixed:,}, but an input has {size:,} of it.",
            location=Location(Part.PLAN, path=f"/sizes/{name}"),
            expected=f"{name} = {size}",
            actual=str(fixed),
            hint=f"Leave {name} out of the plan's sizes, or choose another input.",
        )
    )


def with_fixed_sizes(plan: Plan, assignment: Assignment, sizes: Mapping[str, int]) -> dict[str, int]:
    """``sizes`` and those that the plan fixes. A size that an input has is that of the input and no other.

    Raises CompileError ``input/size-conflict``.
    """
    complete = dict(sizes)
    for variable, representative in ties(assignment).items():
        fixed = plan.sizes.get(representative)
        if fixed is None:
            continue
        if sizes.get(variable, fixed) != fixed:
            raise size_conflict(representative, fixed, sizes[variable])
        complete[variable] = fixed
    return complete


def require_sizes(signature: Signature, sizes: Mapping[str, int]) -> None:
    """Every size that an operand needs, all that are unknown in one answer."""
    unknown = {
        variable: tensor
        for tensor in reversed(signature.inputs)
        for variable in reversed(tensor.indices)
        if variable not in sizes
    }
    if len(unknown) > 1:
        raise unknown_sizes({variable: unknown[variable].name for variable in reversed(unknown)})
    for variable, tensor in unknown.items():
        spelled = f"{tensor.name}({','.join(tensor.indices)})"
        raise CompileError(
            Diagnostic(
                code="input/unknown-size",
                message=f"The size of {variable} in {spelled} is unknown: no input has a dimension {variable}.",
                location=Location(Part.INPUT, tensor=tensor.name),
                expected=f"a shape for {tensor.name}",
                hint=_how_to_fix([variable], [tensor.name]),
            )
        )
