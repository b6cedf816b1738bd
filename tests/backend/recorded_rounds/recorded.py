"""Rounds that were recorded on a real machine, as results that nobody has judged yet."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.contender import Contender
from heddle.measuring.entries import control_of, entries_of, load_of
from heddle.measuring.rounds import Timings
from heddle.measuring.system_load import Reading
from heddle_server.schema.run import RunResult
from tests.backend.fake_child import RESULT

CONDITIONS = ("quiet", "loaded", "starved")


@dataclass(frozen=True, eq=False)
class Recording:
    """One program in one condition."""

    condition: str
    name: str
    program: dict[str, Any]

    @functools.cached_property
    def result(self) -> RunResult:
        """As a run makes it, before anything is concluded."""
        each = self.program["contenders"]
        timed = [Contender(one["id"], one["label"], _nothing, _no_result, [], None, one["threads"]) for one in each]
        timings = Timings(
            [_array(one["samples"]) for one in each],
            [one["calls"] for one in each],
            [0.0] * len(each),
            self.program["rounds"],
            True,
            again=[_array(one["again"]) for one in each],
            region=None if self.program["region"] is None else _array(self.program["region"]),
            lost=[
                [Reading(*pair) for pair in zip(one["involuntary"], one["waited"], strict=True)] for one in each
            ],
        )  # fmt: skip
        entries = entries_of(timed, timings, 1000, None, self.program["wake_ns"] / 1e9)
        shares = self.program["pressure"], self.program["steal"]
        load = load_of(entries, timings, self.program["involuntary"], shares)
        result = {**RESULT, "entries": entries, "control": control_of(timings), "load": load, "threads": 2}
        return cast(RunResult, result)


@functools.cache
def recordings(condition: str) -> tuple[Recording, ...]:
    """Those of ``quiet``, ``loaded`` or ``starved``; the same programs in the same order in each."""
    found = json.loads(Path(__file__).with_name(f"{condition}.json").read_text(encoding="utf-8"))
    return tuple(Recording(condition, program["name"], program) for program in found["programs"])


def _array(numbers: list[float | None]) -> NDArray[np.float64]:
    return np.array([np.nan if number is None else number for number in numbers], dtype=np.float64)


def _nothing() -> None:
    """A contender that was recorded is not called again."""


def _no_result() -> NDArray[Any]:
    raise AssertionError("a recording has no results")
