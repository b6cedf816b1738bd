"""POST /compile, /legal, /assembly, /occupancy and /suggest, GET /suggest/machines."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from heddle.explorer.views.code.assembly import AssemblyView
from heddle.explorer.views.code.code_schema import TextView
from heddle.explorer.views.code.occupancy import OccupancyView
from heddle.explorer.views.commands_schema import LegalView
from heddle.explorer.views.compile_schema import CompileView
from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, PlanFromBody
from heddle_server.api.part import part_of_api
from heddle_server.schema.plan import PLAN_BODY
from heddle_server.schema.problem import problems
from heddle_server.schema.suggestion import MachineName, SuggestionMachineView, SuggestionView

router = part_of_api("compile")

CommandName = Annotated[str, Query(max_length=40, pattern=r"^\w+$")]
StageName = Annotated[str, Query(max_length=40, pattern=r"^[\w-]+$")]
FirstLine = Annotated[int, Query(ge=0, le=10_000_000)]
FirstCandidate = Annotated[int, Query(ge=0, le=100_000)]
"""The number of the first candidate that is listed."""


@router.post(
    "/compile",
    response_model=CompileView,
    responses=problems(400, 413, 415, 422, 429, 500, 503),
    openapi_extra=PLAN_BODY,
)
async def compile_plan(plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer) -> Response:
    """Stages, graphs, lattices, code and diagnostics of a plan.

    A plan whose expression, formats or schedule are wrong is answered with 200 and diagnostics; a document that is not
    a plan with 400.
    """
    return await answer(await services.compiles.compile(plan))


@router.post(
    "/compile/text",
    response_model=TextView,
    responses=problems(400, 404, 413, 415, 422, 429, 500, 503),
    openapi_extra=PLAN_BODY,
)
async def show_more_of_text(
    plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer, stage: StageName, line: FirstLine = 0
) -> Response:
    """The text of a stage of a compile from the 0-based ``line`` on, as much as an answer has room for: what
    ``left_out`` counts. That of the target has the name of its language."""
    return await answer(await services.compiles.text(plan, stage, line))


@router.post(
    "/legal", response_model=LegalView, responses=problems(400, 413, 415, 422, 429, 500, 503), openapi_extra=PLAN_BODY
)
async def legal_commands(
    plan: PlanFromBody,
    services: FromServices,
    answer: FromJsonAnswer,
    command: CommandName | None = None,
    start: FirstCandidate = 0,
) -> Response:
    """What schedule command may come next: for every command the arguments that fit the plan's loops, and for those
    that do not the reason and the closest command that does.

    A plan with a mistake is answered with diagnostics, and with what may come after the commands before the mistake.
    An answer has room for so many candidates; ``left_out`` counts the others of a command, which ``command`` and
    ``start`` ask for.
    """
    return await answer(await services.compiles.legal(plan, command, start))


@router.post(
    "/assembly",
    response_model=AssemblyView,
    responses=problems(400, 413, 415, 422, 429, 500, 503),
    openapi_extra=PLAN_BODY,
)
async def machine_code_of_kernel(plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer) -> Response:
    """The machine code of a CPU plan's kernel on the service's machine, each instruction with its line of C.

    Where no disassembler is installed, and for a plan with a mistake or for a GPU, the answer is 200 with diagnostics.
    """
    return await answer(await services.compiles.assembly(plan))


@router.post(
    "/occupancy",
    response_model=OccupancyView,
    responses=problems(400, 413, 415, 422, 429, 500, 503),
    openapi_extra=PLAN_BODY,
)
async def occupancy_of_kernels(plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer) -> Response:
    """Registers, shared memory and occupancy of a GPU plan's kernels, as NVIDIA's compiler makes them, without a GPU.

    Where that compiler is not installed, and for a plan with a mistake, the answer is 200 with diagnostics.
    """
    return await answer(await services.compiles.occupancy(plan))


@router.post(
    "/suggest",
    response_model=SuggestionView,
    responses=problems(400, 413, 415, 422, 429, 500, 503),
    openapi_extra=PLAN_BODY,
)
async def suggest_schedule(
    plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer, machine: MachineName = "server"
) -> Response:
    """A schedule by written rules, from the expression, the formats and the rows of the plan's inputs, with reasons.

    The plan's own schedule plays no part. ``machine`` is the one that will run the kernel. A plan with a mistake is
    answered with 200 and diagnostics.
    """
    paths = await services.data.datasets.paths(plan)
    return await answer(await services.compiles.suggest(plan, paths, machine))


@router.get("/suggest/machines", response_model=list[SuggestionMachineView])
async def list_suggestion_machines(services: FromServices) -> list[SuggestionMachineView]:
    """The machines that a schedule can be chosen for; the first is meant where a request names none."""
    return services.catalogue.suggestion_machines
