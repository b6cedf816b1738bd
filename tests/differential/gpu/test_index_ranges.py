"""What the analysis of a launch says about its indices holds for every value that the interpreter sees in it."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.loop_ir.analysis.index_knowledge import Facts, Ranges
from heddle.loop_ir.analysis.index_ranges import ranges_of
from heddle.loop_ir.interpreter.trace import Event, LoopEvent, ScalarEvent, StoreEvent
from heddle.loop_ir.nodes import For
from heddle.runtime.kernels.offload import index_choice
from tests.compiler.runtime.devices.executing_gpu import ExecutingGpu, executing_gpu
from tests.differential.check import check
from tests.differential.gpu.gpu_schedules import SCHEDULES, commands
from tests.differential.gpu.test_gpu import small
from tests.fuzz import check_program as check_program_module
from tests.fuzz.check_program import check_program
from tests.fuzz.gpu import draw_gpu_program

DRAWN = 60


class Watched:
    """Compares each launch with what was said about it; ``seen`` counts the values."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.said: Ranges | None = None
        self.seen = 0
        gpu = executing_gpu(patch, ExecutingGpu())
        gpu.watch = self.compare
        patch.setattr(index_choice, "ranges_of", self.ranges)
        chosen = index_choice.Launching.chosen

        def anew(launching: index_choice.Launching, call: object) -> object:
            launching._choice = None
            return chosen(launching, call)  # type: ignore[arg-type]

        patch.setattr(index_choice.Launching, "chosen", anew)

    def ranges(self, launch: For, facts: Facts) -> Ranges:
        self.said = ranges_of(launch, facts)
        return self.said

    def compare(self, events: list[Event]) -> None:
        assert self.said is not None
        for event in events:
            match event:
                case ScalarEvent(name=name, value=value) | LoopEvent(variable=name, value=value):
                    found = self.said.scalars.get(name)
                case StoreEvent(array=name, value=value):
                    found = self.said.stored.get(name)
                case _:
                    continue
            if found is not None and isinstance(value, int):
                assert found.low <= value <= found.high, (name, value, found)
                self.seen += 1


@pytest.mark.combinations(6)
@pytest.mark.parametrize("name", SCHEDULES)
def test_of_a_schedule(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    expression, formats, schedule = SCHEDULES[name]
    check(expression, formats, commands(schedule), targets=("cuda",), sizes=small(name))
    assert watched.seen > 0


@pytest.mark.takes_turns(8, among="whole programs")
@pytest.mark.combinations(6)
@pytest.mark.parametrize("first", range(0, DRAWN, 20))
def test_of_drawn_programs(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    monkeypatch.setattr(check_program_module, "_large", lambda *_: [])  # the interpreter is slow
    for seed in range(first, first + 20):
        program = draw_gpu_program(seed)
        if hd.lower(program.plan("cuda")).ok:
            check_program(program, seed, "cuda")
    assert watched.seen > 0
