"""Searches for schedules as a person sees them: ask for one, look at it, and at what all of them found."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from heddle.diagnostics import CompileError
from heddle.plan import Plan
from heddle.targets import Feature, target_named
from heddle.tuning.session.log import Budget, resumable
from heddle.tuning.session.log import Settings as SearchSettings
from heddle.tuning.session.same import options_of, require_same
from heddle.tuning.strategies.genetic import Parameters
from heddle_server.http.visitor import Visitor
from heddle_server.problem import ProblemError, missing_error
from heddle_server.schema.run import FINAL_STATES
from heddle_server.schema.search import SearchRequest, SearchView
from heddle_server.schema.tuned import KeptOutView, KnownView, LookupView
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.runs import tuned
from heddle_server.services.runs.runs import RunService
from heddle_server.settings import Settings
from heddle_server.store import runs as store
from heddle_server.store import searches
from heddle_server.store.database import Database

HINT = "Searches are made with POST /api/v1/searches."


class SearchService:
    def __init__(self, settings: Settings, database: Database, runs: RunService, compiles: CompileService) -> None:
        self._settings = settings
        self._database = database
        self._runs = runs
        self._compiles = compiles

    async def submit(self, plan: Plan, request: SearchRequest, visitor: Visitor) -> SearchView:
        """Queue a search. Raises ProblemError for a budget over the server's, a target without genes, a search to go on
        with that is unknown, goes on already or is of another plan or other settings, and as
        :meth:`RunService.submit`."""
        most = self._settings.search_seconds
        if request.seconds > most:
            detail = f"A search here may take {most:g} s, and {request.seconds:g} s were asked for. Ask for less."
            raise ProblemError(422, "tune-budget", "The budget is over the limit", detail)
        if Feature.MACHINE_CLASSES not in target_named(plan.target).features:
            detail = f"A search changes loops for the threads and vectors of a CPU, not for {plan.target}."
            raise ProblemError(422, "tune-target", "This target cannot be tuned", f"{detail} Set the target to c.")
        log = [] if request.resume is None else await self._read_unfinished(request.resume)
        if log:
            require_of_log(log[0], plan, request)
        settings = asdict(settings_of(request)) if not log else _header_settings(log[0])
        run = await self._runs.submit_search(plan, settings, log, visitor)
        return {"run": run, "settings": settings, "log": log}

    async def get(self, id: str) -> SearchView:
        """Raises ProblemError 404 for what is no search."""
        view = await self._runs.get(id)
        async with self._database.read() as session:
            run = await store.find(session, id)
            if run is None or run.search is None:
                raise missing_error("search", id, HINT)
            return {"run": view, "settings": run.search, "log": await searches.log_of(session, id)}

    async def known(self) -> list[KnownView]:
        return await asyncio.to_thread(tuned.list_known)

    async def lookup(self, plan: Plan, paths: dict[str, str]) -> LookupView:
        """Raises CompileError for a plan that is wrong."""
        return await self._compiles.look_up_tuned(plan, paths)

    async def import_file(self, document: Any) -> list[KeptOutView]:
        """Raises CompileError for what is not such a file."""
        return await asyncio.to_thread(tuned.import_known, document)

    async def _read_unfinished(self, id: str) -> list[dict[str, Any]]:
        before = await self.get(id)
        if before["run"]["state"] not in FINAL_STATES or any(line["event"] == "final" for line in before["log"]):
            detail = "Only a search that was cancelled or failed can go on. This one is under way, or has its result."
            raise ProblemError(409, "search-not-ended", "This search cannot go on", detail)
        return resumable(before["log"])


def settings_of(request: SearchRequest) -> SearchSettings:
    parameters = Parameters(population=request.population, elites=max(1, request.population // 10))
    budget = Budget(request.evaluations, request.generations, request.seconds)
    return SearchSettings(request.strategy, request.seed, parameters, budget)


def require_of_log(header: dict[str, Any], plan: Plan, request: SearchRequest) -> None:
    """Raises ProblemError where the plan or a setting that was given is not that of the log."""
    options = {name: getattr(request, name) for name in options_of(header) if name in request.model_fields_set}
    try:
        require_same(header, plan, options)
    except CompileError as error:
        (diagnostic,) = error.diagnostics
        detail = f"{diagnostic.message} {diagnostic.hint}"
        title = "This search cannot go on with that"
        raise ProblemError(422, _in_address(diagnostic.code), title, detail) from error


def _in_address(code: str) -> str:
    """The code of a diagnostic as the end of a problem's address, where slashes would part it."""
    return code.replace("/", "-")


def _header_settings(header: dict[str, Any]) -> dict[str, Any]:
    return {name: header[name] for name in ("strategy", "seed", "parameters", "budget")}
