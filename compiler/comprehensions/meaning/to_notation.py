"""A program as statements of index notation, in front of the iteration graph, so that formats and schedules apply.

Every statement gets loops of its own, from 0; where a range begins elsewhere, what the text calls ``i`` is
``i + lower``. Each version of a tensor is a tensor, reductions are explicit, and a coordinate that is not the index
variable of its whole dimension is a formula (``Program.computed``), which loops do not run over. Casts stand where the
language promotes otherwise than NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from compiler.comprehensions.checks.resolved import Step
from compiler.comprehensions.checks.typing import COMPARISONS, Typed, Weak, met, settled, type_of
from compiler.comprehensions.language.builtins import builtin
from compiler.comprehensions.language.nodes import (
    Apply,
    Binary,
    Cast,
    Choice,
    Extent,
    Name,
    Node,
    Number,
    Unary,
)
from compiler.comprehensions.language.scalars import is_float
from compiler.comprehensions.meaning.at_call import AtCall
from compiler.comprehensions.program import Comprehension
from compiler.comprehensions.ranges.nodes import Constraint, Range
from compiler.comprehensions.ranges.subscripts import as_length, is_opaque
from compiler.comprehensions.ranges.text import text
from compiler.lengths.nodes import Atom, Cond, FloorDiv, Length, Max, Min, Mod, length
from compiler.lengths.nodes import Name as Named
from compiler.lengths.rewrite import substitute
from compiler.names import Names
from compiler.notation import nodes as n
from compiler.notation.program import Program
from compiler.notation.reserved import RESERVED

_COMBINED = {"+=": "+", "*=": "*", "min=": "min", "max=": "max"}


def statements_of(program: Comprehension) -> n.Assignment:
    """The last statement, with those in front as its temporaries."""
    translation = _Translation(program)
    made: list[n.Assignment] = []
    for step, ranges in zip(program.names.steps, program.found.ranges, strict=True):
        made += translation.statement(step, ranges)
    results = tuple(program.names.results.values())
    last = made[-1].target.tensor
    names = program.names
    initial = dict(names.initial)
    said = Program(
        computed=translation.computed,
        extents=translation.extents,
        sizes=dict(program.sizes),
        dtypes={**names.types, **translation.dtypes},
        operands={
            **{
                name: tuple(d.name if isinstance(d, Name) else int(d.value) for d in type.dimensions)
                for name, type in names.parameters.items()
                if name not in program.fixed
            },
            **{v: tuple(f"{base}.{d}" for d in range(names.orders[v])) for v, base in initial.items()},
        },
        exported=tuple(name for name in results if name != last),
        results=results,
        initial=initial,
        checks=translation.checks,
        lazy=frozenset(translation.lazy),
        fixed=dict(program.fixed),
        call=AtCall(program),
    )
    return replace(made[-1], temporaries=tuple(made[:-1]), program=said)


@dataclass(slots=True)
class _Scope:
    """One statement: the loop variable of each index variable, and the lower end of its range."""

    loops: dict[str, str]
    ranges: Mapping[str, Range]
    step: int
    guarded: int = 0
    """How many conditions are around what is translated."""


@dataclass(slots=True)
class _Translation:
    program: Comprehension
    names: Names = field(init=False)
    computed: dict[str, n.Expression] = field(default_factory=dict)
    extents: dict[str, n.Expression] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    checks: dict[str, str] = field(default_factory=dict)
    lazy: set[str] = field(default_factory=set)
    shared: dict[str, str] = field(default_factory=dict)
    """The names of formulas by their text."""
    taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        names = self.program.names
        self.names = Names({*names.types, *names.sizes, *RESERVED})

    def statement(self, step: Step, ranges: Mapping[str, Range]) -> list[n.Assignment]:
        loops: dict[str, str] = {}
        for variable in step.variables:
            loops[variable] = self.names.fresh(variable)
            self.extents[loops[variable]] = expression_of(ranges[variable].extent, {})
        scope = _Scope(loops, ranges, step.number)
        before = [self._check(gather, scope) for gather in self._gathers(step)]
        body = self._cast(step.expression, scope, step.dtype)
        if step.operator != "=":
            operator = _COMBINED[step.operator]
            for variable in reversed(step.reduced):
                body = n.Reduce(operator, loops[variable], body)
            if step.keeps is not None:
                kept = n.Access(step.keeps, tuple(loops[index] for index in step.indices))
                body = n.Call(operator, (kept, body)) if operator in ("min", "max") else n.Binary(operator, kept, body)
        target = n.Access(step.target, tuple(loops[index] for index in step.indices))
        return [*before, n.Assignment(target, "=", body)]

    # --------------------------------------------------------------------------------------------- values

    def _cast(self, node: Node, scope: _Scope, dtype: str) -> n.Expression:
        """``node`` in the type that it is assigned in."""
        typed = self._type(node)
        made = self._value(node, scope)
        return made if typed == dtype else n.Call(dtype, (made,))

    def _as(self, node: Node, scope: _Scope, wanted: Typed) -> n.Expression:
        """``node`` brought to the type of what it meets; written numbers take it by themselves."""
        typed, made = self._type(node), self._value(node, scope)
        if typed == wanted or isinstance(wanted, Weak):
            return made
        if isinstance(typed, Weak) and (is_float(wanted) or not typed.floating):
            return made
        return n.Call(wanted, (made,))

    def _type(self, node: Node) -> Typed:
        return type_of(node, self.program.names.types)

    def _value(self, node: Node, scope: _Scope) -> n.Expression:
        types = self.program.names.types
        match node:
            case Number(value=value):
                return n.Literal(value)
            case Name(name=name) if name in self.program.fixed:
                return n.Call(types.get(name, "int32"), (n.Literal(self.program.fixed[name]),))
            case Name(name=name) if name in types:
                return n.Access(name, ())
            case Name(name=name) if name in scope.loops:
                return n.Call("int32", (expression_of(self._of_variable(name, scope), {scope.loops[name]: None}),))
            case Name(name=name):
                return n.Call("int32", (n.SizeValue(name),))
            case Extent(tensor=tensor, dimension=dimension):
                return n.Call("int32", (expression_of(self._extent(tensor, dimension), {}),))
            case Apply(name=name) if name in types:
                return self._access(node, scope)
            case Apply(name=name, arguments=arguments):
                known = builtin(name)
                assert known is not None
                wanted = self._type(node)
                return known.make(*(self._as(argument, scope, wanted) for argument in arguments))
            case Cast(dtype=dtype, operand=operand):
                return n.Call(dtype, (self._value(operand, scope),))
            case Unary(operator="!", operand=operand):
                return n.Unary("!", self._truth(operand, scope))
            case Unary(operand=operand):
                return n.Unary("-", self._as(operand, scope, self._type(node)))
            case Binary(operator="&&" | "||" as operator, left=left, right=right):
                first = self._truth(left, scope)
                scope.guarded += 1
                second = self._truth(right, scope)
                scope.guarded -= 1
                return n.Binary(operator, first, second)
            case Binary(operator=operator, left=left, right=right) if operator in COMPARISONS:
                both = met(self._type(left), self._type(right))
                return n.Binary(operator, self._as(left, scope, both), self._as(right, scope, both))
            case Binary(operator=operator, left=left, right=right):
                whole = self._type(node)
                parts = self._as(left, scope, whole), self._as(right, scope, whole)
                integral = not is_float(settled(whole))
                if operator in "/%" and integral:
                    return n.Binary("//" if operator == "/" else "%", *parts)
                if operator == "%":
                    quotient = n.Call("floor", (n.Binary("/", *parts),))
                    return n.Binary("-", parts[0], n.Binary("*", quotient, parts[1]))
                return n.Binary(operator, *parts)
            case Choice(condition=condition, then=then, otherwise=otherwise):
                whole = self._type(node)
                test = self._truth(condition, scope)
                scope.guarded += 1
                parts = self._as(then, scope, whole), self._as(otherwise, scope, whole)
                scope.guarded -= 1
                return n.Select(test, *parts)
            case _:
                raise TypeError(f"unexpected node {node!r}")

    def _truth(self, node: Node, scope: _Scope) -> n.Expression:
        made = self._value(node, scope)
        return made if self._type(node) == "bool" else n.Binary("!=", made, n.Literal(0))

    # ------------------------------------------------------------------------------------------ coordinates

    def _access(self, node: Apply, scope: _Scope) -> n.Access:
        spelled = self.program.source.text[node.span.start : node.span.end]
        kept = (scope.step, spelled) in self.program.found.guarded
        indices = tuple(
            self._coordinate(node.name, dimension, argument, scope, kept)
            for dimension, argument in enumerate(node.arguments)
        )
        return n.Access(node.name, indices)

    def _coordinate(self, tensor: str, dimension: int, node: Node, scope: _Scope, kept: bool) -> str:
        """``kept``: only a condition around the access keeps it inside."""
        whole = self.program.found.dimensions[tensor][dimension]
        subscript = self._length(node, scope)
        if is_opaque(subscript):
            formula = self._formula(node, scope)
            if whole.lower.terms:
                formula = n.Binary("-", formula, expression_of(whole.lower, {}))
            return self._named(formula, self._wish(node, scope), scope.guarded > 0)
        place = subscript - whole.lower
        atom = place.atom
        if isinstance(atom, Named):
            own = next((variable for variable, loop in scope.loops.items() if loop == atom.name), None)
            if own is not None and scope.ranges[own].extent == whole.extent:
                return atom.name
        return self._named(expression_of(place, dict.fromkeys(scope.loops.values())), self._wish(node, scope), kept)

    def _length(self, node: Node, scope: _Scope) -> Length:
        """The subscript in terms of loop variables."""
        plain = as_length(node, self.program.fixed, self._extent, lambda one: "?")
        return substitute(plain, {variable: self._of_variable(variable, scope) for variable in scope.loops})

    def _of_variable(self, variable: str, scope: _Scope) -> Length:
        return length(scope.loops[variable]) + scope.ranges[variable].lower

    def _extent(self, tensor: str, dimension: int) -> Length:
        return self.program.found.dimensions[tensor][dimension].extent

    def _formula(self, node: Node, scope: _Scope) -> n.Expression:
        """An integer formula with reads in it."""
        match node:
            case Number(value=value):
                return n.Literal(int(value))
            case Name(name=name) if name in self.program.names.types and name not in self.program.names.integers:
                return n.Access(name, ())
            case Name() | Extent():
                return expression_of(self._length(node, scope), dict.fromkeys(scope.loops.values()))
            case Apply(name=name) if name in self.program.names.types:
                return self._access(node, scope)
            case Apply(name="min" | "max" | "fmin" | "fmax" as name, arguments=arguments):
                return n.Call(name.lstrip("f"), tuple(self._formula(one, scope) for one in arguments))
            case Unary(operator="-", operand=operand):
                return n.Unary("-", self._formula(operand, scope))
            case Binary(operator=operator, left=left, right=right):
                parts = self._formula(left, scope), self._formula(right, scope)
                return n.Binary("//" if operator == "/" else operator, *parts)
            case Choice(condition=condition, then=then, otherwise=otherwise):
                test, one, two = (self._formula(part, scope) for part in (condition, then, otherwise))
                return n.Select(test, one, two)
            case Cast(operand=operand):
                return self._formula(operand, scope)
            case _:
                raise TypeError(f"unexpected node {node!r}")

    def _wish(self, node: Node, scope: _Scope) -> str:
        from compiler.comprehensions.language.nodes import walk

        parts = [part.name for part in walk(node) if isinstance(part, Name | Apply)]
        kept = dict.fromkeys(
            scope.loops.get(name, name) for name in parts if name in scope.loops or name in self.program.names.types
        )
        wish = "_".join(kept) or "at"
        return wish if len(kept) > 1 or wish == "at" else f"{wish}_at"

    def _named(self, formula: n.Expression, wish: str, lazy: bool) -> str:
        from compiler.notation.printer import to_text

        key = to_text(formula) + (" guarded" if lazy else "")
        if key not in self.shared:
            name = self.names.fresh(wish[:40])
            self.shared[key] = name
            self.computed[name] = formula
            if lazy:
                self.lazy.add(name)
        return self.shared[key]

    # --------------------------------------------------------------------------------------------- gathers

    def _gathers(self, step: Step) -> list[Constraint]:
        return [gather for gather in self.program.found.gathers if gather.step == step.number]

    def _check(self, gather: Constraint, around: _Scope) -> n.Assignment:
        """How often the indices of a gather lie outside of the tensor, a temporary that must be 0."""
        loops: dict[str, str] = {}
        for variable in around.loops:
            loops[variable] = self.names.fresh(variable)
            self.extents[loops[variable]] = self.extents[around.loops[variable]]
        scope = _Scope(loops, around.ranges, around.step)
        tests: list[n.Expression] = []
        for guard in gather.guards:
            tests.append(self._truth(guard, scope))
            scope.guarded += 1
        formula = self._formula(gather.node, scope)
        low, high = expression_of(gather.lower, {}), expression_of(gather.upper, {})
        outside: n.Expression = n.Binary(
            "||", n.Binary("<", _plain(formula), low), n.Binary(">=", _plain(formula), high)
        )
        for test in reversed(tests):
            outside = n.Binary("&&", test, outside)
        body: n.Expression = n.Select(outside, n.Call("int64", (n.Literal(1),)), n.Call("int64", (n.Literal(0),)))
        draft = Program(computed=self.computed)
        used = n.variables_in(body, draft)
        for variable in reversed([loop for loop in loops.values() if loop in used]):
            body = n.Reduce("+", variable, body)
        name = self.names.fresh(f"{gather.tensor}_outside")
        self.dtypes[name] = "int64"
        self.checks[name] = (
            f"{gather.access} reads outside of {gather.tensor}: an index in dimension {gather.dimension} is not in "
            f"{text(gather.lower)}:{text(gather.upper)}"
        )
        return n.Assignment(n.Access(name, ()), "=", body)


def _plain(formula: n.Expression) -> n.Expression:
    """A formula as a value with 64 bits."""
    return n.Call("int64", (formula,)) if isinstance(formula, n.Access) else formula


def expression_of(whole: Length, variables: Mapping[str, None]) -> n.Expression:
    """A length as an integer expression: names among ``variables`` are index variables, others sizes."""
    total: n.Expression | None = None
    for monomial, coefficient in sorted(whole.terms, key=lambda term: (not term[0], term[1] < 0)):
        factors: list[n.Expression] = [_atom(atom, variables) for atom, power in monomial for _ in range(power)]
        size = abs(int(coefficient))
        if size != 1 or not factors:
            factors.insert(0, n.Literal(size))
        term = _product(factors)
        if total is None:
            total = term if coefficient > 0 else n.Unary("-", term)
        else:
            total = n.Binary("+" if coefficient > 0 else "-", total, term)
    return n.Literal(0) if total is None else total


def _product(factors: Sequence[n.Expression]) -> n.Expression:
    product = factors[0]
    for factor in factors[1:]:
        product = n.Binary("*", product, factor)
    return product


def _atom(atom: Atom, variables: Mapping[str, None]) -> n.Expression:
    match atom:
        case Named(name=name):
            return n.IndexValue(name) if name in variables else n.SizeValue(name)
        case FloorDiv(numerator=numerator, denominator=denominator):
            return n.Binary("//", expression_of(numerator, variables), expression_of(denominator, variables))
        case Mod(numerator=numerator, denominator=denominator):
            return n.Binary("%", expression_of(numerator, variables), expression_of(denominator, variables))
        case Min(operands=operands) | Max(operands=operands):
            name = "min" if isinstance(atom, Min) else "max"
            parts = [expression_of(operand, variables) for operand in operands]
            whole = parts[0]
            for part in parts[1:]:
                whole = n.Call(name, (whole, part))
            return whole
        case Cond(test=test, then=then, otherwise=otherwise):
            condition = n.Binary(test.operator, expression_of(test.difference, variables), n.Literal(0))
            return n.Select(condition, expression_of(then, variables), expression_of(otherwise, variables))
        case _:
            raise TypeError(f"unexpected atom {atom!r}")
