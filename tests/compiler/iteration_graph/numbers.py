"""A place in a loop nest where everything is a number: what relations say there, evaluated."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from heddle.formats.levels.level import LevelStorage, Range, Stored
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, ArrayRole, Binary, Call, Const, Expr, Load, Select
from heddle.notation.nodes import Access
from heddle.origin import Role

A = Access("A", ("i", "j"))
CSR = {"A2_pos": [0, 2, 2, 5, 7], "A2_crd": [0, 2, 0, 3, 5, 1, 4]}
"""The running example: 4 rows, 6 columns, row 1 is empty."""


def number(expression: Expr) -> int:
    """The value of an index expression whose loads are from :data:`CSR`."""
    match expression:
        case Const(value=int() as value):
            return value
        case Load(array=array, index=index):
            return CSR[array.name][number(index)]
        case Binary(operator=operator, left=left, right=right):
            a, b = number(left), number(right)
            operations = {"+": a + b, "-": a - b, "*": a * b, "<": a < b, "<=": a <= b, "==": a == b, ">=": a >= b}
            if operator in operations:
                return operations[operator]
            return a // b if operator == "//" else a % b
        case Select(condition=condition, then=then, otherwise=otherwise):
            return number(then) if number(condition) else number(otherwise)
        case Call(function="min" | "max" as function, arguments=arguments):
            return (min if function == "min" else max)(number(argument) for argument in arguments)
        case _:
            raise TypeError(f"unexpected expression {expression!r}")


def bounds(found: Range) -> tuple[int, int]:
    return number(found.lower), number(found.upper)


def interval(lower: int, upper: int) -> Range:
    return Range(build.index(lower), build.index(upper))


@dataclass
class Numbers:
    """Implements :class:`heddle.iteration_graph.graph.environment.Environment`."""

    values: dict[str, int] = field(default_factory=dict)
    domains: dict[str, tuple[int, int]] = field(default_factory=dict)
    windows: dict[str, tuple[int, int]] = field(default_factory=dict)
    positions: dict[int, int] = field(default_factory=dict)
    guarded: list[str] = field(default_factory=list)

    def value(self, variable: str) -> Expr:
        return build.index(self.values[variable])

    def domain(self, variable: str) -> Range:
        return interval(*self.domains[variable])

    def window(self, variable: str, within: str) -> Range:
        return interval(*self.windows[within])

    def bind(self, variable: str, value: Expr, role: Role) -> None:
        self.values[variable] = number(value)

    def ranges(self, key: str, make: Callable[[], list[Range]]) -> list[Range]:
        return make()

    def guard(self, variable: str) -> None:
        self.guarded.append(variable)

    def guard_condition(self, variable: str, condition: Expr) -> None:
        if not number(condition):
            self.guarded.append(variable)

    def declare_bound(self, wish: str, value: Expr, variable: str) -> Expr:
        return build.index(number(value))

    def storage(self, access: Access, level: int) -> LevelStorage:
        if level == 1:
            return LevelStorage("A", 1, "dense", build.index(4))
        arrays = [Array(f"A2_{role}", "int32", ArrayRole(role), "A", 2) for role in ("pos", "crd")]
        return LevelStorage("A", 2, "compressed", build.index(6), *arrays)

    def position(self, access: Access, level: int) -> Expr:
        return build.index(0 if level == 0 else self.positions[level])

    def position_range(self, access: Access, level: int) -> Range:
        position = self.position(access, level)
        return Range(position, build.add(position, build.index(1)))

    def only_where(self, variable: str, stored: Stored, monotone: bool) -> None:
        self.guarded.append(variable)

    def probe(self, wish: str, storage: LevelStorage, table: Range, first: Expr, coordinate: Expr) -> Expr:
        raise NotImplementedError("no level here is hashed")

    def set_position(self, access: Access, level: int, position: Expr) -> None:
        self.positions[level] = number(position)

    def search(self, wish: str, array: Array, among: Range, value: Expr, level: int) -> Expr:
        return build.index(bisect_left(CSR[array.name], number(value), *bounds(among)))

    def find_parent(self, access: Access, level: int, array: Array, among: Range, child: Expr) -> Expr:
        lower, upper = bounds(among)
        return build.index(bisect_right(CSR[array.name], number(child), lower, upper) - 1)
