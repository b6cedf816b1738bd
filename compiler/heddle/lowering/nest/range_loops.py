"""Loops over a range: of a dense dimension, of a derived variable, or of positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.nodes import Statement
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Allocate, AllocateMap, Expr, For, If, LoopKind, Reduction, Stmt, Var
from heddle.loop_ir.walk import statements
from heddle.lowering.environment.block_builder import Guard, Items, block
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.environment.loop_nest import Worker
from heddle.lowering.nest.block_search import search_per_block
from heddle.lowering.nest.coordinate_recovery import recover_coordinates
from heddle.lowering.nest.row_changes import watch_rows
from heddle.lowering.nest.tracking import start_tracking
from heddle.origin import Origin, Role


def loop_origin(environment: LoopEnvironment, variable: str) -> Origin:
    """A loop belongs to the command that tagged it, else to the one that made its variable."""
    graph = environment.kernel.graph
    tag = graph.parallel.get(variable) or graph.unroll.get(variable) or graph.merge.get(variable)
    origin = environment.origin(Role.BOUNDS, variable)
    return Origin(Role.BOUNDS, variable, command=tag.command) if tag is not None else origin


def enter(environment: LoopEnvironment, variable: str, iteration: Expr | None = None) -> LoopEnvironment:
    """The environment of the body of the loop over ``variable``; ``iteration`` counts its iterations from 0."""
    inner = environment.child()
    tag = environment.kernel.graph.parallel.get(variable)
    inner.context = replace(inner.context, nest=environment.context.nest.inside(variable, tag))
    if tag is not None and tag.unit is LoopKind.CPU_THREAD:
        inner.context = replace(inner.context, worker=Worker(iteration=iteration))
    return inner


def worker_allocations(inner: LoopEnvironment, kind: LoopKind) -> tuple[Allocate | AllocateMap, ...]:
    """The workspaces that each worker of a loop has, where it is a loop over threads with the body ``inner``."""
    worker = inner.context.worker
    return tuple(worker.allocations) if kind is LoopKind.CPU_THREAD and worker is not None else ()


def loop_kind(environment: LoopEnvironment, variable: str) -> LoopKind:
    tag = environment.kernel.graph.parallel.get(variable)
    return tag.unit if tag is not None else LoopKind.SERIAL


def lower_range_loop(
    environment: LoopEnvironment,
    variable: str,
    body: Statement,
    lower: LowerStatement,
    reductions: tuple[Reduction, ...],
) -> None:
    """Emit ``for variable in its domain`` with recovery, guards and the body."""
    domain = environment.domain(variable)
    kind, unroll = loop_kind(environment, variable), environment.kernel.graph.unroll.get(variable)
    if kind is LoopKind.SERIAL:
        start_tracking(environment, variable, domain.lower)
    with environment.kernel.names.scope():
        inner = enter(environment, variable, build.sub(Var(variable), domain.lower))
        inner.known[variable] = Var(variable)
        if kind is LoopKind.GPU_BLOCK:
            search_per_block(environment, inner, variable, domain)
        recover_coordinates(inner)
        watch_rows(inner, variable)
        lower(inner, body)
        inner_items = list(inner.builder.items)
    private = worker_allocations(inner, kind)

    def loop(may_break: bool, keep: Callable[[Guard], bool]) -> Stmt:
        statement = block(inner_items, may_break, keep)
        factor = unroll.factor if unroll is not None else None
        return For(
            variable,
            domain.lower,
            domain.upper,
            statement,
            loop_origin(environment, variable),
            kind,
            factor,
            reductions,
            private,
        )

    serial = kind is LoopKind.SERIAL
    guards = _guards_in(inner_items)
    here = {name: value for name, value in inner.definitions.items() if name not in environment.definitions}
    cloned = bool(guards) and _worth_cloning(inner_items, kind, unroll)
    full = _full_tile(here, variable, domain, guards) if cloned else None
    if full is None:
        environment.emit(loop(serial, lambda guard: True))
        return
    unguarded, guarded = loop(serial, lambda guard: guard not in guards), loop(serial, lambda guard: True)
    environment.emit(If(full, unguarded, guards[0].origin, guarded))


def _guards_in(items: Items) -> list[Guard]:
    return [item for item in items if isinstance(item, Guard)]


def _worth_cloning(items: Items, kind: LoopKind, unroll: object) -> bool:
    """Vector and unrolled loops need a constant trip count; an innermost loop is small enough to double."""
    if kind is LoopKind.CPU_VECTOR or unroll is not None:
        return True
    inner = [s for item in items if not isinstance(item, Guard) for s in statements(item)]
    return kind is LoopKind.SERIAL and not any(isinstance(s, For) for s in inner)


def _full_tile(definitions: dict[str, Expr], variable: str, domain: Range, guards: list[Guard]) -> Expr | None:
    """The condition under which no guard of a loop with a constant trip count can fail; None when there is none."""
    lower, upper = build.constant(domain.lower), build.constant(domain.upper)
    if lower is None or upper is None or upper <= lower or not all(guard.monotone for guard in guards):
        return None
    conditions: list[Expr] = []
    for guard in guards:
        end = build.index(upper - 1 if guard.above else lower)
        conditions.append(_at(definitions, guard.condition, variable, end))
    return build.both(*conditions)


def _at(definitions: dict[str, Expr], condition: Expr, variable: str, value: Expr) -> Expr:
    """``condition`` with what the loop recovers unfolded down to ``variable``, which takes ``value``."""
    values: dict[str, Expr] = {variable: value}
    for name, definition in definitions.items():  # in the order of recovery: each uses earlier ones alone
        values[name] = build.substitute(definition, values)
    return build.substitute(condition, values)
