"""Operands are passed by name: which names are wrong, and which are missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from heddle.diagnostics import Diagnostic, Location, OperandError, Part, nearest
from heddle.notation.nodes import Access
from heddle.runtime.tensors.shapes import spell

OPTION_NAMES = ("validate", "out")
"""Options of a call, where no operand is called so."""
_OF_CALLS = "out and validate are options of kernel(…); a bound call has its own result, and looked at its operands."


def refuse_names(operands: Mapping[str, object], expected: Mapping[str, Access], target: Access) -> NoReturn:
    """Says what is wrong with the names of ``operands`` for a computation of ``target`` that takes those of
    ``expected``, each as it is first read.

    Raises
    ------
    OperandError
        ``runtime/unknown-operand`` or ``runtime/missing-operand``.
    """
    names = ", ".join(expected) or "no operands"
    for name in operands:
        if name in expected:
            continue
        result = name == target.tensor
        reason = "is the result, which is not passed" if result else "is not an operand of this kernel"
        raise OperandError(
            Diagnostic(
                code="runtime/unknown-operand",
                message=f"{name} {reason}; {spell(target)} takes {names}.",
                location=Location(Part.INPUT, tensor=name),
                expected=names,
                actual=name,
                candidates=nearest(name, tuple(expected)),
                hint=_OF_CALLS if name in OPTION_NAMES else None,
            )
        )
    raise OperandError(
        *(
            Diagnostic(
                code="runtime/missing-operand",
                message=f"{spell(access)} is missing; the kernel takes {names}.",
                location=Location(Part.INPUT, tensor=name),
                expected=names,
                actual=", ".join(operands) or "nothing",
                hint=f"Pass it by name: kernel({name}=...).",
            )
            for name, access in expected.items()
            if name not in operands
        )
    )
