"""GPU launches in the checked interpreter: every thread of a block runs the body with scalars of its own.

The threads of a block are Python generators that run from one meeting (a barrier or a combination) to the next, one
after the other. Races are those of :mod:`heddle.loop_ir.interpreter.races`: the threads between two barriers are
the iterations of a parallel loop there, and what a barrier separates is ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from heddle.loop_ir.analysis.launch_shape import LaunchShape, launch_shape, trip_count
from heddle.loop_ir.interpreter.evaluate import Scalar
from heddle.loop_ir.interpreter.execute_block import BlockRun, Meeting, Recorder, Run, SharedArray, Thread
from heddle.loop_ir.interpreter.execute_combine import CombiningExecutor
from heddle.loop_ir.interpreter.execute_simple import NEXT, Signal, Step
from heddle.loop_ir.interpreter.memory import Storage
from heddle.loop_ir.interpreter.site import Site
from heddle.loop_ir.interpreter.trace import LoopEvent
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    AllocateResult,
    Barrier,
    Block,
    Combine,
    CombineRuns,
    Const,
    For,
    GroupScope,
    If,
    LoopKind,
    MemorySpace,
    Single,
    Stmt,
    While,
)
from heddle.loop_ir.walk import statements

PRIVATE = 2**30
"""The depth of scalars that each thread has for itself."""


class LaunchExecutor(CombiningExecutor):
    """Compiles launches, and everything else as the executor of CPU kernels does."""

    thread: Thread
    _shape: LaunchShape | None = None
    _recorder: Recorder | None = None
    _shared: list[SharedArray]

    def new_scalar(self, name: str, dtype: str, site: Site, mutable: bool) -> Scalar:
        scalar = super().new_scalar(name, dtype, site, mutable)
        if self._shape is not None:
            scalar.depth = PRIVATE
        return scalar

    def allocate(self, allocate: Allocate | AllocateResult, site: Site, depth: int | None = None) -> Step:
        if isinstance(allocate, AllocateResult) or allocate.space is not MemorySpace.SHARED:
            return super().allocate(allocate, site, depth)
        assert isinstance(allocate.size, Const)
        storage = Storage(allocate.array, 0, True, [])  # whatever happens to it, other threads see
        self._symbols[allocate.array.name] = storage
        self._shared.append(SharedArray(storage, int(allocate.size.value.real), site.depth > 1))
        return lambda: NEXT

    def _step(self, statement: Stmt, site: Site) -> Step:
        match statement:
            case Single(scope=scope, body=body):
                return self._single(scope, self.body(body))
            case _:
                return super()._step(statement, site)

    def _for(self, loop: For, site: Site) -> Step:
        match loop.kind:
            case LoopKind.GPU_BLOCK:
                return self._launch(loop, site)
            case LoopKind.GPU_WARP | LoopKind.GPU_THREAD:
                return self._unit(loop, site)
            case _:
                return super()._for(loop, site)

    def _single(self, scope: GroupScope, body: Step) -> Step:
        def run() -> Signal:
            thread = self.thread
            first = thread.number == 0 if scope is GroupScope.BLOCK else thread.lane == 0
            return body() if first else NEXT

        return run

    # --------------------------------------------------------------------------------------------- unit loops

    def _unit(self, loop: For, site: Site) -> Step:
        """A loop over warps or threads without meetings: a thread executes its own iteration."""
        with self._inside(loop) as slot:
            body = self.body(loop.body)
        enter, leave = self._entering(loop, site, slot)

        def run() -> Signal:
            if enter():
                body()
                leave()
            return NEXT

        return run

    @contextmanager
    def _inside(self, loop: For) -> Iterator[int]:
        """The variable of ``loop`` is in scope, in the slot that is given."""
        outer_symbols, outer_loops, slot = self._symbols, self._loops, self._machine.new_slot()
        self._symbols = outer_symbols | {loop.variable: Scalar(slot, INDEX, PRIVATE)}
        self._loops = (*outer_loops, (loop.variable, slot, loop.kind is not LoopKind.SERIAL))
        yield slot
        self._symbols, self._loops = outer_symbols, outer_loops

    def _entering(self, loop: For, site: Site, slot: int) -> tuple[Callable[[], bool], Callable[[], None]]:
        """What sets the variable of a loop over warps or threads, and is false where the thread has no iteration; and
        what ends the iteration."""
        scalars, count, tick, recorder = self._machine.scalars, trip_count(loop), self._machine.tick, self._recorder
        of_warp, in_warp = loop.kind is LoopKind.GPU_WARP, site.depth > 1

        def enter() -> bool:
            thread = self.thread
            index = thread.warp if of_warp else thread.lane if in_warp else thread.number
            if index >= count:
                return False
            tick(site, 1)
            scalars[slot] = index
            if recorder is not None:
                recorder.silent = of_warp and thread.lane != 0
                recorder.append(LoopEvent(site.number, site.line, site.worker(), loop.variable, index))
            return True

        def leave() -> None:
            if recorder is not None:
                recorder.silent = (self.thread.lane if in_warp else self.thread.number) != 0

        return enter, leave

    # ------------------------------------------------------------------------------------------------ launches

    def _launch(self, loop: For, site: Site) -> Step:
        machine, evaluator = self._machine, self.evaluator(site)
        lower, upper = evaluator.compile(loop.lower), evaluator.compile(loop.upper)
        shape, first_slot, events = launch_shape(loop), len(machine.scalars), machine.events
        self._shape, self._shared = shape, []
        self._recorder = recorder = Recorder(events) if events is not None else None
        machine.events = recorder
        with self._inside(loop) as block_slot:
            run_thread = self._process(loop.body)
        self._shape, self._recorder, machine.events = None, None, events
        shared, last_slot = self._shared, len(machine.scalars)

        def run() -> Signal:
            machine.instances += 1
            instance, outer = machine.instances, machine.worker
            for value in self.ordered(range(lower(), upper())):
                machine.tick(site, 1)
                machine.scalars[block_slot] = value
                if events is not None:
                    events.append(LoopEvent(site.number, site.line, site.worker(), loop.variable, value))
                block = BlockRun(self, shape, (*outer, instance, value), shared, (first_slot, last_slot), recorder)
                block.run(run_thread)
            machine.worker = outer
            return NEXT

        return run

    def _process(self, statement: Stmt) -> Callable[[], Run]:
        """``statement`` as one thread executes it: stops at meetings."""
        if isinstance(statement, Block):
            return self._process_block(statement)
        if not _meets(statement):
            step = self._compile(statement)

            def alone() -> Run:
                return step()
                yield

            return alone
        site = self._site(statement)
        match statement:
            case For(kind=LoopKind.GPU_WARP):
                return self._process_warps(statement, site)
            case For() | While():
                return self._process_loop(statement, site)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self.evaluator(site).compile(condition)
                first, second = self._process(then), self._process(otherwise or Block(()))

                def branch() -> Run:
                    return (yield from first() if test() else second())

                return branch
            case Barrier(scope=scope):
                return _meeting(Meeting(scope, site, lambda threads, first: None))
            case Combine(scope=scope):
                return _meeting(Meeting(scope, site, self.combine(statement, site)))
            case CombineRuns():
                return _meeting(Meeting(GroupScope.WARP, site, self.combine_runs(statement, site)))
            case _:
                raise TypeError(f"unexpected node {statement!r}")

    def _process_block(self, block: Block) -> Callable[[], Run]:
        outer = self._symbols
        self._symbols = dict(outer)
        steps = [self._process(child) for child in block.statements]
        self._symbols = outer

        def run() -> Run:
            for step in steps:
                signal = yield from step()
                if signal:
                    return signal
            return NEXT

        return run

    def _process_warps(self, loop: For, site: Site) -> Callable[[], Run]:
        with self._inside(loop) as slot:
            body = self._process(loop.body)
        enter, leave = self._entering(loop, site, slot)

        def run() -> Run:
            if enter():
                yield from body()
                leave()
            return NEXT

        return run

    def _process_loop(self, loop: For | While, site: Site) -> Callable[[], Run]:
        evaluator, tick, scalars = self.evaluator(site), self._machine.tick, self._machine.scalars
        if isinstance(loop, While):
            condition, repeated = evaluator.compile(loop.condition), self._process(loop.body)

            def run_while() -> Run:
                while condition():
                    tick(site, 1)
                    yield from repeated()
                return NEXT

            return run_while
        lower, upper = evaluator.compile(loop.lower), evaluator.compile(loop.upper)
        with self._inside(loop) as slot:
            body = self._process(loop.body)
        recorder = self._recorder

        def run_for() -> Run:
            for value in range(lower(), upper()):
                tick(site, 1)
                scalars[slot] = value
                if recorder is not None:
                    recorder.append(LoopEvent(site.number, site.line, site.worker(), loop.variable, value))
                yield from body()
            return NEXT

        return run_for


def _meets(statement: Stmt) -> bool:
    return any(isinstance(s, Barrier | Combine | CombineRuns) for s in statements(statement))


def _meeting(meeting: Meeting) -> Callable[[], Run]:
    def run() -> Run:
        yield meeting
        return NEXT

    return run
