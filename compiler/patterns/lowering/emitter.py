"""Where statements go while a term is lowered: the loops that are open, what is known in them, and what lengths are as
expressions. What a row needs and its elements do not change is declared once, in front of the loop over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from compiler.lengths.facts import Facts
from compiler.lengths.nodes import (
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
from compiler.lengths.printer import common_denominator
from compiler.lengths.prove import less, nonnegative
from compiler.lengths.walk import free_names, parts
from compiler.loop_ir import build
from compiler.loop_ir.nodes import (
    INDEX,
    Array,
    ArrayRole,
    Assign,
    Block,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Load,
    LoopKind,
    Reduction,
    Select,
    Stmt,
    Var,
)
from compiler.names import Names
from compiler.origin import Origin, Role


@dataclass(slots=True)
class Scope:
    """The body of a loop, or of the function: its variables, its statements so far, and the lengths that were
    declared in it, by key."""

    names: set[str]
    facts: Facts
    statements: list[Stmt] = field(default_factory=list)
    declared: dict[str, Var] = field(default_factory=dict)
    kind: LoopKind | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """An array of integers that lengths may ask for: its element type in loops, and how many it has."""

    array: Array
    size: Length


class Emitter:
    def __init__(self, taken: set[str], facts: Facts) -> None:
        self.names = Names(taken)
        self.scopes = [Scope(set(), facts)]
        self.arrays: dict[str, Stored] = {}
        self.scalars: dict[str, Expr] = {}
        """What names of lengths stand for, where that is no variable of the same name."""
        self.free_scalars: set[str] = set()
        """Integer parameters that lengths may name."""
        self._looking = 0
        self._chosen = 0
        self._floor = 0
        """The outermost scope that declarations may go to: those further out are not about what is only looked at."""
        self.paths: dict[str, tuple[int, ...]] = {}
        """Of the arrays of packed parameters: which field of a pair they are."""

    @property
    def scope(self) -> Scope:
        return self.scopes[-1]

    @property
    def facts(self) -> Facts:
        return self.scope.facts

    def emit(self, statement: Stmt) -> None:
        self.scope.statements.append(statement)

    def origin(self, role: Role = Role.COMPUTE) -> Origin:
        variables = [name for scope in self.scopes for name in sorted(scope.names)]
        return Origin(role, variables[-1] if variables else None)

    def kinds(self) -> list[LoopKind]:
        """The parallel units of the loops that are open, outermost first."""
        kinds = (scope.kind for scope in self.scopes)
        return [kind for kind in kinds if kind is not None and kind is not LoopKind.SERIAL]

    @contextmanager
    def loop(
        self,
        size: Length,
        wish: str = "i",
        kind: LoopKind = LoopKind.SERIAL,
        unroll: int | None = None,
        *,
        reductions: tuple[Reduction, ...] = (),
    ) -> Iterator[Length]:
        """The statements inside run for a variable from 0 to ``size - 1``."""
        upper = self.expression(size)
        name = self.names.fresh(wish.rstrip("0123456789'") or "i")
        self.scopes.append(Scope({name}, self.facts.within(name, 0, size - 1), kind=kind))
        try:
            yield length(name)
            body = Block(tuple(self.scope.statements))
        finally:
            self.scopes.pop()
            self.names.release(name)
        origin = Origin(Role.COMPUTE, name)
        self.emit(For(name, build.index(0), upper, body, origin, kind, unroll, reductions))

    @contextmanager
    def guarded(self, place: Length, size: Length, wish: str) -> Iterator[Length]:
        """What is emitted inside runs where ``place`` is less than ``size``."""
        name = self.names.fresh(wish)
        origin = Origin(Role.RECOVERY, name)
        self.emit(Declare(name, INDEX, self.expression(place), origin))
        self.scopes.append(Scope({name}, self.facts.within(name, 0, size - 1)))
        try:
            yield length(name)
            body = Block(tuple(self.scope.statements))
        finally:
            self.scopes.pop()
        condition = build.compare("<", Var(name), self.expression(size))
        self.emit(If(condition, body, Origin(Role.GUARD, name)))

    @contextmanager
    def aside(self) -> Iterator[list[Stmt]]:
        """What is emitted inside goes nowhere but into the list, with the same facts."""
        self.scopes.append(Scope(set(), self.facts))
        floor, self._floor = self._floor, len(self.scopes) - 1
        try:
            with self.names.scope():
                yield self.scope.statements
        finally:
            self.scopes.pop()
            self._floor = floor

    @contextmanager
    def symbolic(self, wish: str, size: Length) -> Iterator[Length]:
        """A position in [0, size) without a loop, for types."""
        name = self.names.fresh(wish)
        self.scopes.append(Scope({name}, self.facts.within(name, 0, size - 1)))
        floor, self._floor = self._floor, len(self.scopes) - 1
        try:
            yield length(name)
        finally:
            self.scopes.pop()
            self._floor = floor
            self.names.release(name)

    @contextmanager
    def within(self, name: str, size: Length) -> Iterator[None]:
        """``name`` is in [0, size)."""
        self.scopes.append(Scope({name}, self.facts.within(name, 0, size - 1)))
        try:
            yield
        finally:
            self.scopes.pop()

    @property
    def looking(self) -> bool:
        """Whether what is emitted goes nowhere, because only types are asked for."""
        return self._looking > 0

    @contextmanager
    def only_types(self) -> Iterator[None]:
        self._looking += 1
        try:
            yield
        finally:
            self._looking -= 1

    @contextmanager
    def looking_at(self, wish: str, size: Length) -> Iterator[Length]:
        """The same as ``symbolic``, for types alone."""
        with self.only_types(), self.symbolic(wish, size) as place:
            yield place

    @contextmanager
    def chosen(self, place: Length, size: Length, wish: str) -> Iterator[tuple[Length, list[Stmt]]]:
        """The position ``place`` where it is less than ``size``, for an expression that is chosen there alone. What is
        emitted inside goes into the list: it cannot be chosen."""
        self._chosen += 1
        name = f"{wish}'{self._chosen}"
        self.scalars[name] = self.expression(place)
        self.scopes.append(Scope({name}, self.facts.within(name, 0, size - 1)))
        floor, self._floor = self._floor, len(self.scopes) - 1
        try:
            yield length(name), self.scope.statements
        finally:
            self.scopes.pop()
            self._floor = floor

    def declare(self, wish: str, value: Expr, dtype: str, *, mutable: bool = False, role: Role = Role.COMPUTE) -> Var:
        name = self.names.fresh(wish)
        self.emit(Declare(name, dtype, value, self.origin(role), mutable))
        return Var(name, dtype)

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
        quotient = self._declared(FloorDiv(rest.scaled(scale * sign), length(scale)))
        front = self.expression(integers)
        return build.add(front, quotient) if sign > 0 else build.sub(front, quotient)

    def _atom(self, atom: Atom) -> Expr:
        match atom:
            case Name(name=name):
                return self.scalars.get(name, Var(name))
            case Opaque(text=text):
                return self.scalars[text]
            case At() | Sum() | Min() | Max() | FloorDiv() | Mod():
                return self._declared(atom)
            case Cond(test=test, then=then, otherwise=otherwise):
                return Select(self.test(test), self.expression(then), self.expression(otherwise))
            case _:
                raise TypeError(f"unexpected atom {atom!r}")

    def test(self, test: Test) -> Expr:
        positive = Length(tuple(term for term in test.difference.terms if term[1] > 0))
        negative = -Length(tuple(term for term in test.difference.terms if term[1] < 0))
        return build.compare(test.operator, self.expression(positive), self.expression(negative))

    def _declared(self, atom: Atom) -> Expr:
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
            made = self.declare(_wish(atom), value, INDEX, role=Role.BOUNDS)
            self.scope.declared[key] = made
            return made
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
                return self._divided(numerator, denominator, build.floor_divide, rest=False)
            case Mod(numerator=numerator, denominator=denominator):
                return self._divided(numerator, denominator, build.modulo, rest=True)
            case Min(operands=operands) | Max(operands=operands):
                combine = build.minimum if isinstance(atom, Min) else build.maximum
                chosen = self.expression(operands[0])
                for operand in operands[1:]:
                    chosen = combine(chosen, self.expression(operand))
                return chosen
            case Sum(variable=variable, lower=lower, upper=upper, body=body):
                return self._summed(variable, lower, upper, body)
            case _:
                raise TypeError(f"unexpected atom {atom!r}")

    def _divided(
        self, numerator: Length, denominator: Length, divide: Callable[[Expr, Expr], Expr], *, rest: bool
    ) -> Expr:
        """Loops divide what is not negative: the quotient of -a is one less than that of a - 1, negated."""
        front, divisor = self.expression(numerator), self.expression(denominator)
        plain = divide(front, divisor)
        if nonnegative(numerator, self.facts):
            return plain
        mirrored = divide(self.expression(-numerator - 1), divisor)
        other = build.sub(build.sub(divisor, build.index(1)), mirrored) if rest else _minus_one_less(mirrored)
        return Select(build.compare(">=", front, build.index(0)), plain, other)

    def _summed(self, variable: str, lower: Length, upper: Length, body: Length) -> Expr:
        """The sum as a loop."""
        from compiler.lengths.rewrite import substitute

        total = self.declare("start", build.index(0), INDEX, mutable=True, role=Role.BOUNDS)
        with self.loop(upper - lower, "k") as place:
            summand = substitute(body, {variable: place + lower}, self.facts)
            self.emit(Assign(total.name, self.expression(summand), self.origin(Role.BOUNDS), "+"))
        return total


def _minus_one_less(value: Expr) -> Expr:
    return build.sub(build.index(-1), value)


def _wish(atom: Atom) -> str:
    match atom:
        case At(array=array):
            return f"{array}_at"
        case Sum():
            return "start"
        case _:
            return "count"


def index_array(name: str, dtype: str) -> Array:
    return Array(name, dtype, ArrayRole.VALS)
