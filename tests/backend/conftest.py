"""One server for all tests of the API that leave it as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backend.serving import OPERATOR, Server
from tests.backend.warm_process import end_starter


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(
        tmp_path_factory.mktemp("service"),
        run_seconds=60,
        run_output_bytes=1 << 20,
        json_body_bytes=65_536,
        upload_bytes=2 << 20,
        quota_factor=0,  # test_guards.py has its own servers
        operator_token=OPERATOR,
    ).start()
    # As a page does, before its visitor brings anything: the answer has the cookie by which it is known again.
    running.client.post("/api/v1/compile", json={"version": 1, "expression": "y(i) = x(i)"})
    yield running
    running.stop()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def pytest_sessionfinish() -> None:
    end_starter()
