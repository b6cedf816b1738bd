"""What a program means, on dense NumPy arrays: written without anything that lowers it. It is the reference of runs and
of the tests.

Statements are evaluated one after the other over grids of their index variables; floats are computed with 64 bits and
cut to the type of a tensor where it is assigned. Sums of products of affine reads are ``einsum`` over strided views.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from heddle.comprehensions.checks.resolved import Step
from heddle.comprehensions.checks.typing import COMPARISONS, promote, settle_type, type_of
from heddle.comprehensions.language.nodes import (
    Apply,
    Binary,
    Cast,
    Choice,
    Extent,
    Name,
    Node,
    Number,
    Unary,
    children,
)
from heddle.comprehensions.language.scalars import NO_INDEX, fits, is_float, narrows
from heddle.comprehensions.meaning.arithmetic import COMBINED, FUNCTIONS, Array, binary, reduce_axes, wide
from heddle.comprehensions.meaning.at_call import AtCall
from heddle.comprehensions.program import Comprehension
from heddle.symbolic.evaluate import number_of

_POINTS = 1 << 22
"""How many points are looked at together."""


def evaluate(program: Comprehension, operands: Mapping[str, Array | float]) -> dict[str, Array]:
    """The results by name, from operands by the names that a caller uses."""
    names = program.names
    initial = dict(names.initial)
    tensors: dict[str, Array] = {
        name: np.asarray(operands[initial.get(name, name)])
        for name in (*names.parameters, *initial)
        if initial.get(name, name) in operands
    }
    tensors.update({name: np.asarray(program.fixed[name]) for name in names.integers if name in program.fixed})
    call = AtCall(program)
    shapes = {name: array.shape for name, array in tensors.items()}
    integers = {name: int(tensors[name]) for name in names.integers}
    call.shapes(shapes, integers)
    sizes = {**call._sizes(shapes, integers)}
    for number, step in enumerate(names.steps):
        ranges = {
            name: (number_of(bounds.lower, sizes), number_of(bounds.upper, sizes))
            for name, bounds in program.inferred.ranges[number].items()
        }
        tensors[step.target] = _Statement(program, step, ranges, tensors, sizes).value()
    return {name: tensors[version] for name, version in names.results.items()}


class _Statement:
    """One statement, its ranges as numbers."""

    def __init__(
        self,
        program: Comprehension,
        step: Step,
        ranges: Mapping[str, tuple[int, int]],
        tensors: Mapping[str, Array],
        sizes: Mapping[str, int],
    ) -> None:
        self.program, self.step, self.tensors, self.sizes = program, step, tensors, sizes
        self.ranges = dict(ranges)
        self.lower = {
            name: tuple(number_of(dimension.lower, sizes) for dimension in dimensions)
            for name, dimensions in program.inferred.dimensions.items()
        }

    def value(self) -> Array:
        step = self.step
        shape = tuple(self.ranges[v][1] - self.ranges[v][0] for v in step.indices)
        result = self._sum(shape)
        if result is None:
            result = self._in_pieces(shape)
        if step.keeps is not None:
            result = COMBINED[step.operator](self.tensors[step.keeps], result)
        with np.errstate(all="ignore"):
            return np.asarray(result).astype(step.dtype)

    def _in_pieces(self, shape: tuple[int, ...]) -> Array:
        """Along the first index variable, so that the grid stays small."""
        points = prod(high - low for low, high in self.ranges.values())
        first = self.step.indices[0] if self.step.indices else None
        if first is None or points <= _POINTS or shape[0] < 2:
            return self._whole()
        low, high = self.ranges[first]
        step = max(1, _POINTS * shape[0] // points)
        pieces = []
        for start in range(low, high, step):
            self.ranges[first] = (start, min(high, start + step))
            pieces.append(self._whole())
        self.ranges[first] = (low, high)
        return np.concatenate(pieces)

    def _whole(self) -> Array:
        variables = self.step.variables
        counts = [self.ranges[v][1] - self.ranges[v][0] for v in variables]
        grids = np.meshgrid(*(np.arange(*self.ranges[v]) for v in variables), indexing="ij", sparse=True)
        with np.errstate(all="ignore"):
            node = self._node(self.step.expression, dict(zip(variables, grids, strict=True)))
            node = np.broadcast_to(node, counts)
            axes = tuple(range(len(self.step.indices), len(variables)))
            if self.step.operator == "=":
                return np.asarray(node)
            if not axes:
                return np.asarray(node)
            return np.asarray(reduce_axes(self.step.operator, node, axes))

    def _node(self, node: Node, known: Mapping[str, Array]) -> Array:
        match node:
            case Number(value=value):
                return np.asarray(value)
            case Name(name=name) if name in known:
                return known[name]
            case Name(name=name) if name in self.tensors:
                return wide(self.tensors[name])
            case Name(name=name):
                return np.asarray(self.sizes[name])
            case Extent(tensor=tensor, dimension=dimension):
                return np.asarray(self.tensors[tensor].shape[dimension])
            case Apply(name=name, arguments=arguments) if name in self.tensors:
                array = self.tensors[name]
                places = [self._index(argument, known) - self.lower[name][d] for d, argument in enumerate(arguments)]
                # What a condition keeps from being read may lie outside.
                inside = [np.clip(place, 0, max(size - 1, 0)) for place, size in zip(places, array.shape, strict=True)]
                if 0 in array.shape:
                    shape = np.broadcast_shapes(*(place.shape for place in inside))
                    return np.zeros(shape, wide(array).dtype)
                return wide(array[tuple(inside)])
            case Apply(name=name, arguments=arguments):
                function = FUNCTIONS.get(name) or FUNCTIONS[name[:-1]]
                return np.asarray(function(*(self._node(argument, known) for argument in arguments)))
            case Cast(dtype=dtype, operand=operand):
                return wide(self._node(operand, known).astype(dtype))
            case Unary(operator="!", operand=operand):
                return np.asarray(~self._truth(operand, known))
            case Unary(operand=operand):
                inner = self._node(operand, known)
                return np.asarray(np.negative(inner.astype(np.int32) if inner.dtype.kind == "b" else inner))
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                return binary(operator, self._truth(left, known), self._truth(right, known))
            case Binary(operator=operator, left=left, right=right) if (
                operator in COMPARISONS and self._plain(left) and self._plain(right)
            ):
                return binary(operator, self._index(left, known), self._index(right, known))
            case Binary(operator=operator, left=left, right=right):
                left_value, two = self._node(left, known), self._node(right, known)
                return binary(operator, self._promote(left_value, left, right), self._promote(two, left, right))
            case Choice(condition=condition, then=then, otherwise=otherwise):
                test = self._truth(condition, known)
                return np.where(test, self._node(then, known), self._node(otherwise, known))
            case _:
                raise TypeError(f"unexpected node {node!r}")

    def _truth(self, node: Node, known: Mapping[str, Array]) -> Array:
        return np.asarray((self._index(node, known) if self._plain(node) else self._node(node, known)) != 0)

    def _promote(self, value: Array, left: Node, right: Node) -> Array:
        """An integer in the type that an operation on ``left`` and ``right`` has."""
        types = self.program.names.types
        common = settle_type(promote(type_of(left, types), type_of(right, types)))
        if is_float(common) or value.dtype.kind == "f":
            return value
        return value.astype("int32" if common == "bool" else common)

    def _plain(self, node: Node) -> bool:
        """Whether index variables, sizes and integer parameters alone make it: compared, these are whole numbers."""
        match node:
            case Apply(name=name) if name not in ("min", "max") or name in self.tensors:
                return False
            case Name(name=name) if name in self.tensors and name not in self.program.names.integers:
                return False
            case Cast(dtype=dtype, operand=operand):
                source = settle_type(type_of(operand, self.program.names.types))
                if narrows(source, dtype) or dtype not in ("int32", "int64") or "u" in source:
                    return False
            case Number(value=float()):
                return False
            case _:
                pass
        return all(self._plain(part) for part in children(node))

    def _index(self, node: Node, known: Mapping[str, Array]) -> Array:
        """An index, computed with 64 bits; floats that fit into no integer are no place."""
        match node:
            case Cast(dtype=dtype, operand=operand):
                inner = self._node(operand, known)
                if inner.dtype.kind != "f":
                    return inner.astype(dtype).astype(np.int64)
                least, most = fits(dtype)
                inside = (inner > least) & (inner < most)
                return np.where(inside, np.where(inside, inner, 0).astype(dtype).astype(np.int64), NO_INDEX)
            case Unary(operator="-", operand=operand):
                return np.negative(self._index(operand, known))
            case Binary(operator="+" | "-" | "*" | "/" | "%" as operator, left=left, right=right):
                return binary(operator, self._index(left, known), self._index(right, known))
            case Choice(condition=condition, then=then, otherwise=otherwise):
                test = self._truth(condition, known)
                return np.where(test, self._index(then, known), self._index(otherwise, known))
            case Apply(name="min" | "max" as name, arguments=(left, right)) if name not in self.tensors:
                return np.asarray(FUNCTIONS[name](self._index(left, known), self._index(right, known)))
            case _:
                return self._node(node, known).astype(np.int64)

    # ------------------------------------------------------------------------------------- sums of products

    def _sum(self, shape: tuple[int, ...]) -> Array | None:
        """A sum of products of affine reads, of floats or of integers that are all of one type, so that it wraps around
        as its parts would; None for anything else."""
        factors = _factors(self.step.expression)
        if self.step.operator != "+=" or not self.step.reduced or factors is None or 0 in shape:
            return None
        if any(low >= high for low, high in self.ranges.values()):
            return None
        letters = {variable: place for place, variable in enumerate(self.step.variables)}
        arguments: list[Any] = []
        for factor in factors:
            view = self._view(factor)
            if view is None:
                return None
            arguments += [view[0], [letters[variable] for variable in view[1]]]
        used = {letter for letters_of in arguments[1::2] for letter in letters_of}
        if not arguments or used != set(letters.values()):
            return None
        output = [letters[variable] for variable in self.step.indices]
        return np.asarray(np.einsum(*arguments, output, optimize="greedy"))

    def _view(self, node: Node) -> tuple[Array, list[str]] | None:
        """A read as an array with one axis for each of its index variables."""
        if not isinstance(node, Apply) or node.name not in self.tensors:
            return None
        whole = self.tensors[node.name]
        if whole.dtype.kind != "f" and (whole.dtype.name != self.step.dtype or self.step.dtype == "bool"):
            return None
        array = np.ascontiguousarray(whole, np.float64 if whole.dtype.kind == "f" else whole.dtype)
        strides: dict[str, int] = {}
        offset = 0
        for dimension, argument in enumerate(node.arguments):
            linear = self._linear(argument)
            if linear is None:
                return None
            constant, factors = linear
            offset += (constant - self.lower[node.name][dimension]) * array.strides[dimension]
            for variable, factor in factors.items():
                offset += factor * self.ranges[variable][0] * array.strides[dimension]
                strides[variable] = strides.get(variable, 0) + factor * array.strides[dimension]
        names = list(strides)
        counts = [self.ranges[name][1] - self.ranges[name][0] for name in names]
        first = array.reshape(-1)[offset // array.itemsize :]
        return np.lib.stride_tricks.as_strided(first, counts, [strides[name] for name in names], writeable=False), names

    def _linear(self, node: Node) -> tuple[int, dict[str, int]] | None:
        match node:
            case Number(value=int() as value):
                return value, {}
            case Name(name=name) if name in self.ranges:
                return 0, {name: 1}
            case Name(name=name) if name in self.sizes:
                return self.sizes[name], {}
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                left_form, two = self._linear(left), self._linear(right)
                if left_form is None or two is None:
                    return None
                sign = 1 if operator == "+" else -1
                whole = dict(left_form[1])
                for name, factor in two[1].items():
                    whole[name] = whole.get(name, 0) + sign * factor
                return left_form[0] + sign * two[0], whole
            case Binary(operator="*", left=left, right=right):
                left_form, two = self._linear(left), self._linear(right)
                if left_form is None or two is None or (left_form[1] and two[1]):
                    return None
                number, other = (left_form[0], two) if not left_form[1] else (two[0], left_form)
                return number * other[0], {name: number * factor for name, factor in other[1].items()}
            case _:
                return None


def _factors(node: Node) -> list[Node] | None:
    match node:
        case Binary(operator="*", left=left, right=right):
            factors, two = _factors(left), _factors(right)
            return None if factors is None or two is None else factors + two
        case Apply():
            return [node]
        case _:
            return None
