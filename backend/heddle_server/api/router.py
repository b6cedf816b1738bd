"""All of /api/v1."""

from __future__ import annotations

from starlette.routing import BaseRoute

from heddle_server.api import (
    access,
    account,
    algorithms,
    bridges,
    catalogue,
    classrooms,
    comparisons,
    compile,
    composition,
    datasets,
    downloads,
    events,
    experiments,
    explanations,
    exports,
    imports,
    lessons,
    links,
    machine,
    oembed,
    previews,
    runs,
    searches,
    storage,
    tiles,
    trace,
)

PARTS = (
    compile,
    trace,
    storage,
    composition,
    account,
    tiles,
    algorithms,
    bridges,
    catalogue,
    datasets,
    downloads,
    previews,
    runs,
    searches,
    events,
    comparisons,
    experiments,
    explanations,
    links,
    oembed,
    exports,
    imports,
    lessons,
    classrooms,
    machine,
    access,
)


def routes() -> list[BaseRoute]:
    return [route for part in PARTS for route in part.router.routes]
