"""Tails in loops of their own: a test for a full tile moves out of the loops in which it cannot change.

A cut loop with a constant trip count comes twice, once for full tiles without the guard and once with it. Where the
test between the two does not depend on a loop around it, everything from where the test is known on comes twice
instead: a full tile then runs without any test, and what it accumulates can stay in registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heddle.loop_ir.nodes import Assign, Block, Expr, For, Function, If, Load, LoopKind, Stmt, Var, While
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.walk import all_statements, children, declared_names, statements, subexpressions, written_arrays
from heddle.origin import Origin, Role

LARGEST = 80
"""Statements that may come twice: beyond this, the text grows too long to read."""


def unswitch(function: Function) -> Function:
    """A function that computes the same."""
    if not any(isinstance(statement, If) and _separates_tail(statement) for statement in all_statements(function)):
        return function
    body = map_children(function.body, _nest)
    assert isinstance(body, Block)
    return function if body == function.body else replace(function, body=body)


def _nest(statement: Stmt) -> Stmt:
    """``statement`` with the bodies of its loops rewritten, outermost first: the earliest place is the best one."""
    return map_children(statement, _body if isinstance(statement, For | While) else _nest)


def _body(body: Stmt) -> Stmt:
    """The body of a loop, as two variants where a test for full tiles is known early enough."""
    body_statements = body.statements if isinstance(body, Block) else (body,)
    origins: dict[Expr, Origin] = {}
    for test in _tests(body_statements):
        origins.setdefault(test.condition, test.origin)
    for condition, origin in origins.items():
        place = known_from(condition, body_statements)
        if place is None:
            continue
        rest = body_statements[place:]
        if sum(1 for statement in rest for _ in statements(statement)) > LARGEST:
            continue
        full, tail = (
            Block(tuple(_decide(statement, condition, truth) for statement in rest)) for truth in (True, False)
        )
        branch = If(condition, _body(full), origin, _body(tail))
        return Block((*body_statements[:place], branch))
    return _nest(Block(body_statements))


def _tests(block: Sequence[Stmt]) -> Iterator[If]:
    """The tests for full tiles that are inside a loop of the block."""
    for statement in block:
        if isinstance(statement, For | While):
            yield from _find_tests(statement.body, _in_lanes(statement))
        else:
            yield from _tests(children(statement))


def _find_tests(statement: Stmt, in_lanes: bool) -> Iterator[If]:
    """Tests that choose vector or unrolled loops, and those that the lanes of a loop share: with one inside, no
    compiler makes vectors of it."""
    if isinstance(statement, If) and _separates_tail(statement):
        chosen = [statement for statement in statements(statement.then) if isinstance(statement, For)]
        if (chosen and in_lanes) or any(map(_has_constant_trips, chosen)):
            yield statement
    for child in children(statement):
        yield from _find_tests(child, in_lanes or _in_lanes(statement))


def _separates_tail(test: If) -> bool:
    """Whether it runs full tiles on one side and what is left on the other."""
    return test.origin.role is Role.GUARD and test.otherwise is not None


def _in_lanes(statement: Stmt) -> bool:
    return isinstance(statement, For) and statement.kind is LoopKind.CPU_VECTOR


def _has_constant_trips(loop: For) -> bool:
    return loop.kind is LoopKind.CPU_VECTOR or loop.unroll is not None


def known_from(condition: Expr, block: Sequence[Stmt]) -> int | None:
    """The first place in a block from which ``condition`` has one and the same value; None when it changes inside."""
    names = {part.name for part in subexpressions(condition) if isinstance(part, Var)}
    arrays = {part.array.name for part in subexpressions(condition) if isinstance(part, Load)}
    place = 0
    for number, statement in enumerate(block):
        if names & set(declared_names(statement)) and not isinstance(statement, For):
            place = number + 1
    for inner in (nested for statement in block[place:] for nested in statements(statement)):
        assigned = {inner.name} if isinstance(inner, Assign) else set()
        if names & (assigned | set(declared_names(inner))) or arrays & set(written_arrays(inner)):
            return None
    return place


def _decide(statement: Stmt, condition: Expr, truth: bool) -> Stmt:
    """``statement`` where ``condition`` is known to be ``truth``."""
    match statement:
        case If(condition=inner_condition, then=then, otherwise=otherwise) if inner_condition == condition:
            chosen = then if truth else otherwise
            return Block(()) if chosen is None else _decide(chosen, condition, truth)
        case _:
            return map_children(statement, lambda child: _decide(child, condition, truth))
