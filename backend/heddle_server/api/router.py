"""All of /api/v1."""

from __future__ import annotations

from starlette.routing import BaseRoute

from heddle_server.api import access, algorithms, catalogue, classrooms, compile, datasets, downloads, lessons, machine
from heddle_server.api.exchange import bridges, exports, imports, links, oembed
from heddle_server.api.pictures import account, composition, explanations, previews, storage, tiles, trace
from heddle_server.api.results import comparisons, events, experiments, runs, searches

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
