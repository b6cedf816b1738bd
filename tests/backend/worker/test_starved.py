"""In which rounds a contender of several threads could not have its cores."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.measuring.starved import MOST_WAKE_NS, Rounds, starved_rounds, usual_wake_ns
from heddle.measuring.system_load import Reading
from heddle.runtime.native.parallel_region import USUAL_SECONDS

MS = 1_000_000
WAKE_NS = 30_000.0


def flagged(threads: int, calls: int, per_call: float, reading: Reading, region: float = 30_000.0) -> bool:
    """Of one round."""
    rounds = Rounds(threads, calls, np.array([per_call]), [reading])
    found = starved_rounds(rounds, np.array([region]), WAKE_NS)
    assert found in ([], [0])
    return bool(found)


@pytest.mark.parametrize(
    ("waited", "expected"),
    [(0, False), (400_000, False), (600_000, True), (4 * MS, True)],
)
def test_waiting_for_a_tenth_of_the_sample_is_starving(waited: int, expected: bool) -> None:
    assert flagged(2, 1, 4 * MS, Reading(0, waited)) is expected


def test_one_thread_is_never_flagged() -> None:
    assert not flagged(1, 1, 4 * MS, Reading(9, 4 * MS))


def test_waking_the_threads_is_not_starving() -> None:
    """Up to three times the usual 30 µs in one call, less on average over many; of four threads a call wakes three."""
    assert not flagged(2, 1, 500_000, Reading(0, 130_000))
    assert flagged(2, 1, 500_000, Reading(0, 150_000))
    assert not flagged(2, 100, 50_000, Reading(0, 4_000_000))
    assert flagged(2, 100, 50_000, Reading(0, 4_200_000))
    assert not flagged(4, 1, 500_000, Reading(0, 310_000))


def test_where_a_thread_was_put_off_its_core_all_waiting_counts() -> None:
    """Threads of short calls that spin need no waking; what is allowed for it hid that they shared one core."""
    assert flagged(2, 100, 50_000, Reading(3, 4_000_000))
    assert not flagged(2, 100, 50_000, Reading(3, 400_000))


def test_where_the_system_tells_no_waiting_switches_and_the_region_tell() -> None:
    assert not flagged(2, 1, 4 * MS, Reading(0, None))
    assert flagged(2, 1, 4 * MS, Reading(1, None))
    assert not flagged(2, 1, 40 * MS, Reading(1, None)), "one switch in 40 ms is what a quiet machine shows"
    assert flagged(2, 1, 4 * MS, Reading(0, None), region=400_000.0)
    assert flagged(2, 1, 4 * MS, Reading(None, None), region=400_000.0)
    assert not flagged(2, 1, 4 * MS, Reading(0, 0), region=400_000.0), "its own threads did not wait"


def test_without_any_word_of_the_system_nothing_is_flagged() -> None:
    rounds = Rounds(2, 1, np.full(3, 4.0 * MS), [Reading()] * 3)
    assert starved_rounds(rounds, None, WAKE_NS) == []


def test_rounds_have_numbers_from_zero() -> None:
    lost = [Reading(0, 0), Reading(0, 3 * MS), Reading(0, 0), Reading(0, 3 * MS)]
    assert starved_rounds(Rounds(2, 1, np.full(4, 4.0 * MS), lost), None, WAKE_NS) == [1, 3]


def test_what_waking_usually_takes() -> None:
    assert usual_wake_ns(5e-5, np.array([9e9])) == pytest.approx(50_000)
    assert usual_wake_ns(None, None) == pytest.approx(1e9 * USUAL_SECONDS)
    assert usual_wake_ns(None, np.linspace(10_000, 110_000, 11)) == pytest.approx(20_000)
    assert usual_wake_ns(None, np.full(9, 4.0 * MS)) == MOST_WAKE_NS, "no core takes so long to wake"
