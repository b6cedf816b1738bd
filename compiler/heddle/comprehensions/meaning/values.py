"""Expressions of a statement in index notation: values with the casts that the language wants, and coordinates.

Comparisons of formulas, which are made of index variables, sizes and integer parameters alone, are computed with 64
bits, as subscripts are: what was proved of a read that they guard is proved of whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heddle.comprehensions.checks.typing import COMPARISONS, Seen, Typed, Weak, met, settled, settled_in, type_of
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
from heddle.lengths.nodes import Length, length
from heddle.lengths.nodes import Name as Named
from heddle.lengths.rewrite import substitute
from heddle.names import Names
from heddle.notation import nodes as n
from heddle.notation.printer import to_text
from heddle.notation.program import Program as Draft

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
        return self.program.found.dimensions[tensor][dimension].extent

    def type(self, node: Node) -> Typed:
        return type_of(node, self.types, self.seen)


# ------------------------------------------------------------------------------------------------------- values


def cast(node: Node, scope: Scope, dtype: str, made: Translation) -> n.Expression:
    """``node`` in the type that it is assigned in."""
    value = value_of(node, scope, made, dtype)
    return value if made.type(node) == dtype else n.Call(dtype, (value,))


def _as(node: Node, scope: Scope, wanted: Typed, made: Translation) -> n.Expression:
    """``node`` brought to the type of what it meets; written numbers take it by themselves."""
    typed = made.type(node)
    if isinstance(wanted, Weak):
        return value_of(node, scope, made)
    value = value_of(node, scope, made, wanted)
    if typed == wanted or (isinstance(typed, Weak) and (is_float(wanted) or not typed.floating)):
        return value
    return n.Call(wanted, (value,))


def value_of(node: Node, scope: Scope, made: Translation, around: str = DOUBLE) -> n.Expression:
    """``node`` in its own type, or in ``around`` where that is decided by what it meets."""
    fixed = made.program.fixed
    whole = settled_in(made.type(node), around)
    match node:
        case Number(value=value):
            return n.Literal(value)
        case Name(name=name) if name in fixed:
            return n.Call(made.types.get(name, "int32"), (n.Literal(fixed[name]),))
        case Name(name=name) if name in made.types:
            return n.Access(name, ())
        case Name(name=name) if name in scope.loops:
            return n.Call("int32", (expression_of(_of_variable(name, scope), {scope.loops[name]: None}),))
        case Name(name=name):
            return n.Call("int32", (n.SizeValue(name),))
        case Extent(tensor=tensor, dimension=dimension):
            return n.Call("int32", (expression_of(made.extent(tensor, dimension), {}),))
        case Apply(name=name) if name in made.types:
            return _access(node, scope, made)
        case Apply(name=name, arguments=arguments):
            known = builtin(name)
            assert known is not None
            return known.make(*(_as(argument, scope, whole, made) for argument in arguments))
        case Cast(dtype=dtype, operand=operand):
            return n.Call(dtype, (value_of(operand, scope, made, dtype if is_float(dtype) else DOUBLE),))
        case Unary(operator="!", operand=operand):
            return n.Unary("!", truth_of(operand, scope, made))
        case Unary(operand=operand):
            return n.Unary("-", _as(operand, scope, whole, made))
        case Binary(operator="&&" | "||" as operator, left=left, right=right):
            first = truth_of(left, scope, made)
            scope.guarded += 1
            second = truth_of(right, scope, made)
            scope.guarded -= 1
            return n.Binary(operator, first, second)
        case Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
            exact = [_exact(side, scope, made) for side in (left, right)]
            if exact[0] is not None and exact[1] is not None:
                return n.Binary(operator, exact[0], exact[1])
            both = settled_in(met(made.type(left), made.type(right)), DOUBLE)
            return n.Binary(operator, _as(left, scope, both, made), _as(right, scope, both, made))
        case Binary(operator=operator, left=left, right=right):
            parts = _as(left, scope, whole, made), _as(right, scope, whole, made)
            integral = not is_float(settled(whole))
            if operator in "/%" and integral:
                return n.Binary("//" if operator == "/" else "%", *parts)
            if operator == "%":
                quotient = n.Call("floor", (n.Binary("/", *parts),))
                return n.Binary("-", parts[0], n.Binary("*", quotient, parts[1]))
            return n.Binary(operator, *parts)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            test = truth_of(condition, scope, made)
            scope.guarded += 1
            parts = _as(then, scope, whole, made), _as(otherwise, scope, whole, made)
            scope.guarded -= 1
            return n.Select(test, *parts)
        case _:
            raise TypeError(f"unexpected node {node!r}")


def truth_of(node: Node, scope: Scope, made: Translation) -> n.Expression:
    """Whether ``node`` is not 0."""
    if made.type(node) == "bool":
        return value_of(node, scope, made)
    return n.Binary("!=", _exact(node, scope, made) or value_of(node, scope, made), n.Literal(0))


def _exact(node: Node, scope: Scope, made: Translation) -> n.Expression | None:
    """A formula of index variables, sizes and integer parameters with 64 bits; None for anything else."""
    if made.type(node) == "bool":
        return None
    found = formula(node, made.terms)
    return _in_loops(found.whole, scope) if found.exact else None


# -------------------------------------------------------------------------------------------------- coordinates


def _access(node: Apply, scope: Scope, made: Translation) -> n.Access:
    spelled = made.program.source.text[node.span.start : node.span.end]
    kept = (scope.step, spelled) in made.program.found.guarded
    indices = tuple(
        _coordinate(node.name, dimension, argument, scope, kept, made)
        for dimension, argument in enumerate(node.arguments)
    )
    return n.Access(node.name, indices)


def _coordinate(tensor: str, dimension: int, node: Node, scope: Scope, kept: bool, made: Translation) -> str:
    """``kept``: only a condition around the access keeps it inside."""
    whole = made.program.found.dimensions[tensor][dimension]
    subscript = formula(node, made.terms)
    if not subscript.exact:
        found = index_of(node, scope, made)
        if whole.lower.terms:
            found = n.Binary("-", found, expression_of(whole.lower, {}))
        # Without index variables it would be computed before the loops, where the tensors that it reads are not yet.
        early = not n.variables_in(found, Draft(computed=made.computed))
        return _named(found, _wish(node, scope, made), scope.guarded > 0 or early, made)
    place = _moved(subscript.whole, scope) - whole.lower
    atom = place.atom
    if isinstance(atom, Named):
        own = next((variable for variable, loop in scope.loops.items() if loop == atom.name), None)
        if own is not None and scope.ranges[own].extent == whole.extent:
            return atom.name
    return _named(expression_of(place, dict.fromkeys(scope.loops.values())), _wish(node, scope, made), kept, made)


def _of_variable(variable: str, scope: Scope) -> Length:
    return length(scope.loops[variable]) + scope.ranges[variable].lower


def _moved(whole: Length, scope: Scope) -> Length:
    """In terms of loop variables, which begin at 0."""
    return substitute(whole, {variable: _of_variable(variable, scope) for variable in scope.loops})


def _in_loops(whole: Length, scope: Scope) -> n.Expression:
    return expression_of(_moved(whole, scope), dict.fromkeys(scope.loops.values()))


def index_of(node: Node, scope: Scope, made: Translation) -> n.Expression:
    """An index that elements of tensors have a say in, with 64 bits."""
    exact = _exact(node, scope, made)
    if exact is not None:
        return exact
    match node:
        case Apply(name=name) if name in made.types:
            return _access(node, scope, made)
        case Apply(name="min" | "max" as name, arguments=arguments):
            return n.Call(name, tuple(_wide(one, scope, made) for one in arguments))
        case Unary(operator="-", operand=operand):
            return n.Unary("-", _wide(operand, scope, made))
        case Binary(operator="+" | "-" | "*" | "/" | "%" as operator, left=left, right=right):
            parts = _wide(left, scope, made), _wide(right, scope, made)
            return n.Binary("//" if operator == "/" else operator, *parts)
        case Choice(condition=condition, then=then, otherwise=otherwise):
            test = truth_of(condition, scope, made)
            scope.guarded += 1
            one, two = _wide(then, scope, made), _wide(otherwise, scope, made)
            scope.guarded -= 1
            return n.Select(test, one, two)
        case Cast(dtype=dtype, operand=operand) if is_float(settled(made.type(operand))):
            value = value_of(operand, scope, made)
            least, most = fits(dtype)
            inside = n.Binary("&&", n.Binary(">", value, n.Literal(least)), n.Binary("<", value, n.Literal(most)))
            return n.Select(inside, n.Call("int64", (n.Call(dtype, (value,)),)), n.Literal(NO_INDEX))
        case _:
            return n.Call("int64", (value_of(node, scope, made),))


def _wide(node: Node, scope: Scope, made: Translation) -> n.Expression:
    found = index_of(node, scope, made)
    return n.Call("int64", (found,)) if isinstance(found, n.Access) else found


def _wish(node: Node, scope: Scope, made: Translation) -> str:
    parts = [part.name for part in walk(node) if isinstance(part, Name | Apply)]
    kept = dict.fromkeys(scope.loops.get(name, name) for name in parts if name in scope.loops or name in made.types)
    wish = "_".join(kept) or "at"
    return wish if len(kept) > 1 or wish == "at" else f"{wish}_at"


def _named(found: n.Expression, wish: str, lazy: bool, made: Translation) -> str:
    key = to_text(found) + (" guarded" if lazy else "")
    if key not in made.shared:
        name = made.names.fresh(wish[:40])
        made.shared[key] = name
        made.computed[name] = found
        if lazy:
            made.lazy.add(name)
    return made.shared[key]
