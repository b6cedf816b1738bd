"""Programs over dense arrays as calls of an array library: sums of products by its ``einsum``, all else by
broadcasting.

Each array carries the index variables of its dimensions. What can be done before the timed call is: views of operands
are made and the order of contractions is planned.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import prod
from string import ascii_letters
from typing import Any

import numpy as np

from heddle.measuring.baselines.dense.array_libraries import MOST_ELEMENTS, ArrayLibrary, LibraryCall
from heddle.measuring.baselines.dense.convolutions import Arrays, Bag, Labelled, Window, find_convolution
from heddle.measuring.baselines.dense.strided_views import Affine, find_affine, view_by_variables
from heddle.measuring.contender import Problem
from heddle.notation.functions import FUNCTIONS
from heddle.notation.nodes import (
    Access,
    Assignment,
    Binary,
    Call,
    Expression,
    Literal,
    Reduce,
    SizeValue,
    Unary,
    bound_variables,
    statements,
    variables_in,
)
from heddle.plan import DTYPES

ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


class UntranslatedError(Exception):
    """The program has something that is not written with array libraries here: the text says what."""


@dataclass(frozen=True, slots=True, eq=False)
class DenseProgram:
    """``run`` computes all statements, on new arrays; ``calls`` are the functions that its contractions call."""

    run: Callable[[], Any]
    calls: tuple[str, ...]


def translate(problem: Problem, library: ArrayLibrary) -> DenseProgram:
    """The program of ``problem``, whose operands are all dense.

    Raises
    ------
    UntranslatedError
        something in it is not written with array libraries here.
    """
    operands = {name: library.array(np.asarray(operand)) for name, operand in problem.operands.items()}
    translator = _Translator(problem, library, operands)
    program = problem.assignment.program
    checks = frozenset(program.checks) if program is not None else frozenset()
    steps = [
        (statement.target.tensor, translator.statement(statement))
        for statement in statements(problem.assignment)
        if statement.target.tensor not in checks
    ]
    result = problem.assignment.target.tensor

    def run() -> Any:
        arrays = dict(operands)
        for name, compute in steps:
            arrays[name] = compute(arrays)
        return library.contiguous(arrays[result])

    return DenseProgram(run, tuple(translator.calls))


@dataclass(slots=True, eq=False)
class _Translator:
    problem: Problem
    library: ArrayLibrary
    operands: Arrays
    calls: list[str] = field(default_factory=list)

    def statement(self, statement: Assignment) -> Callable[[Arrays], Any]:
        """What computes the target, as an array by dimension."""
        target, program = statement.target, self.problem.assignment.program
        if statement.operator not in ("=", "+="):
            raise UntranslatedError(f"{statement.operator} in index notation")
        if program is not None and (program.lazy or any(index in program.computed for index in target.indices)):
            raise UntranslatedError("what is computed under conditions")
        value = self._terms(statement.expression, target.indices, implicit=self.problem.assignment.program is None)
        ordered = self._order(value, target.indices)
        declared = self.problem.signature.temporaries.get(target.tensor) or self.problem.signature.result
        library, dtype = self.library, declared.dtype
        if statement.operator == "+=":
            return lambda arrays: library.convert(arrays[target.tensor] + ordered(arrays), dtype)
        return lambda arrays: library.convert(ordered(arrays), dtype)

    def _terms(self, expression: Expression, target: tuple[str, ...], implicit: bool) -> Labelled:
        """``expression``; where sums are ``implicit``, each additive term is summed over what the target lacks."""
        match expression:
            case Binary(operator="+" | "-" as operator, left=left, right=right) if implicit:
                parts = self._terms(left, target, implicit), self._terms(right, target, implicit)
                return self._broadcast(ARITHMETIC[operator], *parts)
            case Unary(operator="-", operand=operand) if implicit:
                inner = self._terms(operand, target, implicit)
                return Labelled(inner.variables, lambda arrays: -inner.compute(arrays))
            case _:
                free = self._variables(expression)
                summed = tuple(variable for variable in free if variable not in target) if implicit else ()
                return self._sum(expression, summed, target) if summed else self._value(expression, target)

    def _value(self, expression: Expression, target: tuple[str, ...]) -> Labelled:
        match expression:
            case Literal(value=value):
                return Labelled((), lambda _: value)
            case SizeValue(name=name) if name in (numbers := self._numbers()):
                size = numbers[name]
                return Labelled((), lambda _: size)
            case Call(function=dtype, arguments=(argument,)) if dtype in DTYPES:
                converted, library = self._value(argument, target), self.library
                return Labelled(converted.variables, lambda arrays: library.convert(converted.compute(arrays), dtype))
            case Access():
                return self._access(expression)
            case Unary(operator="-", operand=operand):
                inner = self._value(operand, target)
                return Labelled(inner.variables, lambda arrays: -inner.compute(arrays))
            case Binary(operator=operator, left=left, right=right) if operator in ARITHMETIC:
                parts = self._value(left, target), self._value(right, target)
                return self._broadcast(ARITHMETIC[operator], *parts)
            case Call(function=function, arguments=arguments) if function in FUNCTIONS:
                return self._broadcast(
                    self.library.function(function), *(self._value(argument, target) for argument in arguments)
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
                return self._gather(access, dimension, expression)
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
            return Labelled(variables, lambda arrays: _leading(arrays[name], whole), Window(name, tuple(coordinates)))

        if name not in self.problem.operands:
            raise UntranslatedError("windows of arrays that the program computes")
        operand = np.asarray(self.problem.operands[name])
        view = view_by_variables(operand, tuple(coordinates), variables, self.problem.sizes)
        if view is None:
            raise UntranslatedError("subscripts outside of their arrays")
        array = self.library.array(view)
        return Labelled(variables, lambda _: array, Window(name, tuple(coordinates)))

    def _gather(self, access: Access, dimension: int, indices: Access) -> Labelled:
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
        library = self.library
        bag = Bag(name, by) if dimension == 0 and len(access.indices) == 2 and len(indices.indices) == 2 else None
        return Labelled(variables, lambda arrays: library.take(arrays[name], arrays[by], dimension), bag)

    def _sum(self, expression: Expression, summed: tuple[str, ...], target: tuple[str, ...]) -> Labelled:
        """The product summed over these variables: one contraction along a planned path, scaled by its scalars."""
        factors = [self._value(factor, target) for factor in _factors(expression)]
        arrays = [factor for factor in factors if factor.variables]
        scalars = [factor for factor in factors if not factor.variables]
        free = tuple(dict.fromkeys(variable for factor in arrays for variable in factor.variables))
        if not set(summed) <= set(free):
            raise UntranslatedError("sums over variables that no factor has")
        remaining = tuple(variable for variable in (*target, *free) if variable in free and variable not in summed)
        contracted = self._contract(arrays, tuple(dict.fromkeys(remaining)))
        if not scalars:
            return contracted

        def scale_arrays(known: Arrays) -> Any:
            scale = scalars[0].compute(known)
            for scalar in scalars[1:]:
                scale = scale * scalar.compute(known)
            return scale * contracted.compute(known)

        return Labelled(contracted.variables, scale_arrays)

    def _contract(self, factors: list[Labelled], result: tuple[str, ...]) -> Labelled:
        """The product of ``factors``, summed over all variables but those of its ``result``."""
        if len(factors) == 1:
            (factor,) = factors
            axes = tuple(axis for axis, variable in enumerate(factor.variables) if variable not in result)
            remaining = tuple(variable for variable in factor.variables if variable in result)
            if not axes:
                return factor

            if isinstance(factor.source, Bag) and axes == (1,):
                rows, by = factor.source.rows, factor.source.indices
                return self._call_library(remaining, self.library.bag(), lambda arrays: (arrays[rows], arrays[by]))

            def total(arrays: Arrays) -> Any:
                array = factor.compute(arrays)
                return array.sum(axis=axes, dtype=array.dtype)

            return Labelled(remaining, total)
        if len(factors) == 2:
            convolution = find_convolution(self.problem, factors, result)
            call = self.library.convolution(convolution) if convolution is not None else None
            if convolution is not None and call is not None:
                names = convolution.image.tensor, convolution.weights.tensor
                return self._call_library(result, call, lambda arrays: tuple(arrays[name] for name in names))
        variables = dict.fromkeys(variable for factor in factors for variable in factor.variables)
        if len(variables) > len(ascii_letters):
            raise UntranslatedError(f"products with {len(variables)} index variables")
        letters = dict(zip(variables, ascii_letters, strict=False))
        terms = ["".join(letters[variable] for variable in factor.variables) for factor in factors]
        subscripts = f"{','.join(terms)}->{''.join(letters[variable] for variable in result)}"
        shapes = [tuple(self.problem.sizes[variable] for variable in factor.variables) for factor in factors]
        call = self.library.einsum(subscripts, shapes)
        return self._call_library(result, call, lambda arrays: tuple(factor.compute(arrays) for factor in factors))

    def _call_library(
        self, variables: tuple[str, ...], call: LibraryCall, arguments: Callable[[Arrays], tuple[Any, ...]]
    ) -> Labelled:
        """``call`` with these ``arguments``, whose name the page shows."""
        if call.name is not None:
            self.calls.append(call.name)
        return Labelled(variables, lambda arrays: call.function(*arguments(arrays)))

    def _extremum(
        self, operator: str, operand: Expression, reduced: tuple[str, ...], target: tuple[str, ...]
    ) -> Labelled:
        inner = self._value(operand, target)
        axes = tuple(inner.variables.index(variable) for variable in reduced if variable in inner.variables)
        remaining = tuple(variable for variable in inner.variables if variable not in reduced)
        reduce = self.library.maximum if operator == "max" else self.library.minimum
        if any(self.problem.sizes[variable] == 0 for variable in reduced):
            raise UntranslatedError(f"{operator} over nothing")
        return Labelled(remaining, lambda arrays: reduce(inner.compute(arrays), axes))

    def _broadcast(self, function: Callable[..., Any], *operands: Labelled) -> Labelled:
        variables = tuple(dict.fromkeys(variable for operand in operands for variable in operand.variables))
        self._check_size(variables)
        aligned = [self._align(operand, variables) for operand in operands]
        return Labelled(variables, lambda arrays: function(*(compute(arrays) for compute in aligned)))

    def _order(self, value: Labelled, target: tuple[str, ...]) -> Callable[[Arrays], Any]:
        """With all dimensions of the target, in its order."""
        if value.variables == target and target:
            return value.compute
        if not set(value.variables) <= set(target):
            raise UntranslatedError("values with other dimensions than the result")
        aligned, library = self._align(value, target), self.library
        shape = tuple(self.problem.sizes[variable] for variable in target)
        return lambda arrays: library.broadcast(aligned(arrays), shape)

    def _align(self, value: Labelled, variables: tuple[str, ...]) -> Callable[[Arrays], Any]:
        """Its array with a dimension for each variable, of length 1 where it has none."""
        if value.variables == variables or not value.variables:
            return value.compute
        order = tuple(value.variables.index(variable) for variable in variables if variable in value.variables)
        expanded = tuple(slice(None) if variable in value.variables else None for variable in variables)
        library = self.library
        return lambda arrays: library.permute(value.compute(arrays), order)[expanded]

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
