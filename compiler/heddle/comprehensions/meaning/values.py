"""Expressions of a statement in index notation: values with the casts that the language wants, and coordinates.

Comparisons of formulas, which are made of index variables, sizes and integer parameters alone, are computed with 64
bits, as subscripts are: what was proved of a read that they guard is proved of whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heddle.comprehensions.checks.typing import (
    COMPARISONS,
    Seen,
    Typed,
    Weak,
    promote,
    settle_type,
    settled_in,
    type_of,
)
from heddle.comprehensions.language.builtins import builtin
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
    walk,
)
from heddle.comprehensions.language.scalars import NO_INDEX, fits, is_float
from heddle.comprehensions.meaning.formulas import expression_of
from heddle.comprehensions.program import Comprehension
from heddle.comprehensions.ranges.nodes import Range
from heddle.comprehensions.ranges.subscripts import Terms, formula
from heddle.names import Names
from heddle.notation import nodes as n
from heddle.notation.printer import to_text
from heddle.notation.program import Program as Draft
from heddle.symbolic.nodes import Length, length
from heddle.symbolic.nodes import Name as Named
from heddle.symbolic.rewrite import substitute

DOUBLE = "float64"
"""The type of written numbers that meet no other float, but are compared or rounded: as the reference computes them."""


@dataclass(slots=True)
class Scope:
    """One statement: the loop variable of each index variable, and the range of each."""

    loops: dict[str, str]
    ranges: Mapping[str, Range]
    step: int
    guarded: int = 0
    """How many conditions are around what is translated."""


@dataclass(slots=True)
class Translation:
    """What the statements of a program share. ``computed`` and ``lazy`` are as in :class:`Program`."""

    program: Comprehension
    names: Names
    computed: dict[str, n.Expression] = field(default_factory=dict)
    lazy: set[str] = field(default_factory=set)
    shared: dict[str, str] = field(default_factory=dict)
    """The names of formulas by their text."""
    seen: Seen = field(default_factory=dict)

    @property
    def types(self) -> Mapping[str, str]:
        return self.program.names.types

    @property
    def terms(self) -> Terms:
        program = self.program
        integers = frozenset(program.names.integers)
        return Terms(program.fixed, self.types, integers, self.extent, lambda node: "?")

    def extent(self, tensor: str, dimension: int) -> Length:
        return self.program.inferred.dimensions[tensor][dimension].extent

    def type(self, node: Node) -> Typed:
        return type_of(node, self.types, self.seen)


# ------------------------------------------------------------------------------------------------------- values


def cast(node: Node, scope: Scope, dtype: str, translation: Translation) -> n.Expression:
    """``node`` in the type that it is assigned in."""
    value = value_of(node, scope, translation, dtype)
    return value if translation.type(node) == dtype else n.Call(dtype, (value,))


def _as(node: Node, scope: Scope, wanted: Typed, translation: Translation) -> n.Expression:
    """``node`` brought to the type of what it meets; written numbers take it by themselves."""
    typed = translation.type(node)
    if isinstance(wanted, Weak):
        return value_of(node, scope, translation)
    value = value_of(node, scope, translation, wanted)
    if typed == wanted or (isinstance(typed, Weak) and (is_float(wanted) or not typed.floating)):
        return value
    return n.Call(wanted, (value,))


def value_of(node: Node, scope: Scope, translation: Translation, around: str = DOUBLE) -> n.Expression:
    """``node`` in its own type, or in ``around`` where that is decided by what it meets."""
    fixed = translation.program.fixed
    whole = settled_in(translation.type(node), around)
    match node:
        case Number(value=value):
            return n.Literal(value)
        case Name(name=name) if name in fixed:
            return n.Call(translation.types.get(name, "int32"), (n.Literal(fixed[name]),))
        case Name(name=name) if name in translation.types:
            return n.Access(name, ())
        case Name(name=name) if name in scope.loops:
            return n.Call("int32", (expression_of(_of_variable(name, scope), {scope.loops[name]: None}),))
        case Name(name=name):
            return n.Call("int32", (n.SizeValue(name),))
        case Extent(tensor=tensor, dimension=dimension):
            return n.Call("int32", (expression_of(translation.extent(tensor, dimension), {}),))
        case Apply(name=name) if name in translation.types:
            return _access(node, scope, translation)
        case Apply(name=name, arguments=arguments):
            known = builtin(name)
            assert known is not None
            return known.make(*(_as(argument, scope, whole, translation) for argument in arguments))
        case Cast(dtype=dtype, operand=operand):
            return n.Call(dtype, (value_of(operand, scope, translation, dtype if is_float(dtype) else DOUBLE),))
        case Unary(operator="!", operand=operand):
            return n.Unary("!", truth_of(operand, scope, translation))
        case Unary(operand=operand):
            return n.Unary("-", _as(operand, scope, whole, translation))
        case Binary(operator="&&" | "||" as operator, left=left, right=right):
            first = truth_of(left, scope, translation)
            scope.guarded += 1
            second = truth_of(right, scope, translation)
            scope.guarded -= 1
            return n.Binary(operator, first, second)
        case Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
            exact = [_exact(side, scope, translation) for side in (left, right)]
            if exact[0] is not None and exact[1] is not None:
                return n.Binary(operator, exact[0], exact[1])
            both = settled_in(promote(translation.type(left), translation.type(right)), DOUBLE)
            return n.Binary(operator, _as(left, scope, both, translation), _as(right, scope, both, translation))
        case Binary(operator=operator, left=left, right=right):
            parts = _as(left, scope, whole, translation), _as(right, scope, whole, translation)
            integral = not is_float(settle_type(whole))
            if operator in "/%" and integral:
                return n.Binary("//" if operator == "/" else "%", *parts)
            if operator == "%":
                quotient = n.Call("floor", (n.Binary("/", *parts),))
                return n.Binary("-", parts[0], n.Binary("*", quotient, parts[1]))
            return n.Binary(operator, *parts)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            test = truth_of(condition, scope, translation)
            scope.guarded += 1
            parts = _as(then, scope, whole, translation), _as(otherwise, scope, whole, translation)
            scope.guarded -= 1
            return n.Select(test, *parts)
        case _:
            raise TypeError(f"unexpected node {node!r}")


def truth_of(node: Node, scope: Scope, translation: Translation) -> n.Expression:
    """Whether ``node`` is not 0."""
    if translation.type(node) == "bool":
        return value_of(node, scope, translation)
    return n.Binary("!=", _exact(node, scope, translation) or value_of(node, scope, translation), n.Literal(0))


def _exact(node: Node, scope: Scope, translation: Translation) -> n.Expression | None:
    """A formula of index variables, sizes and integer parameters with 64 bits; None for anything else."""
    if translation.type(node) == "bool":
        return None
    subscript = formula(node, translation.terms)
    return _in_loops(subscript.whole, scope) if subscript.exact else None


# -------------------------------------------------------------------------------------------------- coordinates


def _access(node: Apply, scope: Scope, translation: Translation) -> n.Access:
    spelled = translation.program.source.text[node.span.start : node.span.end]
    guarded = (scope.step, spelled) in translation.program.inferred.guarded
    indices = tuple(
        _coordinate(node.name, dimension, argument, scope, guarded, translation)
        for dimension, argument in enumerate(node.arguments)
    )
    return n.Access(node.name, indices)


def _coordinate(tensor: str, dimension: int, node: Node, scope: Scope, guarded: bool, translation: Translation) -> str:
    """``guarded``: only a condition around the access keeps it inside."""
    whole = translation.program.inferred.dimensions[tensor][dimension]
    subscript = formula(node, translation.terms)
    if not subscript.exact:
        index = index_of(node, scope, translation)
        if whole.lower.terms:
            index = n.Binary("-", index, expression_of(whole.lower, {}))
        # Without index variables it would be computed before the loops, where the tensors that it reads are not yet.
        early = not n.variables_in(index, Draft(computed=translation.computed))
        return _choose_name(index, _wish(node, scope, translation), scope.guarded > 0 or early, translation)
    place = _shift(subscript.whole, scope) - whole.lower
    atom = place.atom
    if isinstance(atom, Named):
        loop_variable = next((variable for variable, loop in scope.loops.items() if loop == atom.name), None)
        if loop_variable is not None and scope.ranges[loop_variable].extent == whole.extent:
            return atom.name
    return _choose_name(
        expression_of(place, dict.fromkeys(scope.loops.values())), _wish(node, scope, translation), guarded, translation
    )


def _of_variable(variable: str, scope: Scope) -> Length:
    return length(scope.loops[variable]) + scope.ranges[variable].lower


def _shift(whole: Length, scope: Scope) -> Length:
    """In terms of loop variables, which begin at 0."""
    return substitute(whole, {variable: _of_variable(variable, scope) for variable in scope.loops})


def _in_loops(whole: Length, scope: Scope) -> n.Expression:
    return expression_of(_shift(whole, scope), dict.fromkeys(scope.loops.values()))


def index_of(node: Node, scope: Scope, translation: Translation) -> n.Expression:
    """An index that elements of tensors have a say in, with 64 bits."""
    exact = _exact(node, scope, translation)
    if exact is not None:
        return exact
    match node:
        case Apply(name=name) if name in translation.types:
            return _access(node, scope, translation)
        case Apply(name="min" | "max" as name, arguments=arguments):
            return n.Call(name, tuple(_wide(argument, scope, translation) for argument in arguments))
        case Unary(operator="-", operand=operand):
            return n.Unary("-", _wide(operand, scope, translation))
        case Binary(operator="+" | "-" | "*" | "/" | "%" as operator, left=left, right=right):
            parts = _wide(left, scope, translation), _wide(right, scope, translation)
            return n.Binary("//" if operator == "/" else operator, *parts)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            test = truth_of(condition, scope, translation)
            scope.guarded += 1
            then_index, two = _wide(then, scope, translation), _wide(otherwise, scope, translation)
            scope.guarded -= 1
            return n.Select(test, then_index, two)
        case Cast(dtype=dtype, operand=operand) if is_float(settle_type(translation.type(operand))):
            value = value_of(operand, scope, translation)
            least, most = fits(dtype)
            inside = n.Binary("&&", n.Binary(">", value, n.Literal(least)), n.Binary("<", value, n.Literal(most)))
            return n.Select(inside, n.Call("int64", (n.Call(dtype, (value,)),)), n.Literal(NO_INDEX))
        case _:
            return n.Call("int64", (value_of(node, scope, translation),))


def _wide(node: Node, scope: Scope, translation: Translation) -> n.Expression:
    index = index_of(node, scope, translation)
    return n.Call("int64", (index,)) if isinstance(index, n.Access) else index


def _wish(node: Node, scope: Scope, translation: Translation) -> str:
    parts = [part.name for part in walk(node) if isinstance(part, Name | Apply)]
    read_names = dict.fromkeys(
        scope.loops.get(name, name) for name in parts if name in scope.loops or name in translation.types
    )
    name_hint = "_".join(read_names) or "at"
    return name_hint if len(read_names) > 1 or name_hint == "at" else f"{name_hint}_at"


def _choose_name(expression: n.Expression, name_hint: str, lazy: bool, translation: Translation) -> str:
    key = to_text(expression) + (" guarded" if lazy else "")
    if key not in translation.shared:
        name = translation.names.fresh(name_hint[:40])
        translation.shared[key] = name
        translation.computed[name] = expression
        if lazy:
            translation.lazy.add(name)
    return translation.shared[key]
