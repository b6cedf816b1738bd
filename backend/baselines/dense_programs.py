"""Programs over dense arrays as calls of NumPy: sums of products by ``einsum``, all else by broadcasting.

Each array carries the index variables of its dimensions. What can be done before the timed call is: views of operands
are made and the order of contractions is planned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from string import ascii_letters
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.baselines.contender import Operand, Problem
from backend.baselines.strided_views import Affine, find_affine, view_by_variables
from compiler.notation.functions import FUNCTIONS
from compiler.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    Literal,
    Reduce,
    Unary,
    bound_variables,
    statements,
    variables_in,
)

MOST_ELEMENTS = 1 << 26
"""Of an array or a view that NumPy may have to copy."""

Arrays = Mapping[str, Any]
ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
}


class UntranslatedError(Exception):
    """The program has something that is not written in NumPy here: the text says what."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """``compute`` makes an array, of the arrays that there are by then, whose dimensions are ``variables``."""

    variables: tuple[str, ...]
    compute: Callable[[Arrays], Any]


@dataclass(frozen=True, slots=True, eq=False)
class DenseProgram:
    """``run`` computes all statements, on new arrays; ``einsums`` are the subscripts of the contractions in it."""

    run: Callable[[], NDArray[Any]]
    einsums: tuple[str, ...]


def translate(problem: Problem) -> DenseProgram:
    """The program of ``problem``, whose operands are all dense.

    Raises:
        UntranslatedError: something in it is not written in NumPy here.
    """
    translator = _Translator(problem)
    operands: dict[str, Any] = {name: np.asarray(operand) for name, operand in problem.operands.items()}
    program = problem.assignment.program
    checks = frozenset(program.checks) if program is not None else frozenset()
    steps = [
        (statement.target.tensor, translator.statement(statement))
        for statement in statements(problem.assignment)
        if statement.target.tensor not in checks
    ]
    result = problem.assignment.target.tensor

    def run() -> NDArray[Any]:
        arrays = dict(operands)
        for name, compute in steps:
            arrays[name] = compute(arrays)
        return np.ascontiguousarray(arrays[result])

    return DenseProgram(run, tuple(translator.einsums))


@dataclass(slots=True, eq=False)
class _Translator:
    problem: Problem
    einsums: list[str] = field(default_factory=list)

    def statement(self, statement: Assignment) -> Callable[[Arrays], Any]:
        """What computes the target, as an array by dimension."""
        target, program = statement.target, self.problem.assignment.program
        if statement.operator not in ("=", "+="):
            raise UntranslatedError(f"{statement.operator} in index notation")
        if program is not None and (program.lazy or any(index in program.computed for index in target.indices)):
            raise UntranslatedError("what is computed under conditions")
        value = self._terms(statement.expression, target.indices, implicit=self.problem.assignment.program is None)
        ordered = self._ordered(value, target.indices)
        declared = self.problem.signature.temporaries.get(target.tensor) or self.problem.signature.result
        dtype = np.dtype(declared.dtype)
        if statement.operator == "+=":
            return lambda arrays: np.add(arrays[target.tensor], ordered(arrays)).astype(dtype, copy=False)
        return lambda arrays: ordered(arrays).astype(dtype, copy=False)

    def _terms(self, expression: Expression, target: tuple[str, ...], implicit: bool) -> Labelled:
        """``expression``; where sums are ``implicit``, each additive term is summed over what the target lacks."""
        match expression:
            case Binary(operator="+" | "-" as operator, left=left, right=right) if implicit:
                parts = self._terms(left, target, implicit), self._terms(right, target, implicit)
                return self._broadcast(ARITHMETIC[operator], *parts)
            case Unary(operator="-", operand=operand) if implicit:
                inner = self._terms(operand, target, implicit)
                return Labelled(inner.variables, lambda arrays: np.negative(inner.compute(arrays)))
            case _:
                free = self._variables(expression)
                summed = tuple(variable for variable in free if variable not in target) if implicit else ()
                return self._sum(expression, summed, target) if summed else self._value(expression, target)

    def _value(self, expression: Expression, target: tuple[str, ...]) -> Labelled:
        match expression:
            case Literal(value=value):
                return Labelled((), lambda _: value)
            case Access():
                return self._access(expression)
            case Unary(operator="-", operand=operand):
                inner = self._value(operand, target)
                return Labelled(inner.variables, lambda arrays: np.negative(inner.compute(arrays)))
            case Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC:
                parts = self._value(left, target), self._value(right, target)
                return self._broadcast(ARITHMETIC[operator], *parts)
            case Call(function=function, arguments=arguments) if function in FUNCTIONS:
                return self._broadcast(
                    FUNCTIONS[function].evaluate, *(self._value(argument, target) for argument in arguments)
                )
            case Reduce(operator=operator):
                reduced, inner_expression = _reduction(expression)
                if operator == "+":
                    return self._sum(inner_expression, reduced, target)
                if operator in ("min", "max"):
                    return self._extremum(operator, inner_expression, reduced, target)
                raise UntranslatedError(f"reductions by {operator}")
            case _:
                raise UntranslatedError("conditions and values of indices")

    def _access(self, access: Access) -> Labelled:
        """An operand's view is made here, that of an array of an earlier statement in each call."""
        numbers, program = self._numbers(), self.problem.assignment.program
        computed = program.computed if program is not None else {}
        coordinates: list[Affine] = []
        for dimension, index in enumerate(access.indices):
            expression = computed.get(index)
            if isinstance(expression, Access):
                return self._gathered(access, dimension, expression)
            affine = Affine({index: 1}, 0) if expression is None else find_affine(expression, numbers)
            if affine is None:
                raise UntranslatedError("subscripts that are no sums of multiples of index variables")
            coordinates.append(affine)
        variables = tuple(dict.fromkeys(v for coordinate in coordinates for v in coordinate.multiples))
        self._check_size(variables)
        name = access.tensor
        if all(c.constant == 0 and list(c.multiples.values()) == [1] for c in coordinates) and len(variables) == len(
            coordinates
        ):
            whole = tuple(self.problem.sizes[variable] for variable in variables)
            return Labelled(variables, lambda arrays: _leading(arrays[name], whole))

        def view(arrays: Mapping[str, Operand]) -> Any:
            made = view_by_variables(np.asarray(arrays[name]), tuple(coordinates), variables, self.problem.sizes)
            if made is None:
                raise UntranslatedError("subscripts outside of their arrays")
            return made

        if name in self.problem.operands:
            made = view(self.problem.operands)
            return Labelled(variables, lambda _: made)
        return Labelled(variables, view)

    def _gathered(self, access: Access, dimension: int, indices: Access) -> Labelled:
        """Rows that are looked up by the values of another operand."""
        program = self.problem.assignment.program
        computed = program.computed if program is not None else {}
        others = (*access.indices[:dimension], *access.indices[dimension + 1 :])
        plain = (*others, *indices.indices)
        if any(index in computed for index in plain) or len(set(plain)) < len(plain):
            raise UntranslatedError("several subscripts that are looked up")
        variables = (*access.indices[:dimension], *indices.indices, *access.indices[dimension + 1 :])
        self._check_size(variables)
        name, by = access.tensor, indices.tensor
        return Labelled(variables, lambda arrays: np.take(arrays[name], arrays[by], axis=dimension))

    def _sum(self, expression: Expression, summed: tuple[str, ...], target: tuple[str, ...]) -> Labelled:
        """The product summed over these variables: one contraction along a planned path, scaled by its scalars."""
        factors = [self._value(factor, target) for factor in _factors(expression)]
        arrays = [factor for factor in factors if factor.variables]
        scalars = [factor for factor in factors if not factor.variables]
        free = tuple(dict.fromkeys(variable for factor in arrays for variable in factor.variables))
        if not set(summed) <= set(free):
            raise UntranslatedError("sums over variables that no factor has")
        kept = tuple(variable for variable in (*target, *free) if variable in free and variable not in summed)
        contracted = self._contracted(arrays, tuple(dict.fromkeys(kept)))
        if not scalars:
            return contracted

        def scaled(known: Arrays) -> Any:
            scale = scalars[0].compute(known)
            for scalar in scalars[1:]:
                scale = scale * scalar.compute(known)
            return scale * contracted.compute(known)

        return Labelled(contracted.variables, scaled)

    def _contracted(self, factors: list[Labelled], kept: tuple[str, ...]) -> Labelled:
        if len(factors) == 1:
            (factor,) = factors
            axes = tuple(axis for axis, variable in enumerate(factor.variables) if variable not in kept)
            remaining = tuple(variable for variable in factor.variables if variable in kept)
            if not axes:
                return factor

            def total(arrays: Arrays) -> Any:
                array = factor.compute(arrays)
                return array.sum(axis=axes, dtype=array.dtype)

            return Labelled(remaining, total)
        names = dict.fromkeys(variable for factor in factors for variable in factor.variables)
        if len(names) > len(ascii_letters):
            raise UntranslatedError(f"products with {len(names)} index variables")
        letters = dict(zip(names, ascii_letters, strict=False))
        terms = ["".join(letters[variable] for variable in factor.variables) for factor in factors]
        subscripts = f"{','.join(terms)}->{''.join(letters[variable] for variable in kept)}"
        sizes = self.problem.sizes
        shapes = [
            np.broadcast_to(np.empty(()), [sizes[variable] for variable in factor.variables]) for factor in factors
        ]
        path = np.einsum_path(subscripts, *shapes, optimize=("optimal", MOST_ELEMENTS))[0]
        self.einsums.append(subscripts)
        return Labelled(
            kept, lambda arrays: np.einsum(subscripts, *(one.compute(arrays) for one in factors), optimize=path)
        )

    def _extremum(
        self, operator: str, operand: Expression, reduced: tuple[str, ...], target: tuple[str, ...]
    ) -> Labelled:
        inner = self._value(operand, target)
        axes = tuple(inner.variables.index(variable) for variable in reduced if variable in inner.variables)
        remaining = tuple(variable for variable in inner.variables if variable not in reduced)
        reduce = np.max if operator == "max" else np.min
        if any(self.problem.sizes[variable] == 0 for variable in reduced):
            raise UntranslatedError(f"{operator} over nothing")
        return Labelled(remaining, lambda arrays: reduce(inner.compute(arrays), axis=axes))

    def _broadcast(self, function: Callable[..., Any], *operands: Labelled) -> Labelled:
        variables = tuple(dict.fromkeys(variable for operand in operands for variable in operand.variables))
        self._check_size(variables)
        aligned = [_aligned(operand, variables) for operand in operands]
        return Labelled(variables, lambda arrays: function(*(compute(arrays) for compute in aligned)))

    def _ordered(self, value: Labelled, target: tuple[str, ...]) -> Callable[[Arrays], Any]:
        """With all dimensions of the target, in its order."""
        if value.variables == target and target:
            return value.compute
        if not set(value.variables) <= set(target):
            raise UntranslatedError("values with other dimensions than the result")
        aligned = _aligned(value, target)
        shape = tuple(self.problem.sizes[variable] for variable in target)
        return lambda arrays: np.broadcast_to(aligned(arrays), shape)

    def _variables(self, expression: Expression) -> list[str]:
        bound = set(bound_variables(expression))
        return [v for v in variables_in(expression, self.problem.assignment.program) if v not in bound]

    def _numbers(self) -> Mapping[str, int]:
        """The sizes and integers of the program by name."""
        program, operands = self.problem.assignment.program, self.problem.operands
        if program is None:
            return {}
        numbers = dict(program.fixed)
        for name, source in program.sizes.items():
            if isinstance(source, int):
                numbers[name] = source
            elif source[0] in operands:
                operand = operands[source[0]]
                numbers[name] = operand.shape[source[1]] if source[1] >= 0 else int(np.asarray(operand).item())
        return numbers

    def _check_size(self, variables: tuple[str, ...]) -> None:
        elements = prod(self.problem.sizes[variable] for variable in variables)
        if elements > MOST_ELEMENTS:
            raise UntranslatedError(f"intermediate arrays of {elements:,} elements")


def _leading(array: Any, shape: tuple[int, ...]) -> Any:
    """The part of the array that loops of these sizes reach."""
    return array if array.shape == shape else array[tuple(slice(size) for size in shape)]


def _aligned(value: Labelled, variables: tuple[str, ...]) -> Callable[[Arrays], Any]:
    """Its array with a dimension for each variable, of length 1 where it has none."""
    if value.variables == variables or not value.variables:
        return value.compute
    order = tuple(value.variables.index(variable) for variable in variables if variable in value.variables)
    expanded = tuple(slice(None) if variable in value.variables else None for variable in variables)
    return lambda arrays: np.transpose(value.compute(arrays), order)[expanded]


def _factors(expression: Expression) -> list[Expression]:
    match expression:
        case Binary(operator="*", left=left, right=right):
            return _factors(left) + _factors(right)
        case Unary(operator="-", operand=operand):
            return [Literal(-1), *_factors(operand)]
        case _:
            return [expression]


def _reduction(expression: Reduce) -> tuple[tuple[str, ...], Expression]:
    """The variables of nested reductions by the same operator, and what they reduce."""
    variables: list[str] = []
    inner: Expression = expression
    while isinstance(inner, Reduce) and inner.operator == expression.operator:
        variables.append(inner.variable)
        inner = inner.operand
    return tuple(variables), inner
