"""How much of what a run says on its way is written to the database."""

from __future__ import annotations

from typing import Any

from heddle_server.engine.cluster.run_task import MOST_PHASES, PROGRESS_SECONDS, Throttle


def test_phases_of_a_run_are_told_at_once_and_not_without_an_end() -> None:
    """One that named another with each word was written twenty thousand times."""
    now, told = 100.0, list[dict[str, Any]]()
    throttle = Throttle(told.append, lambda: now)
    for number in range(10 * MOST_PHASES):
        throttle({"event": "progress", "phase": str(number)})
    assert [event["phase"] for event in told] == [str(number) for number in range(MOST_PHASES)]
    now += PROGRESS_SECONDS
    throttle({"event": "progress", "phase": "later"})
    throttle({"event": "progress", "phase": "later still"})
    assert [event["phase"] for event in told[MOST_PHASES:]] == ["later"]
