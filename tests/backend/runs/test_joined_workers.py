"""Workers that join from elsewhere: two on one machine, apart in their networks, over mutual TLS."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from heddle_server.engine.cluster.certificates import make_certificates
from tests.backend.datasets.test_datasets import MTX
from tests.backend.joined import Joined, Namespace
from tests.backend.serving import PATIENCE_SECONDS, Server, plan

pytestmark = pytest.mark.takes_turns(4)

JOINED = "Joined as tls://"


class Cluster:
    def __init__(self, folder: Path, stack: ExitStack, **settings: object) -> None:
        self.folder, self._stack = folder, stack
        self._certificates = folder / "certificates"
        make_certificates(self._certificates, ["scheduler", "server"])
        self.scheduler = self._started("scheduler", "scheduler", "--host", "0.0.0.0", "--port", "0")
        self.port = self.scheduler.wait_for(r"The scheduler is at tls://\S+:(\d+)")[1]
        self.server = Server(
            folder / "data",
            scheduler=f"tls://127.0.0.1:{self.port}",
            certificates=self._certificates / "server",
            **settings,
        ).start()
        stack.callback(self.server.kill)

    def start_worker(self, name: str, network: Namespace | None = None) -> Joined:
        make_certificates(self._certificates, [name])
        host = network.ours if network is not None else "127.0.0.1"
        address, copies = f"tls://{host}:{self.port}", str(self.folder / name)
        within = network.pid if network is not None else None
        own = [] if network is None else ["--host", network.theirs]
        joining = [address, "--name", name, "--data-directory", copies, *own]
        return self._started(name, "worker", *joining, within=within)

    def worker(self, name: str) -> Joined:
        worker = self.start_worker(name)
        worker.wait_for(JOINED)
        return worker

    def machines(self, count: int) -> dict[str, dict[str, Any]]:
        """What the server says of its workers, by name, once it knows of so many."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(found := self.server.client.get("/api/v1/machines").json()) != count:
            assert time.monotonic() < deadline, found
            time.sleep(0.05)
        return {machine["name"]: machine for machine in found}

    def restart_scheduler(self) -> None:
        self.scheduler.kill()
        self.scheduler = self._started("scheduler", "scheduler", "--host", "0.0.0.0", "--port", self.port)

    def _started(self, name: str, *arguments: str, within: int | None = None) -> Joined:
        process = Joined(self.folder, name, *arguments, "--certificates", str(self._certificates / name), within=within)
        self._stack.callback(process.kill)
        return process


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path_factory.mktemp("cluster"), stack)


@pytest.fixture
def networks() -> Iterator[list[Namespace]]:
    with ExitStack() as stack:
        made = []
        for number in (1, 2):
            try:
                made.append(Namespace(number))
            except (OSError, subprocess.CalledProcessError) as error:
                pytest.skip(f"network namespaces need root and iproute2: {error}")
            stack.callback(made[-1].close)
        yield made


def who_has_it(*workers: Joined) -> Joined:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        for worker in workers:
            if worker.has_run:
                return worker
        assert time.monotonic() < deadline, "no worker started the run"
        time.sleep(0.02)


def test_a_worker_is_killed_in_the_middle_and_the_other_one_does_its_run(
    cluster: Cluster, networks: list[Namespace]
) -> None:
    server = cluster.server
    uploaded = server.client.put("/api/v1/datasets", params={"name": "a.mtx"}, content=MTX).json()["id"]
    workers = [cluster.start_worker(f"worker-{number}", network) for number, network in enumerate(networks, 1)]
    for worker in workers:
        worker.wait_for(JOINED)
    machines = cluster.machines(len(workers))
    assert set(machines) == {"worker-1", "worker-2"}
    assert all("cpu" in machine["resources"] for machine in machines.values())
    # They share the processors, so one run at a time is timed on both together.
    assert machines["worker-1"]["machine"] == machines["worker-2"]["machine"]
    first = server.run(plan("slow", inputs={"A": {"upload": uploaded}}))
    second = server.run(plan("slow"))
    unlucky = who_has_it(*workers)
    assert server.view(second)["state"] == "queued"
    unlucky.kill()
    assert server.wait(first)["state"] == "done"
    assert server.wait(second)["state"] == "done"
    # The other one brought its own copy of the data.
    assert len(list(cluster.folder.glob("worker-*/copies/*.mtx"))) == 2
    (survivor,) = [worker for worker in workers if worker is not unlucky]
    assert server.view(first)["result"]["worker"] == f"worker-{workers.index(survivor) + 1}"
    assert survivor.stop() == 0
    assert cluster.machines(0) == {}


def test_a_run_whose_workers_all_die_is_lost_and_the_queue_goes_on(cluster: Cluster) -> None:
    server = cluster.server
    run_id, waiting = server.run(plan("hang")), server.run(plan())
    for name in ("worker-3", "worker-4"):
        worker = cluster.worker(name)
        who_has_it(worker).kill()
    view = server.wait(run_id, "lost")
    assert view["state"] == "lost"
    assert "was started 2 times and never finished: its worker is gone" in view["problem"]["detail"]
    cluster.worker("worker-5")
    assert server.wait(waiting)["state"] == "done"


def test_a_killed_scheduler_is_joined_again_and_its_run_starts_again(cluster: Cluster) -> None:
    server = cluster.server
    worker = cluster.worker("worker-6")
    run_id = server.run(plan("slow"))
    server.wait(run_id, "running")
    cluster.restart_scheduler()
    assert server.wait(run_id)["state"] == "done"
    assert worker.said.count(JOINED) == 2


ORDERS = [*permutations(("worker", "server", "scheduler"))]


@pytest.mark.combinations(6)
@pytest.mark.parametrize(("first", "second", "third"), ORDERS)
def test_a_server_ends_in_time_in_whatever_order_its_cluster_does(
    first: str, second: str, third: str, tmp_path: Path
) -> None:
    """After a run, which leaves connections between all three."""
    with ExitStack() as stack:
        own = Cluster(tmp_path, stack, stop_seconds=5)
        worker = own.worker("worker")
        assert own.server.wait(own.server.run(plan()))["state"] == "done"
        server = own.server.process
        assert server is not None
        processes = {"worker": worker.process, "server": server, "scheduler": own.scheduler.process}
        for name in (first, second, third):
            processes[name].send_signal(signal.SIGTERM)
        # 10 s are promised; a busy machine has twice that.
        assert server.wait(timeout=20) in (0, 1)
        assert "no worker can be reached" not in own.server.log
