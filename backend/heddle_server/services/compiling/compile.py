"""Compiles: once per plan, off the event loop, remembered."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.cost_report.shares import Tiles
from heddle.explorer.views.trace.what_if import Text
from heddle.plan import Plan, plan_hash, to_document
from heddle_server.engine.process_lanes import ProcessDied, ProcessKilled, ProcessLanes, Starved, TookTooLong
from heddle_server.engine.turns import Displaced, Turns
from heddle_server.http.asker import Asker, asker
from heddle_server.http.packed_answers import Answer, AnswerCache, time_answer
from heddle_server.problem import ProblemError, busy, too_many
from heddle_server.schema.run import RunView
from heddle_server.schema.suggestion import MachineName
from heddle_server.schema.tuned import LookupView
from heddle_server.services.allowance import Allowance
from heddle_server.services.compiling import compile_worker
from heddle_server.services.compiling.account_worker import account_document
from heddle_server.services.compiling.bridge_worker import bridge_document
from heddle_server.services.compiling.compile_cost import SMALL_CASES, predicted_cases
from heddle_server.services.compiling.explanation_worker import explanation_document
from heddle_server.services.compiling.suggestion_worker import suggestion_document
from heddle_server.services.runs.tuned import lookup_document
from heddle_server.settings import Settings

logger = logging.getLogger("heddle.compile")

FEWER = "Use fewer or smaller schedule commands, or a shorter expression."
WORKS = {
    "compile": ("Compiling this plan", FEWER),
    "import": ("Reading this text", "A shorter text will do: an expression, its formats and its schedule."),
    "trace": ("Tracing this plan", FEWER),
    "account": ("Counting what this plan does", FEWER),
    "storage picture": ("Packing this tensor", "Show the format on the running example, or on a smaller input."),
    "suggestion": ("Choosing a schedule for this plan", "Use smaller inputs, or write the schedule yourself."),
    "prediction": ("Looking at this tensor", "Run the decomposition as it is, or use fewer entries."),
    "preview": ("Reading this data", "Use smaller data."),
    "lesson": ("Trying this lesson's solutions", "Use smaller data, or fewer tasks: a lesson each."),
    "lesson check": ("Checking this plan", "Use a plan that does less on the data of the task."),
    "cut": ("Cutting this tensor", "Cut the running example, or a smaller input."),
}
"""What messages say of each kind of work, and what to do when it takes too long."""
SECONDS_AT_ONCE, SECONDS_PER_SECOND = 60.0, 0.5
"""Of work in the compile processes, for one visitor. Someone who edits all the time takes a tenth of that."""
SHORT = 1024
"""Characters of an expression."""
SMALL_SECONDS = 0.5
"""Of a processor. Work that looked small and took longer was mistaken for it."""
MISTAKEN_AT_ONCE, MISTAKEN_PER_SECOND, MISTAKEN_OF_ADDRESS = 1.0, 0.02, 5
"""Seconds of such work, of one visitor and of all at an address; of who sends more, all counts as large."""


class CompileService:
    """Single-flight and cached by the plan's canonical hash; the answers are the JSON of views."""

    def __init__(self, settings: Settings) -> None:
        self._seconds = settings.compile_seconds
        self._turns = Turns(settings.compile_processes, settings.compile_queue_limit)
        self._allowance = Allowance(SECONDS_AT_ONCE, SECONDS_PER_SECOND, settings.quota_factor)
        self._mistaken = Allowance(MISTAKEN_AT_ONCE, MISTAKEN_PER_SECOND, of_address=MISTAKEN_OF_ADDRESS)
        self._lanes = ProcessLanes(
            settings.compile_processes, settings.compile_memory_bytes, compile_worker.warm_up, settings.timing_lock
        )
        self._cache = AnswerCache(settings.compile_cache_bytes)
        self._flights: dict[str, asyncio.Task[Answer]] = {}

    async def start(self) -> None:
        await self._lanes.start()

    async def stop(self) -> None:
        for flight in self._flights.values():
            flight.cancel()
        await asyncio.gather(*self._flights.values(), return_exceptions=True)
        self._lanes.stop()

    async def compile(self, plan: Plan) -> Answer:
        """The JSON of a CompileView; whether it is ``ok``, and its diagnostics, are the head. Raises ProblemError when
        the compile takes too long, dies, fails for a defect, or too many wait."""
        identity = plan_hash(plan)
        document = to_document(plan)
        return await self.once(identity, identity, "compile", plan, compile_worker.compile_answer, document)

    async def trace(self, plan: Plan, operands: dict[str, Any]) -> Answer:
        """The JSON of a TraceView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        digest = hashlib.sha256(json.dumps(operands, sort_keys=True).encode()).hexdigest()
        identity = plan_hash(plan)
        key, document = f"trace-{identity}-{digest}", to_document(plan)
        return await self.once(key, identity, "trace", plan, compile_worker.trace_document, document, operands)

    async def legal(self, plan: Plan, command: str | None, start: int) -> Answer:
        """The JSON of a LegalView, or of the candidates of one ``command`` from number ``start`` on, under the limits
        of a compile. Raises ProblemError as ``compile`` does."""
        identity = plan_hash(plan)
        key, document = f"legal-{command}-{start}-{identity}", to_document(plan)
        return await self.once(key, identity, "compile", plan, compile_worker.legal_document, document, command, start)

    async def text(self, plan: Plan, stage: str, first: int) -> Answer:
        """The JSON of a TextView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        identity = plan_hash(plan)
        key, document = f"text-{stage}-{first}-{identity}", to_document(plan)
        return await self.once(key, identity, "compile", plan, compile_worker.text_document, document, stage, first)

    async def bridge(self, plan: Plan) -> Answer:
        """The JSON of a BridgeView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        identity = plan_hash(plan)
        key, document = f"bridge-{identity}", to_document(plan)
        return await self.once(key, identity, "compile", plan, bridge_document, document)

    async def assembly(self, plan: Plan) -> Answer:
        """The JSON of an AssemblyView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        identity = plan_hash(plan)
        key, document = f"assembly-{identity}", to_document(plan)
        return await self.once(key, identity, "compile", False, compile_worker.assembly_document, document)

    async def occupancy(self, plan: Plan) -> Answer:
        """The JSON of an OccupancyView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        identity = plan_hash(plan)
        key, document = f"occupancy-{identity}", to_document(plan)
        return await self.once(key, identity, "compile", False, compile_worker.occupancy_document, document)

    async def fusion(self, plan: Plan) -> Answer:
        """The JSON of a FusionView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        identity = plan_hash(plan)
        key, document = f"fusion-{identity}", to_document(plan)
        return await self.once(key, identity, "trace", plan, compile_worker.fusion_document, document)

    async def account(self, plan: Plan) -> Answer:
        """The JSON of an AccountView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        identity = plan_hash(plan)
        key, document = f"account-{identity}", to_document(plan)
        return await self.once(key, identity, "account", False, account_document, document)

    async def explain(
        self, plan: Plan, before: Plan | None, operands: dict[str, Any] | None, paths: dict[str, str], tiles: Tiles
    ) -> Answer:
        """The JSON of an ExplanationView; ``paths`` are the files of the plan's data, which are counted on where there
        are no ``operands``. Raises ProblemError as ``compile`` does."""
        document, earlier = to_document(plan), None if before is None else to_document(before)
        request = json.dumps([earlier, operands, sorted(paths), tiles], sort_keys=True)
        identity = plan_hash(plan)
        key = f"explanation-{identity}-{hashlib.sha256(request.encode()).hexdigest()}"
        work = (explanation_document, document, earlier, operands, paths, tiles)
        return await self.once(key, identity, "account", False, *work)

    async def suggest(self, plan: Plan, paths: dict[str, str], machine: MachineName) -> Answer:
        """The JSON of a SuggestionView for a ``machine``; ``paths`` are the files of the plan's data. Raises
        ProblemError as ``compile`` does."""
        unscheduled = replace(plan, schedule=())
        identity = plan_hash(unscheduled)
        key, document = f"suggest-{machine}-{identity}", to_document(unscheduled)
        return await self.once(key, identity, "suggestion", False, suggestion_document, document, paths, machine)

    async def look_up_tuned(self, plan: Plan, paths: dict[str, str]) -> LookupView:
        """What searches found for the plan. Not remembered: the next search may find more. Raises CompileError, and
        ProblemError as ``compile`` does."""
        identity = plan_hash(replace(plan, schedule=()))
        key = f"tuned-{identity}-{secrets.token_hex(8)}"
        response = await self.once(key, identity, "suggestion", False, lookup_document, to_document(plan), paths)
        answer: LookupView = json.loads(response.plain())
        return answer

    async def what_if(self, plan: Plan, line: int, text: Text, operands: dict[str, Any]) -> Answer:
        """The JSON of a WhatIfView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        digest = hashlib.sha256(json.dumps([line, text, operands], sort_keys=True).encode()).hexdigest()
        identity = plan_hash(plan)
        key, document = f"what-if-{identity}-{digest}", to_document(plan)
        return await self.once(
            key, identity, "trace", plan, compile_worker.what_if_document, document, line, text, operands
        )

    async def export(self, plan: Plan, kind: str, paths: dict[str, str], run: RunView | None) -> str:
        """The plan in another form, with what ``run`` measured of it on the data of ``paths``. Raises CompileError for
        a plan that does not compile, else as ``compile`` does."""
        identity = plan_hash(plan)
        key, document = f"export-{kind}-{identity}-{'' if run is None else run['id']}", to_document(plan)
        result = None if run is None else run["result"]
        work = (compile_worker.export_document, document, kind, paths, result)
        text = await self.once(key, identity, "compile", plan, *work)
        return text.plain().decode()

    async def read_text(self, text: str, plan: Plan) -> Answer:
        """The JSON of an ImportView, under the limits of a compile. Raises ProblemError as ``compile`` does."""
        identity = plan_hash(plan)
        key = f"import-{identity}-{hashlib.sha256(text.encode()).hexdigest()}"
        document = to_document(plan)
        return await self.once(key, identity, "import", True, compile_worker.import_document, text, document)

    async def once(
        self,
        key: str,
        identity: str,
        work: str,
        small: Plan | bool,
        function: Callable[..., bytes | Answer],
        *arguments: object,
    ) -> Answer:
        """What ``function`` answers in a compile process, remembered by ``key``. Messages call it ``work``, and name
        the plan or request by its hash ``identity``; ``small`` work goes first, and work on a plan that looks so.
        Raises ProblemError as ``compile`` does."""
        cached = self._cache.get(key)
        if cached is not None:
            return cached
        flight = self._flights.get(key)
        if flight is None:
            who = asker()
            self._require_time(who)
            flight = asyncio.create_task(
                self._run(who, small, key, identity, work, function, *arguments), name=f"{work}-{identity[:12]}"
            )
            self._flights[key] = flight
            flight.add_done_callback(lambda ended: self._land(key, ended))
        # The flight goes on when this caller goes away: others may wait for it, and its result is remembered.
        return await asyncio.shield(flight)

    def _require_time(self, who: Asker) -> None:
        seconds = self._allowance.wait(who)
        if seconds > 0:
            detail = (
                "What you asked for lately has taken this server's processors as long as it may. Smaller plans take "
                f"less. Try again in {ceil(seconds)} s."
            )
            raise too_many("too-much-compiling", "Too much compiling", detail, seconds)

    def _land(self, key: str, flight: asyncio.Task[Answer]) -> None:
        del self._flights[key]
        if not flight.cancelled():
            flight.exception()  # Seen: nobody may be left who waits for it.

    async def _run(
        self,
        who: Asker,
        plan: Plan | bool,
        key: str,
        identity: str,
        work: str,
        function: Callable[..., bytes | Answer],
        *arguments: object,
    ) -> Answer:
        doing, advice = WORKS[work]
        small, seconds = await looks_small(plan) and not self._mistaken.wait(who), 0.0
        try:
            name, used = who.visitor or who.address, partial(self._allowance.used, who)
            async with self._turns.turn(name, small, used, who.address):
                began = time.monotonic()
                try:
                    view, seconds = await self._lanes.call(self._seconds, time_answer, function, *arguments)
                except Starved:
                    raise
                except TookTooLong:
                    seconds = self._seconds
                    raise
                finally:
                    self._allowance.use(who, time.monotonic() - began)
                    if small and seconds > SMALL_SECONDS:
                        self._mistaken.use(who, seconds)
        except Displaced:
            detail = "More compiles are waiting for a processor than this server lets wait. Try again in a moment."
            raise too_many("too-many-compiles", "Too many compiles are waiting", detail, 2) from None
        except Starved:
            detail = (
                f"{doing} waited for a processor, which other programs of this server keep busy. Try again in a moment."
            )
            raise too_many("server-busy", "The server is busy", detail, 2) from None
        except TookTooLong:
            raise ProblemError(
                422,
                f"{work.replace(' ', '-')}-timeout",
                f"The {work} took too long",
                f"{doing} did not end within {self._seconds:g} s and was stopped. {advice}",
            ) from None
        except ProcessKilled:
            raise busy(f"The {work} was not done", "The process that did it was ended from outside, twice.") from None
        except ProcessDied:
            raise defect(identity, "The process that compiled this plan crashed.") from None
        except MemoryError:
            raise ProblemError(
                422,
                f"{work.replace(' ', '-')}-memory",
                f"The {work} took too much memory",
                f"{doing} needs more than the memory that it may have here, and was stopped. {advice}",
            ) from None
        except (CompileError, ProblemError):
            raise
        except Exception as error:
            logger.exception("the %s of plan %s failed", work, identity)
            raise defect(identity, f"{doing} failed inside Heddle: {type(error).__name__}: {error}") from error
        self._cache.put(key, view)
        return view


async def looks_small(plan: Plan | bool) -> bool:
    """A short text is read within a millisecond; a long one in a thread, so that others need not wait for it."""
    if isinstance(plan, bool):
        return plan
    return is_small(plan) if len(plan.expression) <= SHORT else await asyncio.to_thread(is_small, plan)


def is_small(plan: Plan) -> bool:
    """Whether work on the plan will not make others wait."""
    return predicted_cases(plan) <= SMALL_CASES


def defect(key: str, what: str) -> ProblemError:
    detail = f"{what} This is a defect in Heddle; please report it with plan {key}."
    return ProblemError(500, "internal-error", "Internal error", detail)
