"""All of /api/v1."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from backend.api import (
    access,
    algorithms,
    catalogue,
    comparisons,
    compile,
    composition,
    datasets,
    downloads,
    events,
    experiments,
    exports,
    imports,
    lessons,
    links,
    machine,
    previews,
    runs,
    searches,
    storage,
    tiles,
    trace,
)
from backend.http.asker import note_asker
from backend.schema.problem import problems

router = APIRouter(prefix="/api/v1", responses=problems(422), dependencies=[Depends(note_asker)])
for part in (
    compile,
    trace,
    storage,
    composition,
    tiles,
    algorithms,
    catalogue,
    datasets,
    downloads,
    previews,
    runs,
    searches,
    events,
    comparisons,
    experiments,
    links,
    exports,
    imports,
    lessons,
    machine,
    access,
):
    router.include_router(part.router)
