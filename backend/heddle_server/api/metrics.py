"""GET /metrics, for Prometheus."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

import psutil
from fastapi import APIRouter, Request, Response
from sqlalchemy import func, select

from heddle_server.api.dependencies import FromServices
from heddle_server.http.metrics import family, sample
from heddle_server.store.tables import Run

router = APIRouter(tags=["health"])

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request, services: FromServices) -> Response:
    """Requests by route, runs by state, and the room that is left."""
    running = services.running
    async with services.store.database.read() as session:
        rows = (await session.execute(select(Run.state, func.count()).group_by(Run.state))).all()
    gauges: Iterable[tuple[str, str, list[str]]] = (
        ("heddle_runs", "Runs by state.", [sample("heddle_runs", count, {"state": state}) for state, count in rows]),
        gauge("heddle_worker_slots", "Runs that can be timed at once.", running.dispatcher.pool.slots),
        gauge("heddle_expected_run_seconds", "What a run takes at present.", running.dispatcher.expected.typical),
        gauge("heddle_ignored_events", "What runs told that none of ours tells.", running.dispatcher.ignored_events),
        gauge("heddle_event_streams", "Open event streams.", running.notices.streams),
        gauge("heddle_free_disk_bytes", "Room for data.", shutil.disk_usage(services.settings.data_directory).free),
        gauge("heddle_resident_bytes", "Memory of the server's process.", psutil.Process().memory_info().rss),
    )
    lines = [*request.app.state.metrics.lines()]
    for name, help_text, samples in gauges:
        lines += [*family(name, "gauge", help_text), *samples]
    return Response("\n".join(lines) + "\n", media_type=MEDIA_TYPE)


def gauge(name: str, help_text: str, value: float) -> tuple[str, str, list[str]]:
    return name, help_text, [sample(name, value)]
