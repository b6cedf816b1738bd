"""Galloping: an intersection jumps with each operand to the first coordinate that the others allow
(docs/sources.toml T33)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Assign, Block, Case, Expr, If, Search, SearchKind, Stmt, Var
from heddle.names import Names
from heddle.origin import Origin


@dataclass(frozen=True, slots=True)
class Runner:
    """An operand's position variable ``name``, in front of ``end``; it stands at ``coordinate`` of ``crd``."""

    name: str
    end: Expr
    crd: Array
    coordinate: Expr
    origin: Origin


def gallop(names: Names, runners: list[Runner], body: Block, target: Expr, origin: Origin, label: Case) -> If:
    """At the largest coordinate ``target``: run ``body`` and step on where all stand there, else jump up to it."""
    together = build.both(*(build.compare("==", runner.coordinate, target) for runner in runners))
    steps = (Assign(runner.name, build.index(1), runner.origin, reduce="+") for runner in runners)
    jumps = (_jump(names, runner, target) for runner in runners)
    return If(together, Block((*body.statements, *steps)), origin, Block(tuple(jumps)), label)


def _jump(names: Names, runner: Runner, target: Expr) -> Stmt:
    with names.scope():
        next_name = names.fresh(f"{runner.name}_next")
    here = Var(runner.name)
    search = Search(next_name, SearchKind.GALLOP, runner.crd, here, runner.end, target, runner.origin)
    moved = Block((search, Assign(runner.name, Var(next_name), runner.origin)))
    return If(build.compare("<", runner.coordinate, target), moved, runner.origin)
