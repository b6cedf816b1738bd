"""From emitted items to loop IR blocks: guards wrap or end what follows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heddle.loop_ir import build
from heddle.loop_ir.nodes import Block, Break, If, Stmt
from heddle.lowering.environment.loop_state import Guard

Items = Sequence[Stmt | Guard]


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
