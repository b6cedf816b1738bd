"""What a start of the service builds."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.exceptions import ResponseValidationError
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from heddle_server.api.part import part_of_api
from heddle_server.api.router import PARTS, routes
from heddle_server.services.catalogue import Catalogue, read_examples
from heddle_server.services.services import running_services
from heddle_server.settings import Settings
from tests.backend.serving import ROOT

COLLECTING = """
import gc
from heddle_server.garbage import nothing_collected
try:
    with nothing_collected():
        assert not gc.isenabled()
        raise ImportError
except ImportError:
    assert gc.isenabled()
kept = [[] for _ in range(9)]
with nothing_collected():
    pass
assert gc.isenabled()
assert gc.get_freeze_count() >= 9, gc.get_freeze_count()
assert not any(each is one for each in kept for one in gc.get_objects())
"""

HEAVY = {"alembic", "dask", "distributed", "tornado", "scipy.sparse", "pyopencl", "matplotlib", "numba", "pandas"}
STARTING = """
import sys
from heddle_server.main import create_app
from heddle_server.server import serve
app = create_app()
print(sum("_whole" in vars(route) for route in app.routes), *(HEAVY & sys.modules.keys()))
app.openapi()
print(sum("_whole" in vars(route) for route in app.routes))
"""


def test_routes_are_complete_before_the_application_takes_them() -> None:
    """Included in another router, each would build its models a second time."""
    found = routes()
    assert all(isinstance(route, APIRoute) for route in found)
    assert all(route.path.startswith("/api/v1/") for route in found if isinstance(route, APIRoute))
    assert len(found) == sum(len(part.router.routes) for part in PARTS)


def test_a_start_builds_nothing_that_checks_answers() -> None:
    """In a process of its own: the first request to each route builds it, or the description of all of them. Nor is
    anything imported that takes long and that no answer needs."""
    late = sum(isinstance(route, APIRoute) and route.response_model is not None for route in routes())
    script = STARTING.replace("HEAVY", repr(HEAVY))
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    assert run.stdout.splitlines() == ["0", str(late)]
    assert late > 70


def test_answers_are_checked_by_the_first_request_as_by_all() -> None:
    router = part_of_api("runs")

    @router.get("/numbers", response_model=list[int])
    async def numbers(wrong: bool) -> list[str]:
        return ["no number"] if wrong else ["1"]

    app = FastAPI()
    app.router.routes.extend(router.routes)
    client = TestClient(app)
    with pytest.raises(ResponseValidationError):
        client.get("/api/v1/numbers?wrong=1")
    for _ in range(2):
        assert client.get("/api/v1/numbers?wrong=0").json() == [1]
    assert client.get("/api/v1/numbers").status_code == 422
    assert "422" in app.openapi()["paths"]["/api/v1/numbers"]["get"]["responses"]


def test_examples_are_read_beside_the_start_of_what_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Catalogue()
    assert "examples" not in vars(catalogue)
    assert catalogue.examples is catalogue.examples
    (tmp_path / "01-spmv.json").write_text("{}")
    monkeypatch.setattr("heddle_server.services.catalogue.read_examples", lambda: read_examples(tmp_path))
    settings = Settings(data_directory=tmp_path / "data", timing_lock=tmp_path / "lock", compile_processes=1)

    async def start() -> None:
        async with running_services(settings):
            raise AssertionError("a server with an example that is not valid has started")

    with pytest.raises(ValueError, match=r"The example 01-spmv\.json is not valid: "):
        asyncio.run(start())


def test_a_part_promises_the_refusal_of_what_is_no_document() -> None:
    made = part_of_api("runs")
    assert made.tags == ["runs"]
    assert 422 in made.responses
    assert len(made.dependencies) == 1


def test_what_was_imported_is_not_looked_through_for_garbage() -> None:
    """In a process of its own: what is frozen stays so."""
    subprocess.run([sys.executable, "-c", COLLECTING], cwd=ROOT, check=True)
