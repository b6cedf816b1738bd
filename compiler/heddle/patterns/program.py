"""A program from its text to loops: parsed, its parameters bound, its types and claims found, lowered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from heddle.diagnostics import Diagnostic
from heddle.loop_ir.dtypes import INTEGERS, integer_range
from heddle.loop_ir.nodes import (
    INDEX,
    Array,
    ArrayRole,
    Block,
    Const,
    Function,
    Load,
    LoopKind,
    Parameter,
    ParameterKind,
    Stmt,
    Var,
)
from heddle.loop_ir.walk import expressions, statements, subexpressions, written_arrays
from heddle.patterns.derived import Derived
from heddle.patterns.lowering.emitter import Emitter
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.memory import Memo, Region, Starts, store
from heddle.patterns.lowering.parameters import Buffer, bound, peel
from heddle.patterns.lowering.primitives.table import patterns
from heddle.patterns.syntax.limits import MAX_PATTERNS
from heddle.patterns.syntax.nodes import Span, Term, Variable, children
from heddle.patterns.syntax.problem import problem
from heddle.patterns.typing.claims import Claim, key
from heddle.patterns.typing.layout import fields, record_of
from heddle.patterns.typing.signatures import PATTERNS, SHORT
from heddle.patterns.typing.types import ArrayType, Pair, Scalar, Type
from heddle.symbolic.facts import Facts, Proofs
from heddle.symbolic.nodes import Length, length

ALL_UNITS = tuple(LoopKind)


@dataclass(frozen=True, slots=True)
class Program:
    """A program whose types are known. ``claims`` are what must hold of the arguments, ``memos`` the arrays that the
    runtime adds up for it; ``strategies`` say how the rows of an array are found."""

    text: str
    term: Term
    sizes: tuple[str, ...]
    types: tuple[tuple[str, Type], ...]
    result: Type
    claims: tuple[Claim, ...]
    strategies: tuple[tuple[str, str], ...] = ()
    proofs: Proofs = field(default_factory=Proofs, compare=False, repr=False)
    """Of the lengths in it, for whoever walks over it again."""
    notes: tuple[Diagnostic, ...] = ()
    """Warnings."""
    derivations: tuple[Derived, ...] = ()
    """What steps have made of its first parameters."""
    stated: tuple[Claim, ...] = ()
    """What steps ask of the arguments, beside what the types say."""

    @property
    def integers(self) -> tuple[str, ...]:
        """The parameters that are a single integer."""
        return tuple(name for name, type in self.types if isinstance(type, Scalar) and type.dtype in INTEGERS)

    @property
    def numbers(self) -> tuple[str, ...]:
        """What a plan may fix in its ``sizes``."""
        return (*self.sizes, *self.integers)


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program as loops: ``result_array`` is where they write, ``records`` how many there are. ``claims`` and
    ``memos`` are complete."""

    program: Program
    function: Function
    buffers: tuple[Buffer, ...]
    memos: tuple[Memo, ...]
    claims: tuple[Claim, ...]
    result_array: str
    records: Length
    from_zero: tuple[str, ...] = ()
    """Arrays of offsets of which every call takes away the first one."""


class _Compile:
    """One walk over a program."""

    def __init__(
        self,
        text: str,
        term: Term,
        units: tuple[LoopKind, ...],
        strategies: dict[str, str],
        proofs: Proofs,
        evaluator: Callable[..., Evaluator] = Evaluator,
    ) -> None:
        self.emitter = Emitter(_names(term), Facts(proofs=proofs))
        self.starts = Starts(self.emitter, frozenset(), strategies)
        self.evaluator = evaluator(self.emitter, patterns(self.starts), text, units)
        self.parameters = bound(self.evaluator, term, self.starts)
        self.starts.sizes = frozenset(self.parameters.sizes) | frozenset(self.emitter.free_scalars)


def check(text: str, term: Term, strategies: tuple[tuple[str, str], ...] = (), proofs: Proofs | None = None) -> Program:
    """The types of a program. ``proofs`` are those of a program that it was made from, which has much in common.

    Raises
    ------
    CompileError
        for the first mistake.
    """
    _check_size(term)
    proofs = Proofs() if proofs is None else proofs.renew()
    walk = _Compile(text, term, ALL_UNITS, dict(strategies), proofs)
    parameters = walk.parameters
    with walk.emitter.aside(), walk.emitter.only_types():
        value = walk.evaluator.term(parameters.body, parameters.environment)
        result = walk.evaluator.type_of(value)
    _check_result(result, parameters.body)
    claims = tuple(walk.evaluator.claims.values())
    notes = tuple(walk.evaluator.notes.values())
    return Program(text, term, parameters.sizes, parameters.types, result, claims, strategies, proofs, notes)


def retype(
    before: Program,
    text: str,
    term: Term,
    strategies: tuple[tuple[str, str], ...],
    derivations: tuple[Derived, ...] = (),
    stated: tuple[Claim, ...] = (),
) -> Program:
    """The types of a program that a step made of ``before``, which keeps what the steps in front of it have said.

    Raises
    ------
    CompileError
        for the first mistake.
    """
    program = check(text, term, strategies, before.proofs)
    return replace(program, derivations=(*before.derivations, *derivations), stated=(*before.stated, *stated))


def values_of(program: Program, evaluator: Callable[..., Evaluator]) -> None:
    """Has what ``evaluator`` makes walk over ``program`` for its types."""
    walk = _Compile(program.text, program.term, ALL_UNITS, dict(program.strategies), program.proofs, evaluator)
    with walk.emitter.aside(), walk.emitter.only_types():
        walk.evaluator.type_of(walk.evaluator.term(walk.parameters.body, walk.parameters.environment))


def _check_size(term: Term) -> None:
    pending, count = [term], 0
    while pending:
        subterm = pending.pop()
        pending += children(subterm)
        if isinstance(subterm, Variable) and SHORT.get(subterm.name, subterm.name) in PATTERNS:
            count += 1
            if count > MAX_PATTERNS:
                raise problem(
                    "too-many",
                    f"The program has more than {MAX_PATTERNS} patterns.",
                    subterm.span,
                    expected=f"at most {MAX_PATTERNS} patterns",
                )


def _check_result(result: Type, body: Term) -> None:
    if isinstance(record_of(result), Pair):
        raise problem(
            "result-pair",
            "A result is one array, and this is an array of pairs or a pair.",
            body.span,
            expected="scalars in the end",
            actual="pairs",
            hint="Compute .1 and .2 in programs of their own.",
        )


def lower(program: Program, units: tuple[LoopKind, ...], evaluator_of: Callable[..., Evaluator] = Evaluator) -> Lowered:
    """The loops of ``program`` for a target that has ``units``; ``evaluator_of`` makes what walks over it.

    Raises
    ------
    CompileError
        ``patterns/unit``, ``patterns/local-size``, ``patterns/only-visited`` or ``patterns/number``.
    """
    walk = _Compile(program.text, program.term, units, dict(program.strategies), program.proofs, evaluator_of)
    emitter, evaluator, parameters = walk.emitter, walk.evaluator, walk.parameters
    name = emitter.names.fresh("result")
    value = evaluator.term(parameters.body, parameters.environment)
    with emitter.aside():
        type = evaluator.type_of(value)
    (field,) = fields(record_of(type))
    array = Array(name, field.dtype, ArrayRole.VALS)
    region = Region(type, length(0), ((field, array),), name, walk.starts)
    records = walk.starts.start(type, type.size, name) if isinstance(type, ArrayType) else length(1)
    store(evaluator, value, region, parameters.body.span)
    body = Block(tuple(emitter.scope.statements))
    _check_constants(body, parameters.body.span)
    memos = tuple(walk.starts.memos.values())
    function = Function("kernel", _parameters(array, parameters.sizes, parameters.buffers, memos, body), body)
    claims = {**{key(claim): claim for claim in (*program.claims, *program.stated)}, **evaluator.claims}
    from_zero = tuple(sorted(emitter.facts.from_zero))
    return Lowered(program, function, parameters.buffers, memos, tuple(claims.values()), name, records, from_zero)


def _check_constants(body: Block, span: Span) -> None:
    """That integers fit into their types: lengths are multiplied exactly, and a literal takes the type of what stands
    beside it."""
    for statement in statements(body):
        for expression in expressions(statement):
            for subexpression in subexpressions(expression):
                if (
                    not isinstance(subexpression, Const)
                    or subexpression.dtype not in INTEGERS
                    or not isinstance(subexpression.value, int)
                ):
                    continue
                low, high = integer_range(subexpression.dtype)
                if not low <= subexpression.value <= high:
                    raise problem(
                        "number",
                        f"A number of {subexpression.value.bit_length()} bits, which comes of literals and "
                        f"lengths, is no value "
                        f"of {subexpression.dtype}.",
                        span,
                        expected=f"numbers from {low:,} to {high:,}",
                        actual=f"{subexpression.value.bit_length()} bits",
                    )


def _names(term: Term) -> set[str]:
    """Names of parameters, which nothing that is made may have."""
    names = {function.parameter for function in peel(term)[0]}
    return names | {f"{name}_{number}" for name in names for number in (1, 2)}


def _parameters(
    result: Array, sizes: tuple[str, ...], buffers: tuple[Buffer, ...], memos: tuple[Memo, ...], body: Block
) -> tuple[Parameter, ...]:
    """The result, then the arrays and scalars that the body uses."""
    scalars, arrays = _find_used(body)
    parameters = [Parameter(ParameterKind.ARRAY, result.name, result.dtype, result.name, result, output=True)]
    for buffer in buffers:
        for leaf, name in buffer.fields:
            if isinstance(buffer.type, ArrayType | Pair):
                if name in arrays:
                    array = Array(name, leaf.dtype, ArrayRole.VALS)
                    parameters.append(Parameter(ParameterKind.ARRAY, name, leaf.dtype, name, array))
            elif name in scalars:
                parameters.append(Parameter(ParameterKind.SCALAR, name, leaf.dtype, name))
    for memo in memos:
        if memo.name in arrays:
            array = Array(memo.name, INDEX, ArrayRole.VALS)
            parameters.append(Parameter(ParameterKind.ARRAY, memo.name, INDEX, memo.name, array))
    parameters += [Parameter(ParameterKind.SCALAR, size, INDEX, size) for size in sizes if size in scalars]
    return tuple(parameters)


def _find_used(body: Stmt) -> tuple[set[str], set[str]]:
    scalars: set[str] = set()
    arrays: set[str] = set()
    for statement in statements(body):
        arrays |= set(written_arrays(statement))
        for expression in expressions(statement):
            for subexpression in subexpressions(expression):
                if isinstance(subexpression, Var):
                    scalars.add(subexpression.name)
                elif isinstance(subexpression, Load):
                    arrays.add(subexpression.array.name)
    return scalars, arrays
