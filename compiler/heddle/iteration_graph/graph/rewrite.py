"""Rewriting statements: replacing, finding and renaming loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from heddle.iteration_graph.graph.nodes import Assign, Forall, Series, Statement, Where


def replace_loop(statement: Statement, variable: str, change: Callable[[Forall], Statement]) -> Statement:
    """The statement with every loop over ``variable`` changed."""
    match statement:
        case Forall(variable=name, body=body):
            if name == variable:
                return change(statement)
            return Forall(name, replace_loop(body, variable, change))
        case Where(consumer=consumer, producer=producer):
            return Where(replace_loop(consumer, variable, change), replace_loop(producer, variable, change))
        case Series(statements=statements):
            parts = tuple(replace_loop(statement, variable, change) for statement in statements)
            return replace(statement, statements=parts)
        case Assign():
            return statement
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def find_loop(statement: Statement, variable: str) -> Forall:
    """The first loop over ``variable``."""
    loop = _find(statement, variable)
    assert loop is not None, f"no loop over {variable}"
    return loop


def _find(statement: Statement, variable: str) -> Forall | None:
    match statement:
        case Forall(variable=name, body=body):
            return statement if name == variable else _find(body, variable)
        case Where(consumer=consumer, producer=producer):
            return _find(producer, variable) or _find(consumer, variable)
        case Series(statements=statements):
            return next((loop for statement in statements if (loop := _find(statement, variable)) is not None), None)
        case Assign():
            return None
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def chain_of(statement: Statement, variable: str) -> list[str]:
    """The directly nested loops, outermost first, that ``variable`` belongs to."""
    match statement:
        case Forall():
            chain: list[str] = []
            inner: Statement = statement
            while isinstance(inner, Forall):
                chain.append(inner.variable)
                inner = inner.body
            return chain if variable in chain else chain_of(inner, variable)
        case Where(consumer=consumer, producer=producer):
            return chain_of(producer, variable) or chain_of(consumer, variable)
        case Series(statements=statements):
            return next((nested for statement in statements if (nested := chain_of(statement, variable))), [])
        case Assign():
            return []
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def rename_loops(statement: Statement, chain: list[str], order: list[str]) -> Statement:
    """The statement with the loops of ``chain`` in the new ``order``."""
    names = dict(zip(chain, order, strict=True))

    def rename(inner: Statement) -> Statement:
        match inner:
            case Forall(variable=variable, body=body):
                return Forall(names.get(variable, variable), rename(body))
            case Where(consumer=consumer, producer=producer):
                return Where(rename(consumer), rename(producer))
            case Series(statements=statements):
                return replace(inner, statements=tuple(rename(statement) for statement in statements))
            case Assign():
                return inner
            case _:
                raise TypeError(f"unexpected statement {inner!r}")

    return rename(statement)
