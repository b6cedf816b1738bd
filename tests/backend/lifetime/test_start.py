"""What a start of the service builds."""

from __future__ import annotations

import subprocess
import sys

from fastapi.routing import APIRoute

from heddle_server.api.part import part_of_api
from heddle_server.api.router import PARTS, routes
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


def test_routes_are_complete_before_the_application_takes_them() -> None:
    """Included in another router, each would build its models a second time."""
    found = routes()
    assert all(isinstance(route, APIRoute) for route in found)
    assert all(route.path.startswith("/api/v1/") for route in found if isinstance(route, APIRoute))
    assert len(found) == sum(len(part.router.routes) for part in PARTS)


def test_a_part_promises_the_refusal_of_what_is_no_document() -> None:
    made = part_of_api("runs")
    assert made.tags == ["runs"]
    assert 422 in made.responses
    assert len(made.dependencies) == 1


def test_what_was_imported_is_not_looked_through_for_garbage() -> None:
    """In a process of its own: what is frozen stays so."""
    subprocess.run([sys.executable, "-c", COLLECTING], cwd=ROOT, check=True)
