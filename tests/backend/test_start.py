"""What a start of the service builds."""

from __future__ import annotations

from fastapi.routing import APIRoute

from backend.api.part import part_of_api
from backend.api.router import PARTS, routes


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
