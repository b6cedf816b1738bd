"""POST /exports."""

from __future__ import annotations

from heddle_server.api.dependencies import FromServices, plan_of
from heddle_server.api.part import part_of_api
from heddle_server.exports.registry import EXPORTS
from heddle_server.schema.export import ExportRequest, ExportView
from heddle_server.schema.problem import problems

router = part_of_api("links")


@router.post("/exports", response_model=ExportView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def export_plan(body: ExportRequest, services: FromServices) -> ExportView:
    """The plan as a file to take elsewhere: kernel with a header, TACO command line, citation, or a Python script that
    measures it again beside what this machine measured."""
    export, plan = EXPORTS[body.kind], plan_of(body.plan)
    paths = await services.data.datasets.paths(plan) if export.measured else {}
    run = await services.running.runs.find_measured(plan) if export.measured else None
    text = await services.compiles.export(plan, body.kind, paths, run)
    return {"name": export.file_name, "media_type": export.media_type, "text": text}
