"""Loops over the elements of arrays, on the units that their maps ask for."""

from __future__ import annotations

from collections.abc import Callable

from heddle.loop_ir.nodes import LoopKind, Reduction
from heddle.patterns.lowering.evaluator import Evaluator
from heddle.patterns.lowering.values import ArrayValue, Value
from heddle.patterns.syntax.nodes import Span
from heddle.patterns.syntax.problem import problem
from heddle.symbolic.build import ceil_div
from heddle.symbolic.nodes import Length, length

GLOBAL = "global"
GLOBAL_THREADS, LOCAL_THREADS = 256, 64
"""Of a work-group, where a map says nothing of it."""

UNITS: dict[str, LoopKind | str] = {
    "map": LoopKind.SERIAL,
    "mapSeq": LoopKind.SERIAL,
    "mapUnroll": LoopKind.SERIAL,
    "mapPar": LoopKind.CPU_THREAD,
    "mapVec": LoopKind.CPU_VECTOR,
    "mapGlobal": GLOBAL,
    "mapWorkgroup": LoopKind.GPU_BLOCK,
    "mapLocal": LoopKind.GPU_THREAD,
    "mapWarp": LoopKind.GPU_WARP,
    "mapLane": LoopKind.GPU_THREAD,
}
NAMES = {kind: name for name, kind in reversed(UNITS.items())}


def visit(
    evaluator: Evaluator,
    array: ArrayValue,
    body: Callable[[Length, Value], None],
    span: Span,
    *,
    kind: LoopKind | str | None = None,
    unroll: int | None = None,
    reductions: tuple[Reduction, ...] = (),
    about: Callable[[Length], None] | None = None,
) -> None:
    """``body`` for each position of ``array`` and its element; ``about`` is told of the position before the element is
    read. ``kind`` is where the loops run, unless the array says so itself."""
    chosen = array.kind if array.kind is not LoopKind.SERIAL or kind is None else kind
    unroll = (array.unroll or unroll) if chosen is LoopKind.SERIAL else None
    if array.each is not None:
        array.each(body, chosen, unroll)
        return

    def at(place: Length) -> None:
        if about is not None:
            about(place)
        body(place, array.element(place))

    emitter = evaluator.emitter
    check_unit(evaluator, chosen, span)
    if chosen == GLOBAL:
        count = ceil_div(array.size, GLOBAL_THREADS)
        names, threads = (f"{array.named}_group", f"{array.named}_local"), length(GLOBAL_THREADS)
        with (
            emitter.loop(count, names[0], LoopKind.GPU_BLOCK, reductions=reductions) as group,
            emitter.loop(threads, names[1], LoopKind.GPU_THREAD, reductions=reductions) as local,
            emitter.guard(group * GLOBAL_THREADS + local, array.size, array.named) as inside,
        ):
            at(inside)
        return
    assert isinstance(chosen, LoopKind)
    if chosen in (LoopKind.GPU_THREAD, LoopKind.GPU_WARP) and array.size.constant is None:
        width = LOCAL_THREADS if chosen is LoopKind.GPU_THREAD else 2
        with (
            emitter.loop(ceil_div(array.size, width), f"{array.named}_round") as number,
            emitter.loop(length(width), f"{array.named}_local", chosen, reductions=reductions) as local,
            emitter.guard(number * width + local, array.size, array.named) as inside,
        ):
            at(inside)
        return
    with emitter.loop(array.size, array.named, chosen, unroll, reductions=reductions) as place:
        at(place)


def check_unit(evaluator: Evaluator, kind: LoopKind | str, span: Span) -> None:
    """Refuses a map where its unit cannot be."""
    if kind is LoopKind.SERIAL or evaluator.emitter.looking:
        return
    unit = LoopKind.GPU_BLOCK if kind == GLOBAL else kind
    name = NAMES[kind]
    open_units = evaluator.emitter.kinds()
    wrong: tuple[str, str] | None = None
    if unit not in evaluator.units:
        other = "mapGlobal or mapWorkgroup" if LoopKind.GPU_BLOCK in evaluator.units else "mapPar or mapSeq"
        wrong = f"{name} does not run on this target", other
    elif unit in (LoopKind.GPU_BLOCK, LoopKind.CPU_THREAD) and open_units:
        wrong = f"{name} stands inside {NAMES.get(open_units[-1], 'another parallel map')}", "it outside of all others"
    elif unit is LoopKind.GPU_BLOCK and any(scope.kind is not None for scope in evaluator.emitter.scopes):
        wrong = f"{name} stands inside a loop, and work-groups are launched from outside of all loops", "mapSeq"
    elif unit in (LoopKind.GPU_THREAD, LoopKind.GPU_WARP) and LoopKind.GPU_BLOCK not in open_units:
        wrong = f"{name} stands outside of mapWorkgroup", "mapWorkgroup around it, or mapGlobal"
    elif unit in (LoopKind.GPU_THREAD, LoopKind.GPU_WARP) and LoopKind.GPU_THREAD in open_units:
        wrong = f"{name} stands inside another map over threads", "mapSeq"
    elif kind is LoopKind.CPU_VECTOR and LoopKind.CPU_VECTOR in open_units:
        wrong = f"{name} stands inside mapVec", "mapSeq"
    if wrong is not None:
        raise problem("unit", f"{wrong[0]}.", span, expected=wrong[1], actual=name, hint=f"Write {wrong[1]}.")
