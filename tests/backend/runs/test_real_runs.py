"""The whole way with the child that really builds, verifies and times, on matrices that take no time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
from pydantic import TypeAdapter

from heddle_server.schema.run import RunView
from tests.backend.http.test_problems import problem
from tests.backend.serving import PATIENCE_SECONDS, Server

pytestmark = pytest.mark.takes_turns(4)

VIEW = TypeAdapter(RunView)
SPMV = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["split(i, i0, i1, 4)", "parallelize(i0, CPUThread, NoRaces)"],
    "inputs": {"A": {"dataset": "karate"}},
    "run": {"baselines": ["scipy"], "threads": 1},
}
MTX = b"%%MatrixMarket matrix coordinate real general\n3 4 2\n1 1 1.5\n3 4 2.5\n"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(
        tmp_path_factory.mktemp("real"), run_child_module="heddle_server.worker.child", waiting_child=True
    ).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def measured(real: Server) -> dict[str, Any]:
    return real.wait(real.run(SPMV))


def test_a_built_in_matrix_is_verified_and_timed(measured: dict[str, Any]) -> None:
    view = VIEW.validate_python(measured)
    assert view["state"] == "done", view["problem"]
    result = view["result"]
    assert result is not None
    assert result["verification"]["ok"]
    entries = {entry["id"]: entry for entry in result["entries"]}
    assert entries["heddle"]["available"]
    assert entries["scipy"]["available"]
    assert len(entries["heddle"]["samples_ns"]) >= 30
    assert result["inputs"][0]["shape"] == [34, 34]


def test_its_figures_are_plotly_documents(real: Server, measured: dict[str, Any]) -> None:
    assert "speedup" in measured["figures"]
    for name in measured["figures"]:
        answer = real.client.get(f"/api/v1/runs/{measured['id']}/figures/{name}")
        assert answer.status_code == 200
        assert answer.json()["data"]
        assert answer.json()["layout"]
    detail = problem(real.client.get(f"/api/v1/runs/{measured['id']}/figures/nope"), 404, "No such figure")
    assert detail == f"There is no figure 'nope'. This run has {', '.join(measured['figures'])}."


def test_an_upload_is_run(real: Server) -> None:
    identity = real.client.put("/api/v1/datasets", params={"name": "my.mtx"}, content=MTX).json()["id"]
    view = real.wait(real.run({**SPMV, "inputs": {"A": {"upload": identity}}}))
    assert view["state"] == "done", view["problem"]
    assert view["result"]["inputs"][0]["shape"] == [3, 4]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"inputs": {"A": {"dataset": "karate"}, "x": {"generator": "uniform", "shape": [35]}}}, "35"),
        ({"inputs": {"A": {"generator": "nonsense", "shape": [4, 4]}}}, "nonsense"),
        (
            {"inputs": {"A": {"generator": "uniform", "shape": [2**31 - 1, 2**31 - 1]}}},
            "A would have 4,611,686,014,132,420,609 values",
        ),
        ({"inputs": {"A": {"dataset": "med"}}}, "A(i,j) has 2 dimensions, but the operand has 3"),
    ],
    ids=["shape", "generator", "size", "order"],
)
def test_data_that_does_not_fit_is_refused_with_a_reason(real: Server, change: dict[str, Any], text: str) -> None:
    view = real.wait(real.run({**SPMV, **change}))
    assert view["state"] == "refused", view["problem"]
    assert text in view["problem"]["detail"]
    assert view["problem"]["diagnostics"]


def test_the_process_that_waits_for_a_run_ends_with_it(real: Server, measured: dict[str, Any]) -> None:
    (process,) = waiting(real)
    view = real.wait(real.run({**SPMV, "inputs": {"A": {"generator": "uniform", "nnz": 10}}}))
    assert (view["state"], measured["state"]) == ("refused", "done")
    assert not process.is_running()
    (another,) = waiting(real)
    assert another.pid != process.pid


def waiting(server: Server) -> list[psutil.Process]:
    """Once there is one."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := server.sandboxes()):
        assert time.monotonic() < deadline, server.log
        time.sleep(0.05)
    return found
