"""Queries on the runs table, the queue and the truth of all runs."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from heddle_server.schema.run import ACTIVE_STATES, FINAL_STATES, RunState
from heddle_server.store.database import iso, now
from heddle_server.store.queue import queue_position
from heddle_server.store.tables import Run, RunEvent

RESULT, PROGRESS = "result", "progress"
MOST_PROGRESS = 40
"""Events of the progress of a run that are kept: the latest."""


async def find(session: AsyncSession, run_id: str) -> Run | None:
    return (await session.execute(select(Run).where(Run.id == run_id))).scalar_one_or_none()


async def find_state(session: AsyncSession, run_id: str) -> Run | None:
    """The run without its plan and its result, which are long: a hundred streams ask at once."""
    query = select(Run).where(Run.id == run_id).options(defer(Run.plan), defer(Run.result))
    return (await session.execute(query)).scalar_one_or_none()


async def latest_done(session: AsyncSession, plan_hash: str) -> Run | None:
    timed = select(Run).where(Run.plan_hash == plan_hash, Run.state == "done", Run.search.is_(None))
    query = timed.order_by(Run.finished.desc()).limit(1)
    return (await session.execute(query)).scalar_one_or_none()


async def find_interrupted(session: AsyncSession) -> list[Run]:
    """Runs that were under way when the last server ended."""
    query = select(Run).where(Run.state.in_(ACTIVE_STATES)).options(defer(Run.result))
    return list((await session.execute(query)).scalars())


async def append(session: AsyncSession, run_id: str, *events: tuple[str, dict[str, Any]]) -> None:
    """(name, data) of what happened to a run, in this order."""
    last = select(func.coalesce(func.max(RunEvent.sequence), 0)).where(RunEvent.run_id == run_id)
    first = (await session.execute(last)).scalar_one() + 1
    session.add_all(
        RunEvent(run_id=run_id, sequence=sequence, event=event, data=data)
        for sequence, (event, data) in enumerate(events, first)
    )
    await session.flush()


async def events_after(session: AsyncSession, run_id: str, sequence: int) -> list[RunEvent]:
    """Those that follow, as they are told; the one with the result says what the run has."""
    query = select(RunEvent).where(RunEvent.run_id == run_id, RunEvent.sequence > sequence).order_by(RunEvent.sequence)
    events = list((await session.execute(query)).scalars())
    return [await _with_result(session, event) if event.event == RESULT else event for event in events]


async def _with_result(session: AsyncSession, event: RunEvent) -> RunEvent:
    """Its data, which events of earlier versions have themselves."""
    if event.data:
        return event
    result = (await session.execute(select(Run.result).where(Run.id == event.run_id))).scalar_one_or_none()
    return RunEvent(run_id=event.run_id, sequence=event.sequence, event=RESULT, data=result or {})


async def move(session: AsyncSession, run: Run, state: RunState) -> None:
    """Put a run that has not ended into another state that is not an end, and tell its listeners."""
    assert run.state not in FINAL_STATES
    assert state not in FINAL_STATES
    run.state = state
    if state == "leased":
        run.attempts += 1
    if state == "running" and run.started is None:
        run.started = now()
    if state == "queued":
        run.started = run.progress = None
    await session.flush()
    await append(session, run.id, ("state", state_data(run, await queue_position(session, run))))


async def finish(
    session: AsyncSession,
    run: Run,
    state: RunState,
    *,
    result: dict[str, Any] | None = None,
    problem: dict[str, Any] | None = None,
    measured_by: str | None = None,
) -> None:
    """End a run, once: state, result and end events. The progress it made is not kept."""
    assert run.state not in FINAL_STATES
    assert state in FINAL_STATES
    run.state, run.result, run.problem, run.progress = state, result, problem, None
    run.finished, run.measured_by = now(), measured_by
    if result is not None and run.started is None:
        run.started = run.finished
    told: list[tuple[str, dict[str, Any]]] = [("state", state_data(run, None))]
    if result is not None:
        told.append((RESULT, {}))  # which the run itself has
    await append(session, run.id, *told, ("end", {"state": state, "problem": problem}))


def state_data(run: Run, position: int | None) -> dict[str, Any]:
    """The data of a ``state`` event; ``position`` is that of a run in the queue."""
    return {
        "state": run.state,
        "queue_position": position,
        "started": iso(run.started) if run.started else None,
        "finished": iso(run.finished) if run.finished else None,
        "problem": run.problem,
    }


async def set_progress(session: AsyncSession, run_id: str, progress: dict[str, Any]) -> bool:
    """False when the run is no longer under way."""
    statement = update(Run).where(Run.id == run_id, Run.state.in_(ACTIVE_STATES)).values(progress=progress)
    changed = (await session.execute(statement.returning(Run.number))).first()
    if changed is not None:
        await append(session, run_id, (PROGRESS, progress))
        progress_events = select(RunEvent.sequence).where(RunEvent.run_id == run_id, RunEvent.event == PROGRESS)
        latest = progress_events.order_by(RunEvent.sequence.desc()).limit(MOST_PROGRESS).offset(MOST_PROGRESS - 1)
        first = (await session.execute(latest)).scalars().first()
        if first is not None:
            old = (RunEvent.run_id == run_id, RunEvent.event == PROGRESS, RunEvent.sequence < first)
            await session.execute(delete(RunEvent).where(*old))
    return changed is not None
