"""A process that waits for the next run: used once, confined like any other, and replaced where it is of no use."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heddle_server.engine.children import child_process
from heddle_server.engine.children.limits import Limits
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.children.started_child import StartedChild, start
from heddle_server.engine.children.waiting_child import WaitingChild

LIMITS = Limits(seconds=60, memory_bytes=1 << 30, output_bytes=1 << 20, processor_seconds=60, scratch_bytes=64 << 20)
PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Of a thread that lasts as long as the children that begin in it."""
    made = asyncio.new_event_loop()
    thread = threading.Thread(target=made.run_forever)
    thread.start()
    yield made
    made.call_soon_threadsafe(made.stop)
    thread.join()
    made.close()


@pytest.fixture
def keeper(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Iterator[WaitingChild]:
    made = WaitingChild("json", tmp_path / "timing.lock", loop)
    yield made
    made.close()


def begun(keeper: WaitingChild, other_than: StartedChild | None = None) -> StartedChild:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (child := keeper.child) is None or child is other_than:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return child


def ran(keeper: WaitingChild | None, behaviour: str = "scipy") -> Outcome:
    job: dict[str, Any] = {"plan": {"tensors": {"A": {}}, "run": {"baselines": [behaviour]}}}
    none = threading.Event()
    return child_process.run_child("tests.backend.fake_child", job, LIMITS, lambda _: None, none, waiting=keeper)


def no_other(*_: object) -> StartedChild:
    raise AssertionError("another process began")


def test_a_run_has_the_process_that_waited_and_another_one_begins_behind_it(
    keeper: WaitingChild, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold = ran(None)
    keeper.begin_in(0)
    child = begun(keeper)
    monkeypatch.setattr(child_process, "start", no_other)
    warm = ran(keeper)
    assert (warm.ending, cold.ending) == ("done", "done")
    assert warm.sandbox == cold.sandbox  # As confined as any.
    assert child.process.returncode is not None
    assert begun(keeper, child).process.pid != child.process.pid


def test_it_may_crash_like_any_other(keeper: WaitingChild, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper.begin_in(0)
    begun(keeper)
    monkeypatch.setattr(child_process, "start", no_other)
    assert "SIGSEGV" in ran(keeper, "segfault").title


def test_one_that_was_killed_is_replaced(keeper: WaitingChild) -> None:
    keeper.begin_in(0)
    child = begun(keeper)
    os.killpg(child.process.pid, signal.SIGKILL)
    assert ran(keeper).ending == "done"


def test_one_that_ends_with_its_order_is_replaced(keeper: WaitingChild, monkeypatch: pytest.MonkeyPatch) -> None:
    """It had not been seen to end when the order went to it."""
    keeper.begin_in(0)
    child = begun(keeper)
    child.process.kill()
    child.process.wait()
    monkeypatch.setattr(StartedChild, "usable", True)
    assert ran(keeper).ending == "done"


def test_one_of_another_environment_is_replaced(keeper: WaitingChild, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels were compiled for another class of machines than the worker was told."""
    keeper.begin_in(0)
    begun(keeper)
    monkeypatch.setenv("HEDDLE_MARCH", "v2")
    began: list[StartedChild] = []
    monkeypatch.setattr(child_process, "start", lambda: began.append(start()) or began[0])
    assert ran(keeper).ending == "done"
    assert began[0].environment["HEDDLE_MARCH"] == "v2"


def test_none_begins_beside_a_run(keeper: WaitingChild, loop: asyncio.AbstractEventLoop) -> None:
    with keeper.taken() as child:
        assert child is None
        keeper.begin_in(0)
        # What the loop was told before this has been done.
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0.01), loop).result(PATIENCE_SECONDS)
        assert keeper.child is None
    begun(keeper)


def test_it_ends_with_its_worker(keeper: WaitingChild, loop: asyncio.AbstractEventLoop) -> None:
    keeper.begin_in(0)
    child = begun(keeper)
    keeper.close()
    assert child.process.returncode == -signal.SIGKILL
    keeper.begin_in(0)
    asyncio.run_coroutine_threadsafe(asyncio.sleep(0.01), loop).result(PATIENCE_SECONDS)
    assert keeper.child is None


@pytest.mark.parametrize(
    "text", ["import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()", "1 / 0"]
)
def test_what_cannot_be_loaded_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loop: asyncio.AbstractEventLoop, text: str
) -> None:
    """A process with threads could not leave the namespaces of the worker, and would be less confined."""
    (tmp_path / "heddle_loaded_in_vain.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    confined = ran(None).sandbox
    keeper = WaitingChild("heddle_loaded_in_vain", tmp_path / "timing.lock", loop)
    keeper.begin_in(0)
    begun(keeper)
    try:
        monkeypatch.setattr(child_process, "start", no_other)
        outcome = ran(keeper)
        assert (outcome.ending, outcome.sandbox) == ("done", confined)
    finally:
        keeper.close()
