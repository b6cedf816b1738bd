"""Index notation as a program of patterns: one assignment of sums of products with at most one sparse operand.

The dense program comes first; then one operand is represented by its entries. So the derivation of a sparse program
from the dense one can be read step by step (Pizzuti et al. 2020, §8).
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import isfinite

from heddle.explorer.translation.bridged import Bridged, BridgeStep, no_bridge
from heddle.formats.format import Format
from heddle.formats.parser import parse_format
from heddle.formats.printer import format_text
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Expression,
    Literal,
    Unary,
    accesses,
)
from heddle.notation.printer import to_text as notation_text
from heddle.patterns.derived import FORMATS
from heddle.patterns.typing.signatures import PATTERNS, SHORT
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.signature import Signature

WORDS = {"float32": "float", "float64": "double", "int32": "int", "int64": "long", "bool": "bool"}
_TAKEN = {*PATTERNS, *SHORT, "min", "max", "toNat", "sum", "let", "in", "if", "fun", "nFun", "true", "false"}


def in_patterns(plan: Plan) -> Bridged:
    """``plan``, which is in index notation, as a plan of patterns that computes the same.

    Raises
    ------
    CompileError
        what is wrong with the plan, or ``bridge/none``.
    """
    result = lower(replace(plan, schedule=(), target="c"))
    result.raise_errors()
    assignment, signature = result.assignment, result.signature
    assert assignment is not None
    assert signature is not None
    _check_statement(assignment, plan)
    writing = _Writing(assignment, signature)
    text = writing.program()
    schedule, notes = _schedule(plan, writing)
    steps = [BridgeStep("The dense program", text)]
    tensors = {
        name: replace(spec, format=None, dtype=None)
        for name, spec in plan.tensors.items()
        if name in writing.parameters and spec.shape is not None
    }
    matrix = writing.matrix
    if matrix is not None and writing.format not in ("csr", "lil"):
        matrix_spec = tensors.get(matrix, TensorSpec())
        tensors[matrix] = replace(matrix_spec, format=format_text(signature.tensors[matrix].format))
    pattern_plan = Plan(
        text,
        tensors,
        schedule,
        plan.target if plan.target in ("c", "interpreter") else "c",
        {name: source for name, source in plan.inputs.items() if name in writing.parameters},
        plan.run,
        language="patterns",
        arguments={name: name for name in tensors},
    )
    steps += _derivation(pattern_plan)
    return Bridged(pattern_plan, tuple(steps), tuple(notes))


def _derivation(plan: Plan) -> list[BridgeStep]:
    lowered = lower(plan)
    if not lowered.ok:
        first = lowered.diagnostics[0]
        raise no_bridge(
            f"The program of patterns does not compile: {first.message}", first.expected or "", first.actual or ""
        )
    texts = {pass_.command: pass_.text for pass_ in lowered.passes if pass_.command is not None}
    return [BridgeStep(step, texts[number]) for number, step in enumerate(plan.schedule) if number in texts]


def _check_statement(assignment: Assignment, plan: Plan) -> None:
    if assignment.temporaries or assignment.program is not None:
        raise no_bridge("Only one statement becomes one program.", "one assignment", f"{plan.expression.strip()[:60]}")
    if assignment.operator != "=":
        raise no_bridge(
            f"The result of a program is new, and {assignment.operator} combines with what is there.",
            "=",
            assignment.operator,
        )


def _schedule(plan: Plan, writing: _Writing) -> tuple[tuple[str, ...], list[str]]:
    """Steps that make the program sparse, and what of the plan's schedule they can say."""
    steps: list[str] = []
    notes: list[str] = []
    if writing.matrix is not None:
        steps.append(f"represent({writing.matrix}, {writing.format})")
    for command in plan.schedule:
        parallel = re.fullmatch(r"\s*parallelize\(\s*(\w+)\s*,\s*CPUThread\b.*", command)
        if parallel is not None and writing.outer_map == parallel[1]:
            steps.append("mapPar(map1)")
        else:
            notes.append(f"{command.strip()} has no counterpart among the steps, and is left out.")
    return tuple(steps), notes


def _format(layout: Format, name: str) -> str | None:
    """None for a dense tensor by rows, else the format of :data:`FORMATS` that it is."""
    order = len(layout.order)
    if layout == parse_format("dense", order, name) if order else True:
        return None
    kinds = [level.kind for level in layout.levels]
    if layout.order == (0, 1) and kinds == ["dense", "compressed"] and layout == parse_format("csr", 2, name):
        return "csr"
    if layout.order == (0, 1) and kinds == ["dense", "padded"]:
        return "ell"
    raise no_bridge(
        f"{name} is stored as {format_text(layout)}, which no type of patterns is derived for.",
        f"dense or one of {', '.join(FORMATS)}",
        format_text(layout),
    )


class _Writing:
    """The dense program of one assignment."""

    def __init__(self, assignment: Assignment, signature: Signature) -> None:
        self._target, self._expression = assignment.target, assignment.expression
        self.parameters: dict[str, Access] = {}
        for access in accesses(assignment.expression):
            self.parameters.setdefault(access.tensor, access)
        for name in {*self.parameters, *self._variables()} & _TAKEN:
            raise no_bridge(f"{name} is a word of patterns.", "another name", name)
        self._signature = signature
        formats = {name: _format(signature.tensors[name].format, name) for name in self.parameters}
        sparse = [name for name, format in formats.items() if format is not None]
        if len(sparse) > 1:
            raise no_bridge("Two sparse operands would have to be merged.", "one sparse operand", " and ".join(sparse))
        if _format(signature.tensors[self._target.tensor].format, self._target.tensor) is not None:
            raise no_bridge("The result is not dense.", "a dense result", self._target.tensor)
        self.matrix = sparse[0] if sparse else None
        self.format = formats[self.matrix] if self.matrix is not None else None
        self._walked = self._walked_matrix()
        self.outer_map: str | None = None
        self._sizes = {variable: self._choose_unused(f"n_{variable}") for variable in self._variables()}

    def _variables(self) -> list[str]:
        variables = dict.fromkeys(self._target.indices)
        for access in accesses(self._expression):
            variables.update(dict.fromkeys(access.indices))
        return list(variables)

    def _choose_unused(self, name_hint: str) -> str:
        reserved = {*self.parameters, *self._variables(), self._target.tensor}
        while name_hint in reserved or name_hint in _TAKEN:
            name_hint += "1"
        return name_hint

    def _walked_matrix(self) -> Access | None:
        """The matrix whose rows the program goes through: the sparse one, or a dense one with the result's rows."""
        for name, access in self.parameters.items():
            same = [access for access in accesses(self._expression) if access.tensor == name]
            fits = (
                len(access.indices) == 2
                and len(set(access.indices)) == 2
                and access.indices[0] in self._target.indices
                and access.indices[1] not in self._target.indices
                and len(same) == 1
            )
            if name == self.matrix and not fits:
                row, *_ = access.indices
                raise no_bridge(
                    f"The rows of {name} are not those of the result, or its columns are not added up.",
                    f"a result over {row}, and a sum over the columns of {name}, which is read once",
                    notation_text(self._expression),
                )
            if fits and self.matrix in (None, name):
                return access
        return None

    def program(self) -> str:
        computed = self._loops(list(self._target.indices))
        heads: list[str] = []
        known: set[str] = set()
        for variable, size in self._sizes.items():
            if any(variable in access.indices for access in self.parameters.values()) and size not in known:
                heads.append(f"nFun({size} => ")
                known.add(size)
        missing = [index for index in self._target.indices if self._sizes[index] not in known]
        if missing:
            raise no_bridge(
                f"Nothing says how far {missing[0]} runs.", "an operand that has it", notation_text(self._expression)
            )
        for name, access in self.parameters.items():
            type = WORDS.get(self._signature.tensors[name].dtype)
            if type is None:
                dtype = self._signature.tensors[name].dtype
                raise no_bridge(f"{name} has elements of type {dtype}.", ", ".join(WORDS), dtype)
            for index in reversed(access.indices):
                type = f"[{type}]_{self._sizes[index]}"
            heads.append(f"fun({name}: {type} => ")
        return "".join(heads) + computed + ")" * len(heads)

    def _loops(self, targets: list[str]) -> str:
        if not targets:
            return self._sum(self._expression, False)
        variable, *rest = targets
        inside = self._loops(rest)
        walked = self._walked
        if walked is None or walked.indices[0] != variable:
            return f"generate({self._sizes[variable]}, fun({variable} => {inside}))"
        row = self._choose_unused(f"{walked.tensor}_row")
        if re.search(rf"\b{variable}\b", inside):
            return f"{walked.tensor} :>> mapi(fun({variable} => fun({row} => {inside})))"
        self.outer_map = variable
        return f"{walked.tensor} :>> map(fun({row} => {inside}))"

    def _sum(self, expression: Expression, negative: bool) -> str:
        """Additive terms, each added up over the variables that the result does not have."""
        match expression:
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                return f"{self._sum(left, negative)} {operator} {self._term(right)}"
            case _:
                return self._term(expression)

    def _term(self, expression: Expression) -> str:
        summed = [variable for variable in _variables_of(expression) if variable not in self._target.indices]
        if not summed:
            return f"({self._scalar(expression)})"
        walked = self._walked
        mine = walked is not None and any(access.tensor == walked.tensor for access in accesses(expression))
        if mine and walked is not None:
            row, column = self._choose_unused(f"{walked.tensor}_row"), walked.indices[1]
            summed.remove(column)
            value = self._choose_unused("v")
            other = _partner(expression, walked)
            if other is not None and not summed:
                return f"(zip({row}, {other}) :>> map(*) :>> reduce(+, 0))"
            inner = self._add(expression, summed, {walked.tensor: value})
            return f"({row} :>> mapi(fun({column} => fun({value} => {inner}))) :>> reduce(+, 0))"
        return f"({self._add(expression, summed, {})})"

    def _add(self, expression: Expression, summed: list[str], values: dict[str, str]) -> str:
        if not summed:
            return self._scalar(expression, values)
        variable, *rest = summed
        inner = self._add(expression, rest, values)
        return f"generate({self._sizes[variable]}, fun({variable} => {inner})) :>> reduce(+, 0)"

    def _scalar(self, expression: Expression, values: dict[str, str] | None = None) -> str:
        match expression:
            case Access(tensor=name, indices=indices):
                if values and name in values:
                    return values[name]
                text = name
                for index in indices:
                    text = f"({text}@{index})"
                return text
            case Literal(value=int() | float() as value) if not isinstance(value, bool) and isfinite(value):
                return f"(0 - {abs(value)!r})" if value < 0 else repr(value)
            case Unary(operator="-", operand=operand):
                return f"(0 - {self._scalar(operand, values)})"
            case Binary(operator="+" | "-" | "*" | "/" as operator, left=left, right=right):
                return f"({self._scalar(left, values)} {operator} {self._scalar(right, values)})"
            case _:
                raise no_bridge(
                    f"{notation_text(expression)} is not made of sums and products.",
                    "+ - * /",
                    notation_text(expression),
                )


def _variables_of(expression: Expression) -> list[str]:
    return list(dict.fromkeys(index for access in accesses(expression) for index in access.indices))


def _partner(expression: Expression, walked: Access) -> str | None:
    """The vector that each element of a row is multiplied by, and nothing else."""
    match expression:
        case Binary(operator="*", left=Access() as left, right=Access() as right):
            matrix, other = (left, right) if left.tensor == walked.tensor else (right, left)
            if (
                matrix.tensor == walked.tensor
                and other.tensor != matrix.tensor
                and other.indices == (walked.indices[1],)
            ):
                return other.tensor
    return None
