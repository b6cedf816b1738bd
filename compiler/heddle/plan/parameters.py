"""What the parameters of a program of patterns are in a run: tensors of the plan, or parts of their storage."""

from __future__ import annotations

import re

from heddle.diagnostics import Diagnostic, Location, Part, nearest
from heddle.frontends.front_end import Loops
from heddle.frontends.table import front_end_of
from heddle.plan.limits import MAX_TENSORS
from heddle.plan.plan import Plan
from heddle.plan.reader import Reader, child, describe

ARGUMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}(\.[a-z]+[0-9]?)?")
"""A tensor, or a part of one: ``x``, ``A.pos``, ``A.crd2``."""


def read_arguments(reader: Reader, value: object) -> dict[str, str]:
    """``arguments`` of a plan; a problem for each that cannot be read."""
    arguments: dict[str, str] = {}
    for name, source in reader.entries(value, "/arguments", MAX_TENSORS).items():
        if isinstance(source, str) and ARGUMENT.fullmatch(source):
            arguments[name] = source
            continue
        expected = "a tensor of the plan, as x, or a part of one, as A.pos"
        message = f"an argument must be {expected}, found {describe(source)}"
        path = child("/arguments", name)
        reader.problem("plan/argument", message, path, expected=expected, actual=describe(source))
    return arguments


def check_parameters(reader: Reader, plan: Plan, parameters: tuple[str, ...]) -> None:
    """That ``arguments`` are about the parameters of a program that has some."""
    if plan.arguments and not isinstance(front_end_of(plan.language).entry, Loops):
        reader.problem(
            "plan/arguments",
            "arguments are what the parameters of a program of patterns are taken from, and this plan has an "
            f"expression in {plan.language}, whose tensors are its operands",
            "/arguments",
            expected="no arguments",
            actual=", ".join(plan.arguments),
        )
        return
    for name in plan.arguments:
        if name not in parameters:
            reader.diagnostics.append(
                Diagnostic(
                    "plan/unknown-parameter",
                    f"arguments has an entry for {name}, which is not a parameter of the program",
                    Location(Part.PLAN, path=child("/arguments", name), tensor=name),
                    expected="one of " + ", ".join(parameters),
                    actual=name,
                    candidates=nearest(name, parameters) or parameters,
                )
            )
