"""Where statements go while a term is lowered: the loops that are open, and what is known in them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Array,
    Block,
    Declare,
    Expr,
    For,
    If,
    LoopKind,
    Reduction,
    Stmt,
    Var,
)
from heddle.names import Names
from heddle.origin import Origin, Role
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import (
    Length,
    length,
)


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


class Scopes(ABC):
    """The open scopes, outermost first, with names that no two of them share."""

    def __init__(self, reserved: set[str], facts: Facts) -> None:
        self.names = Names(reserved)
        self.scopes = [Scope(set(), facts)]
        self.arrays: dict[str, Stored] = {}
        self.scalars: dict[str, Expr] = {}
        """What names of lengths stand for, where that is no variable of the same name."""
        self.free_scalars: set[str] = set()
        """Integer parameters that lengths may name."""
        self.shiftable: frozenset[str] = frozenset()
        """Parameters of which nothing but differences are asked, so that the first element may be 0."""
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
        name_hint: str = "i",
        kind: LoopKind = LoopKind.SERIAL,
        unroll: int | None = None,
        *,
        reductions: tuple[Reduction, ...] = (),
    ) -> Iterator[Length]:
        """The statements inside run for a variable from 0 to ``size - 1``."""
        upper = self.expression(size)
        name = self.names.fresh(name_hint.rstrip("0123456789'") or "i")
        self.scopes.append(Scope({name}, self.facts.assume_range(name, 0, size - 1), kind=kind))
        try:
            yield length(name)
            body = Block(tuple(self.scope.statements))
        finally:
            self.scopes.pop()
            self.names.release(name)
        origin = Origin(Role.COMPUTE, name)
        self.emit(For(name, build.index(0), upper, body, origin, kind, unroll, reductions))

    @contextmanager
    def guard(self, place: Length, size: Length, name_hint: str) -> Iterator[Length]:
        """What is emitted inside runs where ``place`` is less than ``size``."""
        name = self.names.fresh(name_hint)
        origin = Origin(Role.RECOVERY, name)
        self.emit(Declare(name, INDEX, self.expression(place), origin))
        self.scopes.append(Scope({name}, self.facts.assume_range(name, 0, size - 1)))
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
    def symbolic(self, name_hint: str, size: Length) -> Iterator[Length]:
        """A position in [0, size) without a loop, for types."""
        name = self.names.fresh(name_hint)
        self.scopes.append(Scope({name}, self.facts.assume_range(name, 0, size - 1)))
        floor, self._floor = self._floor, len(self.scopes) - 1
        try:
            yield length(name)
        finally:
            self.scopes.pop()
            self._floor = floor
            self.names.release(name)

    @contextmanager
    def assume_range(self, name: str, size: Length) -> Iterator[None]:
        """``name`` is in [0, size)."""
        self.scopes.append(Scope({name}, self.facts.assume_range(name, 0, size - 1)))
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
    def looking_at(self, name_hint: str, size: Length) -> Iterator[Length]:
        """The same as ``symbolic``, for types alone."""
        with self.only_types(), self.symbolic(name_hint, size) as place:
            yield place

    @contextmanager
    def chosen(self, place: Length, size: Length, name_hint: str) -> Iterator[tuple[Length, list[Stmt]]]:
        """The position ``place`` where it is less than ``size``, for an expression that is chosen there alone. What is
        emitted inside goes into the list: it cannot be chosen."""
        self._chosen += 1
        name = f"{name_hint}'{self._chosen}"
        self.scalars[name] = self.expression(place)
        self.scopes.append(Scope({name}, self.facts.assume_range(name, 0, size - 1)))
        floor, self._floor = self._floor, len(self.scopes) - 1
        try:
            yield length(name), self.scope.statements
        finally:
            self.scopes.pop()
            self._floor = floor

    def declare(
        self, name_hint: str, value: Expr, dtype: str, *, mutable: bool = False, role: Role = Role.COMPUTE
    ) -> Var:
        name = self.names.fresh(name_hint)
        self.emit(Declare(name, dtype, value, self.origin(role), mutable))
        return Var(name, dtype)

    @abstractmethod
    def expression(self, whole: Length) -> Expr:
        """The value of ``whole``, an integer of 64 bits."""
