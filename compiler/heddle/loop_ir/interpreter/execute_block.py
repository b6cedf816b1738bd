"""The threads of one block of a launch, as the checked interpreter runs them.

They are Python generators that run from one meeting (a barrier or a combination) to the next, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from heddle.loop_ir.analysis.launch_shape import LaunchShape
from heddle.loop_ir.interpreter.evaluate import Machine
from heddle.loop_ir.interpreter.execute_simple import Signal
from heddle.loop_ir.interpreter.faults import DivergentBarrier
from heddle.loop_ir.interpreter.memory import UNINITIALISED, Storage
from heddle.loop_ir.interpreter.races import Shadow
from heddle.loop_ir.interpreter.site import Site
from heddle.loop_ir.interpreter.trace import Event
from heddle.loop_ir.nodes import GroupScope

Exchange = Callable[[list[list[Any]], int], None]
"""Takes the scalars of each thread, and the slot of the first of them."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where threads wait for each other: ``exchange`` gives each of them what it gets, when all are there."""

    scope: GroupScope
    site: Site
    exchange: Exchange


Run = Generator[Meeting, None, Signal]


@dataclass(slots=True)
class Thread:
    """``scalars`` are its own ones while other threads run; ``waits`` is where it has come to."""

    warp: int
    lane: int
    number: int
    scalars: list[Any]
    run: Run | None = None
    waits: Meeting | None = None
    warp_epoch: int = 0
    silent: bool = False


@dataclass(slots=True)
class SharedArray:
    """One array for the block, or one for each warp: the storage has those of the warp that runs."""

    storage: Storage
    size: int
    per_warp: bool


class Recorder(list[Event]):
    """Keeps the events of uniform code once, not once for every thread."""

    def __init__(self, events: list[Event]) -> None:
        super().__init__()
        self._events = events
        self.silent = False

    def append(self, event: Event) -> None:
        if not self.silent:
            self._events.append(event)


class Launching(Protocol):
    """What runs blocks: it says in which order, and is told which thread runs."""

    thread: Thread

    @property
    def machine(self) -> Machine:
        """The memory, the scalars and the counters of the run."""
        ...

    def ordered(self, values: range) -> Iterable[int]:
        """``values`` in the order in which parallel iterations are run."""
        ...


class BlockRun:
    """The threads of one block."""

    def __init__(
        self,
        executor: Launching,
        shape: LaunchShape,
        place: tuple[int, ...],
        shared: Iterable[SharedArray],
        slots: tuple[int, int],
        recorder: Recorder | None,
    ) -> None:
        self._executor, self._machine, self._shape, self._place = executor, executor.machine, shape, place
        self._first_slot, self._last_slot = slots
        self._epoch, self._recorder = 0, recorder
        self._of_warp: dict[int, list[tuple[SharedArray, list[Any], Shadow]]] = {}
        lanes = shape.lanes
        self._warp_arrays: list[SharedArray] = []
        self.threads = [Thread(n // lanes, n % lanes, n, [], silent=n > 0) for n in range(shape.threads)]
        for array in shared:
            if array.per_warp:
                self._warp_arrays.append(array)
            else:
                array.storage.cells = [UNINITIALISED] * array.size
                array.storage.shadow = Shadow()

    def run(self, body: Callable[[], Run]) -> None:
        start = self._machine.scalars[self._first_slot : self._last_slot]
        for thread in self.threads:
            thread.run, thread.scalars = body(), list(start)
        warps = [self.threads[n : n + self._shape.lanes] for n in range(0, len(self.threads), self._shape.lanes)]
        while any(thread.run is not None for thread in self.threads):
            for warp in self._executor.ordered(range(len(warps))):
                self._run_warp(warps[warp])
            waiting = [thread for thread in self.threads if thread.waits is not None]
            if waiting:
                self._meet(self.threads)
                self._epoch += 1

    def _run_warp(self, warp: list[Thread]) -> None:
        """All lanes up to where the whole block meets, or to the end."""
        for array in self._warp_arrays:
            self._enter_warp(array, warp[0].warp)
        while True:
            for lane in self._executor.ordered(range(len(warp))):
                if warp[lane].run is not None and warp[lane].waits is None:
                    self._resume(warp[lane])
            if all(thread.waits is None or thread.waits.scope is GroupScope.BLOCK for thread in warp):
                return
            self._meet(warp)
            for thread in warp:
                thread.warp_epoch += 1

    def _enter_warp(self, array: SharedArray, warp: int) -> None:
        """The memory of the warp that goes on now."""
        shadows = self._of_warp.setdefault(warp, [])
        mine = next((entry for entry in shadows if entry[0] is array), None)
        if mine is None:
            mine = (array, [UNINITIALISED] * array.size, Shadow())
            shadows.append(mine)
        array.storage.cells, array.storage.shadow = mine[1], mine[2]

    def _resume(self, thread: Thread) -> None:
        machine, first, last = self._machine, self._first_slot, self._last_slot
        assert thread.run is not None
        lane_identity = (thread.warp, thread.warp_epoch, thread.lane) if self._shape.warps else (thread.lane,)
        machine.worker = (*self._place, self._epoch, *lane_identity)
        self._executor.thread = thread
        machine.scalars[first:last] = thread.scalars
        if self._recorder is not None:
            self._recorder.silent = thread.silent
        try:
            thread.waits = next(thread.run)
        except StopIteration:
            thread.run = None
        thread.scalars = machine.scalars[first:last]
        if self._recorder is not None:
            thread.silent = self._recorder.silent

    def _meet(self, threads: list[Thread]) -> None:
        """All of ``threads`` wait at the same place; there they exchange values and go on."""
        meeting = next(thread.waits for thread in threads if thread.waits is not None)
        if any(thread.waits is not meeting for thread in threads):
            absent = next(thread for thread in threads if thread.waits is not meeting)
            self._machine.scalars[self._first_slot : self._last_slot] = next(
                t.scalars for t in threads if t.waits is meeting
            )
            where = f"warp {absent.warp}, lane {absent.lane}" if self._shape.warps else f"thread {absent.number}"
            detail = f"not all threads of the {meeting.scope.value} come here: {where} took another way"
            meeting.site.fail(DivergentBarrier, detail)
        meeting.exchange([thread.scalars for thread in threads], self._first_slot)
        for thread in threads:
            thread.waits = None
