"""Where the threads of a launch write: does the same thread always come back to the same place?

A thread loop over a dense range gives each thread its own coordinates, in every iteration of a loop around it. A loop
over stored entries does not: the next row has other coordinates at the same positions.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle.loop_ir.nodes import Assign, Declare, Expr, For, Insert, Load, LoopKind, Search, Stmt, Store, Var
from heddle.loop_ir.walk import children, subexpressions

_UNITS = (LoopKind.GPU_WARP, LoopKind.GPU_THREAD)


def find_scattered(statement: Stmt, shifted: frozenset[str]) -> frozenset[str]:
    """The arrays that ``statement`` writes, without atomics, at places that data give to its threads. ``shifted`` are
    loop variables that do not start at a constant."""
    collector = _Found(shifted)
    collector.visit(statement)
    return frozenset(collector.arrays)


@dataclass(slots=True)
class _Found:
    """``units`` are scalars that differ between threads, ``loose`` those among them that come from data."""

    shifted: frozenset[str]
    arrays: set[str] = field(default_factory=set)
    units: set[str] = field(default_factory=set)
    loose: set[str] = field(default_factory=set)

    def visit(self, statement: Stmt) -> None:
        match statement:
            case For(variable=variable, lower=lower, kind=kind):
                if kind in _UNITS or self._reads(lower, self.units):
                    self.units.add(variable)
                if self._is_loose(lower):
                    self.loose.add(variable)
            case Declare(name=name, value=value) | Assign(name=name, value=value):
                if self._reads(value, self.units):
                    self.units.add(name)
                if self._is_loose(value) or (name in self.shifted and name in self.units):
                    self.loose.add(name)
            case Search(name=name) | Insert(name=name) if self.units:
                self.units.add(name)
                self.loose.add(name)
            case Store(array=array, index=index, atomic=False) if self._is_loose(index):
                self.arrays.add(array.name)
            case _:
                pass
        for child in children(statement):
            self.visit(child)

    def _reads(self, expression: Expr, names: set[str]) -> bool:
        return any(isinstance(part, Var) and part.name in names for part in subexpressions(expression))

    def _is_loose(self, expression: Expr) -> bool:
        if self._reads(expression, self.loose):
            return True
        loads = [part for part in subexpressions(expression) if isinstance(part, Load)]
        return any(self._reads(load.index, self.units) for load in loads)
