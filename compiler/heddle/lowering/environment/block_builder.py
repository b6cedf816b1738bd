"""Where statements are emitted: an insertion point behind those of a block. Guards wrap or end what follows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from heddle.loop_ir import build
from heddle.loop_ir.nodes import Block, Break, Expr, If, Stmt
from heddle.origin import Origin


@dataclass(frozen=True, slots=True)
class Guard:
    """Run what follows only where ``condition`` holds. ``above``: it bounds its variable from above, not from below.
    ``monotone``: the variable grows with the loop, so that a serial loop may end where such a condition first fails."""

    condition: Expr
    origin: Origin
    above: bool
    monotone: bool


Items = Sequence[Stmt | Guard]


@dataclass(frozen=True, slots=True)
class BlockBuilder:
    """The end of a block that is being made. Places that share a builder emit into one block, in turn."""

    items: list[Stmt | Guard] = field(default_factory=list)

    def emit(self, item: Stmt | Guard) -> None:
        self.items.append(item)

    def extend(self, items: Iterable[Stmt | Guard]) -> None:
        """What was emitted elsewhere follows here, guards included."""
        self.items.extend(items)

    def block(self, may_break: bool = False) -> Block:
        """What was emitted so far."""
        return block(self.items, may_break)


def block(items: Items, may_break: bool = False, keep: Callable[[Guard], bool] = lambda guard: True) -> Block:
    """The items as a block. ``may_break``: the innermost loop around it is serial, so that a guard that bounds a
    growing variable from above ends it; any other guard skips the rest of the iteration. ``keep`` drops guards."""
    statements: list[Stmt] = []
    for number, item in enumerate(items):
        if not isinstance(item, Guard):
            statements.append(item)
            continue
        if not keep(item) or item.condition == build.TRUE:
            continue
        if item.above and item.monotone and may_break:
            statements.append(If(build.negate(item.condition), Block((Break(item.origin),)), item.origin))
            continue
        rest = block(items[number + 1 :], may_break, keep)
        statements.append(If(item.condition, rest, item.origin))
        break
    return Block(tuple(statements))
