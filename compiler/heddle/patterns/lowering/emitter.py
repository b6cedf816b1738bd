"""What lengths are as expressions of loops. What a row needs and its elements do not change is declared once, in front
of the loop over them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Assign,
    Cast,
    Const,
    Expr,
    Load,
    Select,
    Var,
)
from heddle.origin import Role
from heddle.patterns.lowering.scopes import Scopes
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import (
    At,
    Atom,
    Cond,
    FloorDiv,
    Length,
    Max,
    Min,
    Mod,
    Name,
    Opaque,
    Sum,
    Test,
    length,
    of_atom,
)
from heddle.symbolic.printer import common_denominator
from heddle.symbolic.prove import less, nonnegative
from heddle.symbolic.walk import free_names, parts


class Emitter(Scopes):
    # ------------------------------------------------------------------------------------- lengths as expressions

    def expression(self, whole: Length) -> Expr:
        """The value of ``whole``, an integer of 64 bits."""
        if common_denominator(whole) != 1:
            return self._with_fractions(whole)
        total: Expr | None = None
        negative: list[Expr] = []
        for monomial, coefficient in whole.terms:
            term: Expr = build.index(abs(int(coefficient)))
            for atom, power in monomial:
                for _ in range(power):
                    term = (
                        build.mul(self._atom(atom), term)
                        if term == build.index(1)
                        else build.mul(term, self._atom(atom))
                    )
            if coefficient < 0:
                negative.append(term)
            else:
                total = term if total is None else build.add(total, term)
        result: Expr = total if total is not None else build.index(0)
        for term in negative:
            result = build.sub(result, term)
        return result

    def _with_fractions(self, whole: Length) -> Expr:
        """Whole terms, and the others over what they have in common: together these are an integer, too."""
        integers = Length(tuple(term for term in whole.terms if not isinstance(term[1], Fraction)))
        rest = whole - integers
        scale = common_denominator(rest)
        sign = 1 if rest.terms[0][1] > 0 else -1
        quotient = self._declare(FloorDiv(rest.scale(scale * sign), length(scale)))
        front = self.expression(integers)
        return build.add(front, quotient) if sign > 0 else build.sub(front, quotient)

    def _atom(self, atom: Atom) -> Expr:
        match atom:
            case Name(name=name):
                return self.scalars.get(name, Var(name))
            case Opaque(text=text):
                return self.scalars[text]
            case At() | Sum() | Min() | Max() | FloorDiv() | Mod():
                return self._declare(atom)
            case Cond(test=test, then=then, otherwise=otherwise):
                return Select(self.test(test), self.expression(then), self.expression(otherwise))
            case _:
                raise TypeError(f"unexpected atom {atom!r}")

    def test(self, test: Test) -> Expr:
        positive = Length(tuple(term for term in test.difference.terms if term[1] > 0))
        negative = -Length(tuple(term for term in test.difference.terms if term[1] < 0))
        return build.compare(test.operator, self.expression(positive), self.expression(negative))

    def _declare(self, atom: Atom) -> Expr:
        """``atom`` as a scalar of the outermost loop that has all that it depends on, where it can be computed there
        whatever the loops inside do."""
        key = atom.key
        for scope in reversed(self.scopes):
            if key in scope.declared:
                return scope.declared[key]
        needed = free_names(of_atom(atom))
        depth = max((number for number, scope in enumerate(self.scopes) if scope.names & needed), default=0)
        depth = max(depth, self._floor)
        if not self._safe(of_atom(atom), self.scopes[depth].facts):
            depth = len(self.scopes) - 1
            if not isinstance(atom, Sum):
                return self._value(atom)
        inner, self.scopes = self.scopes[depth + 1 :], self.scopes[: depth + 1]
        try:
            value = self._value(atom)
            if isinstance(value, Const):
                return value
            if isinstance(value, Var):
                self.scope.declared[key] = value
                return value
            declare = self.declare(_wish(atom), value, INDEX, role=Role.BOUNDS)
            self.scope.declared[key] = declare
            return declare
        finally:
            self.scopes = [*self.scopes, *inner]

    def _safe(self, whole: Length, facts: Facts) -> bool:
        """Whether every element that ``whole`` asks for exists wherever ``facts`` hold."""
        for atom in whole.atoms():
            if isinstance(atom, At):
                size = self.arrays[atom.array].size
                if not (nonnegative(atom.index, facts) and less(atom.index, size, facts)):
                    return False
            if isinstance(atom, FloorDiv | Mod) and not nonnegative(atom.denominator - 1, facts):
                return False
            if isinstance(atom, Sum):
                continue
            if not all(self._safe(part, facts) for part in parts(atom)):
                return False
        return True

    def _value(self, atom: Atom) -> Expr:
        match atom:
            case At(array=array, index=index):
                stored = self.arrays[array].array
                loaded: Expr = Load(stored, self.expression(index))
                return loaded if stored.dtype == INDEX else Cast(loaded, INDEX)
            case FloorDiv(numerator=numerator, denominator=denominator):
                return self._divide(numerator, denominator, build.floor_divide, rest=False)
            case Mod(numerator=numerator, denominator=denominator):
                return self._divide(numerator, denominator, build.modulo, rest=True)
            case Min(operands=operands) | Max(operands=operands):
                combine = build.minimum if isinstance(atom, Min) else build.maximum
                chosen = self.expression(operands[0])
                for operand in operands[1:]:
                    chosen = combine(chosen, self.expression(operand))
                return chosen
            case Sum(variable=variable, lower=lower, upper=upper, body=body):
                return self._sum(variable, lower, upper, body)
            case _:
                raise TypeError(f"unexpected atom {atom!r}")

    def _divide(
        self, numerator: Length, denominator: Length, divide: Callable[[Expr, Expr], Expr], *, rest: bool
    ) -> Expr:
        """Loops divide what is not negative: the quotient of -a is one less than that of a - 1, negated."""
        front, divisor = self.expression(numerator), self.expression(denominator)
        plain = divide(front, divisor)
        if nonnegative(numerator, self.facts):
            return plain
        mirrored = divide(self.expression(-numerator - 1), divisor)
        other = build.sub(build.sub(divisor, build.index(1)), mirrored) if rest else _subtract_from_last(mirrored)
        return Select(build.compare(">=", front, build.index(0)), plain, other)

    def _sum(self, variable: str, lower: Length, upper: Length, body: Length) -> Expr:
        """The sum as a loop."""
        from heddle.symbolic.rewrite import substitute

        total = self.declare("start", build.index(0), INDEX, mutable=True, role=Role.BOUNDS)
        with self.loop(upper - lower, "k") as place:
            summand = substitute(body, {variable: place + lower}, self.facts)
            self.emit(Assign(total.name, self.expression(summand), self.origin(Role.BOUNDS), "+"))
        return total


def _subtract_from_last(value: Expr) -> Expr:
    return build.sub(build.index(-1), value)


def _wish(atom: Atom) -> str:
    match atom:
        case At(array=array):
            return f"{array}_at"
        case Sum():
            return "start"
        case _:
            return "count"
