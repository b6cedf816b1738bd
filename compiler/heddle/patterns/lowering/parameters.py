"""The parameters of a program: their types, the arrays that they are in memory, and what their types claim."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir.dtypes import INTEGERS
from heddle.loop_ir.nodes import INDEX, Array, ArrayRole, Cast, Var
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.memory import Region, Starts, check_record
from heddle.patterns.lowering.offsets import only_in_differences
from heddle.patterns.lowering.scopes import Stored
from heddle.patterns.lowering.types_of import type_of
from heddle.patterns.lowering.values import Environment, PairValue, ScalarValue, Value
from heddle.patterns.syntax.limits import MAX_PARAMETERS
from heddle.patterns.syntax.nodes import Lambda, NatLambda, Span, Term
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.claims import AtLeastZero, InRange
from heddle.patterns.typing.layout import Field, fields, record_of
from heddle.patterns.typing.types import ArrayType, Index, Pair, Type
from heddle.symbolic.equal import equal
from heddle.symbolic.nodes import At, Length, length
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.prove import nonnegative


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory of a parameter: ``records`` records with these ``fields``, of which each is an array of the kernel.
    ``path`` leads to it where the parameter is a pair of arrays."""

    parameter: str
    path: tuple[int, ...]
    type: Type
    records: Length
    fields: tuple[tuple[Field, str], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Parameters:
    """``sizes`` are those of nFun, in the order of the text; ``types`` those of the others."""

    sizes: tuple[str, ...]
    types: tuple[tuple[str, Type], ...]
    buffers: tuple[Buffer, ...]
    body: Term
    environment: Environment


def peel(term: Term) -> tuple[list[NatLambda | Lambda], Term]:
    """The functions around a program, and what is computed inside of them."""
    lambdas: list[NatLambda | Lambda] = []
    while isinstance(term, NatLambda | Lambda):
        lambdas.append(term)
        term = term.body
    return lambdas, term


def bound(evaluator: Evaluator, term: Term, starts: Starts) -> Parameters:
    """The parameters of ``term``, bound to what reads them.

    Raises
    ------
    CompileError
        ``patterns/parameter-type``, ``patterns/name-conflict``, ``patterns/negative-length``, or what is wrong with a
        type.
    """
    functions, body = peel(term)
    evaluator.emitter.shiftable = only_in_differences(term)
    if len(functions) > 2 * MAX_PARAMETERS:
        raise problem(
            "too-many",
            f"The program has {len(functions)} parameters.",
            functions[-1].span,
            expected=f"at most {2 * MAX_PARAMETERS} parameters",
            actual=str(len(functions)),
        )
    environment: dict[str, Value] = {}
    sizes: list[str] = []
    types: list[tuple[str, Type]] = []
    buffers: list[Buffer] = []
    for function in functions:
        name, start = function.parameter, function.span[0]
        if name in environment:
            kind = "a size" if name in sizes else "a parameter"
            raise problem(
                "name-conflict",
                f"{name} is {kind} already.",
                function.span,
                expected="a name of its own",
                actual=name,
            )
        if isinstance(function, NatLambda):
            sizes.append(name)
            environment[name] = ScalarValue(Var(name), INDEX, length(name), nat=True)
            continue
        if function.annotation is None:
            raise problem(
                "parameter-type",
                f"{name} is a parameter of the program, and its type is not written.",
                (start, start + 4),
                expected=f"fun({name}: [float]_n => …)",
                actual=f"fun({name} => …)",
            )
        type = type_of(evaluator, function.annotation, environment)
        _claims(evaluator, type, name, function.annotation.span)
        environment[name] = _memory(evaluator, starts, type, name, (), buffers, function.annotation.span)
        types.append((name, type))
    return Parameters(tuple(sizes), tuple(types), tuple(buffers), body, environment)


def _claims(evaluator: Evaluator, type: Type, name: str, span: Span) -> None:
    """What the lengths in ``type`` say of the arrays that they are made of."""
    emitter = evaluator.emitter
    match type:
        case ArrayType(size=size, element=element, variable=variable):
            if not nonnegative(size, emitter.facts):
                _check_order(evaluator, size, span)
                evaluator.claim(AtLeastZero(size, evaluator.variables(), span, name, f"a length in the type of {name}"))
                _learn(evaluator, size)
            with emitter.assume_range(variable, size):
                _claims(evaluator, element, name, span)
        case Pair(first=first, second=second):
            _claims(evaluator, first, name, span)
            _claims(evaluator, second, name, span)
        case _:
            return


def _learn(evaluator: Evaluator, size: Length) -> None:
    """What the claim that ``size`` is a length says of an array as a whole: that it ascends, or has no negative
    element. Only where the claim is about all elements, whatever the other sizes are."""
    emitter = evaluator.emitter
    variables = evaluator.variables()
    if len(variables) != 1:
        return
    ((position, extent),) = variables
    atom, later = size.atom, _difference(size)
    if isinstance(atom, At):
        array, index, elements = atom.array, atom.index, extent
    elif later is not None:
        array, index, elements = later.array, later.index - 1, extent + 1
    else:
        return
    if index != length(position) or not equal(elements, emitter.arrays[array].size, emitter.facts):
        return
    for scope in emitter.scopes:
        scope.facts = scope.facts.with_natural(array) if later is None else scope.facts.with_ascending(array)
        if later is not None and array in emitter.shiftable:
            scope.facts = scope.facts.with_first_zero(array).with_natural(array)


def _difference(size: Length) -> At | None:
    """The element of which ``size`` is the difference to the one before in the same array."""
    if len(size.terms) != 2:
        return None
    elements: dict[int, At] = {}
    for monomial, coefficient in size.terms:
        if len(monomial) == 1 and monomial[0][1] == 1 and isinstance(monomial[0][0], At) and coefficient in (1, -1):
            elements[int(coefficient)] = monomial[0][0]
    if (
        len(elements) == 2
        and elements[1].array == elements[-1].array
        and (elements[1].index - elements[-1].index).constant == 1
    ):
        return elements[1]
    return None


def _check_order(evaluator: Evaluator, size: Length, span: Span) -> None:
    """``offset@i - offset@(i + 1)`` is no length where offsets ascend."""
    later = _difference(-size)
    if later is not None:
        array, swapped = later.array, length_text(-size)
        raise problem(
            "negative-length",
            f"{length_text(size)} is negative where {array} ascends: with {array} = 0, 2, 2, 5, 7 row 0 would have -2 "
            "elements.",
            span,
            expected="a length that is at least 0",
            actual=length_text(size),
            hint=f"Write {swapped}.",
        )


def _memory(
    evaluator: Evaluator,
    starts: Starts,
    type: Type,
    name: str,
    path: tuple[int, ...],
    buffers: list[Buffer],
    span: Span,
) -> Value:
    emitter = evaluator.emitter
    if isinstance(type, Pair) and any(isinstance(side, ArrayType | Pair) for side in (type.first, type.second)):
        return PairValue(
            _memory(evaluator, starts, type.first, name, (*path, 1), buffers, span),
            _memory(evaluator, starts, type.second, name, (*path, 2), buffers, span),
        )
    plain = "_".join((name, *map(str, path)))
    if not isinstance(type, ArrayType | Pair):
        flat_name = plain if path else name
        size = type.size if isinstance(type, Index) else None
        dtype = type.dtype
        buffers.append(Buffer(name, path, type, length(1), ((Field((), dtype, 1, 0, size), flat_name),), span))
        known = length(flat_name) if dtype in ("int32", INDEX) else None
        if known is not None:
            emitter.free_scalars.add(flat_name)
            # Names are sizes, at least 0, if nothing else is said; an argument may be any integer.
            ends = (None, None) if size is None else (0, size - 1)
            for scope in emitter.scopes:
                scope.facts = scope.facts.assume_range(flat_name, *ends)
            emitter.scalars[flat_name] = Var(flat_name, dtype) if dtype == INDEX else Cast(Var(flat_name, dtype), INDEX)
        if size is not None:
            evaluator.claim(InRange(name, (), size, span, name))
        return ScalarValue(Var(flat_name, dtype), dtype, known, size=size)
    check_record(type, span)
    total = starts.start(type, type.size, plain) if isinstance(type, ArrayType) else length(1)
    field_arrays: list[tuple[Field, Array]] = []
    flat = fields(record_of(type))
    for field in flat:
        flat_name = plain if len(flat) == 1 else "_".join((plain, *map(str, field.path)))
        array = Array(flat_name, field.dtype, ArrayRole.VALS)
        if field.dtype in INTEGERS:
            emitter.arrays[flat_name] = Stored(array, total * field.stride)
        emitter.paths[flat_name] = (*path, *field.path)
        if field.size is not None:
            evaluator.claim(InRange(name, (*path, *field.path), field.size, span, "idx"))
            for scope in emitter.scopes:
                scope.facts = scope.facts.elements_of(flat_name, 0, field.size - 1)
        field_arrays.append((field, array))
    buffers.append(Buffer(name, path, type, total, tuple((field, array.name) for field, array in field_arrays), span))
    return Region(type, length(0), tuple(field_arrays), name, starts, parameter=True).read()
