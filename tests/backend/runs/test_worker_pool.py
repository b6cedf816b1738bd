"""Which worker gets a run: one that can do it, on a machine where no other is timed."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from heddle.runtime.native.cache import GENERATOR_VERSION
from heddle_server.api.machine import list_machines
from heddle_server.engine.cluster.connected_worker import OWN, ConnectedWorker
from heddle_server.engine.cluster.declaration import Declaration, parse_declaration
from heddle_server.problem import ProblemError
from heddle_server.services.runs.worker_pool import WorkerPool
from heddle_server.version import VERSION
from tests.backend.fake_child import MACHINE


def worker(address: str, machine: str, *resources: str, **more: Any) -> ConnectedWorker:
    return ConnectedWorker(address, address, 0.0, Declaration(machine, frozenset(resources), MACHINE, {}, **more))  # type: ignore[arg-type]


def pool(*workers: ConnectedWorker) -> WorkerPool:
    made = WorkerPool()
    made.update(workers)
    return made


def test_two_workers_on_one_machine_time_one_run() -> None:
    both = pool(worker("a", "m1", "cpu"), worker("b", "m1", "cpu"), worker("c", "m2", "cpu"))
    assert both.slots == 2
    assert both.take("first", "c", both.free).address == "a"
    assert both.take("second", "interpreter", both.free).address == "c"
    assert both.free == []
    both.release("first")
    assert both.take("third", "c", both.free).address == "a"


async def test_the_list_of_machines_says_what_a_probe_died_of() -> None:
    died = "ended its process (SIGABRT): Not enough memory to run on this device."
    workers = pool(worker("a", "m1", "cpu", failed_probes={"opencl": died}), worker("b", "m2", "cpu", "opencl"))
    services: Any = SimpleNamespace(running=SimpleNamespace(dispatcher=SimpleNamespace(pool=workers)))
    failing, whole = await list_machines(services)
    assert (failing["resources"], failing["failed_probes"]) == (["cpu"], {"opencl": died})
    assert (whole["resources"], whole["failed_probes"]) == (["cpu", "opencl"], {})


def test_a_gpu_is_kept_for_who_needs_it() -> None:
    mixed = pool(worker("a", "m1", "cpu", "gpu"), worker("b", "m2", "cpu"))
    assert mixed.take("first", "c", mixed.free).address == "b"
    assert [worker.address for worker in mixed.free] == ["a"]
    assert mixed.take("second", "cuda", mixed.free).address == "a"


def test_a_worker_that_falls_silent_just_then_is_still_taken() -> None:
    time = [0.0]
    one = WorkerPool(clock=lambda: time[0])
    one.update((worker("a", "m1", "cpu"),))
    free = one.free
    time[0] = 12.0
    assert one.free == []
    assert one.take("run", "c", free).address == "a"


def test_a_run_that_no_connected_machine_can_do_is_refused() -> None:
    with pytest.raises(ProblemError) as caught:
        pool(worker("a", "m1", "cpu", "opencl")).require("cuda")
    assert caught.value.status == 409
    assert caught.value.detail == (
        "A run for the target cuda needs a worker with the resource gpu, and the connected workers offer cpu, opencl. "
        "Runs for these targets can start: c, opencl, interpreter."
    )
    pool().require("cuda")  # None is connected yet: the run waits for one.


def test_what_a_run_finds_out_holds_for_its_machine() -> None:
    first, second = worker("a", "m1", "cpu"), worker("b", "m2", "cpu")
    both = pool(first, second)
    both.take("run", "c", both.free)
    measured: Any = {**MACHINE, "stream_triad_gbps": {"2": 13.8}}
    both.learn("run", measured)
    assert both.facts_of(first) == measured
    assert both.facts_of(second) == MACHINE


def test_a_name_is_told_where_an_operator_gave_one() -> None:
    assert replace(worker("tls://10.0.0.7:40001", "m1", "cpu"), name="lab-1").display_name == "lab-1"
    assert worker("tls://10.0.0.7:40001", "m1", "cpu").display_name is None
    assert replace(worker("tcp://127.0.0.1:40001", "m1", "cpu"), name=OWN).display_name is None


def test_a_worker_of_another_version_gets_no_runs() -> None:
    old = worker("a", "m1", "cpu", versions=("0.0.1", GENERATOR_VERSION))
    assert pool(old).obstacle(old) == (
        f"It runs Heddle 0.0.1 with generator {GENERATOR_VERSION}; this server is {VERSION} with {GENERATOR_VERSION}."
    )
    assert pool(old).free == []


def test_a_declaration_survives_the_wire() -> None:
    declaration = worker("a", "m1", "cpu", "opencl").declaration
    assert parse_declaration(declaration(None)) == declaration  # type: ignore[arg-type]


def test_a_worker_that_falls_silent_gets_no_runs_until_it_is_heard_again() -> None:
    time = [0.0]
    heard = WorkerPool(clock=lambda: time[0])
    silent = worker("a", "m1", "cpu")
    for time[0] in (0.0, 9.0):
        heard.update((silent,))
        assert heard.usable == [silent]
    time[0] = 12.0
    heard.update((silent,))
    assert heard.usable == []
    assert heard.obstacle(silent) == "It has been silent for 12 s."
    again = replace(silent, last_seen=1.0)
    heard.update((again,))
    assert heard.usable == [again]
