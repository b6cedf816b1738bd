"""Two runs beside each other: what measurements that took no turns allow to say of the kernels of two plans."""

from __future__ import annotations

from typing import Any, cast

import pytest

from heddle.measuring.schema import Entry
from heddle_server.schema.run import RunResult
from heddle_server.services.runs.two_runs import verdict_of
from tests.backend.fake_child import ENTRY, RESULT
from tests.backend.serving import Server, plan

QUIET = {"value": 1.0, "low": 0.99, "high": 1.01, "resolution": 0.02, "quiet": True}
DATA = {"tensor": "A", "source": "karate", "shape": [34, 34], "nnz": 156, "sha256": "0"}


def run(median: float, spread: float = 1.02, control: Any = QUIET, data: Any = DATA, **more: Any) -> RunResult:
    times = {"median_ns": median, "low_ns": median / spread, "high_ns": median * spread}
    entry = cast(Entry, {**ENTRY, **times, "control": control, **more})
    return cast(RunResult, {**RESULT, "entries": [entry], "inputs": [data]})


@pytest.mark.parametrize(
    ("second", "slower", "words"),
    [
        (run(200), 1, "2.0 times as long"),
        (run(50), 0, "2.0 times as long"),
        (run(104, 1.001), None, "Inconclusive: the two runs can tell no difference."),
        (run(104), None, "Inconclusive: the two runs can tell no difference."),
        (run(1000, 1.5), 1, "at least 6.5 times as long"),
        (run(200, data={**DATA, "nnz": 157}), None, "The two runs had different data, so their times"),
        (run(1000, flagged_share=0.3), None, "Not conclusive: Heddle did not have its cores."),
        (run(200, control={**QUIET, "high": 1.5}), None, "Noisy: not conclusive. The same kernel timed as two"),
        (run(800, control={**QUIET, "high": 1.5}), 1, "at least 5.1 times as long"),
    ],
)  # fmt: skip
def test_which_plan_is_slower(second: RunResult, slower: int | None, words: str) -> None:
    found = verdict_of(run(100), second)
    assert found["slower"] == slower
    assert (found["statement"] if slower is None else found["times"]).startswith(words)


def test_a_run_with_a_wrong_result_has_no_times() -> None:
    none = cast(RunResult, {**RESULT, "entries": []})
    assert verdict_of(run(100), none)["statement"] == "One of the runs has no times, because its result was wrong."


def test_the_service_judges_two_runs(server: Server) -> None:
    ids = [server.run({**plan(), "schedule": schedule}) for schedule in ([], ["split(i, i0, i1, 8)"])]
    assert [server.wait(run_id)["state"] for run_id in ids] == ["done", "done"]
    answer = server.client.get("/api/v1/comparisons/verdict", params={"run": ids})
    statement = "Inconclusive: the two runs can tell no difference."
    assert answer.json() == {"slower": None, "times": "", "statement": statement, "judged_by": "2"}
    assert server.client.get("/api/v1/comparisons/verdict", params={"run": ["a"]}).status_code == 422
    assert server.client.get("/api/v1/comparisons/verdict", params={"run": ["a", "b"]}).status_code == 404
