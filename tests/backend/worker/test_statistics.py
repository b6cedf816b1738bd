"""Medians, intervals and verdicts on samples whose answer is known; rounds on a clock that is ours."""

from dataclasses import replace

import numpy as np
import pytest

from heddle.measuring import rounds
from heddle.measuring.entries import control_of
from heddle.measuring.rounds import Beside, Protocol, measure
from heddle.measuring.statistics import median, ratio_of
from heddle.measuring.system_load import Reading


def test_median_and_interval() -> None:
    samples = np.random.default_rng(0).normal(100, 1, 400)
    found = median(samples)
    assert found.value == np.median(samples)
    assert found.low < found.value < found.high
    assert 99 < found.low < 100 < found.high < 101
    assert found.quartiles[0] < found.low
    assert found.quartiles[1] > found.high


def test_one_sample_has_no_spread() -> None:
    found = median(np.array([5.0]))
    assert (found.low, found.value, found.high) == (5, 5, 5)


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [(1.2, "faster"), (0.8, "slower"), (1.0, "inconclusive"), (1.015, "inconclusive"), (0.985, "inconclusive")],
)
def test_the_verdict_is_that_of_ours(factor: float, verdict: str) -> None:
    rng = np.random.default_rng(3)
    ours, other = rng.normal(100, 3, 100), rng.normal(100 * factor, 3, 100)
    ratio = ratio_of(other, ours)
    assert ratio["verdict"] == verdict
    assert ratio["low"] <= ratio["value"] <= ratio["high"]
    assert abs(ratio["value"] - factor) < 0.05


def test_pairing_cancels_what_a_round_has_in_common() -> None:
    noise = np.random.default_rng(1).uniform(1, 10, 50)
    assert ratio_of(1.1 * noise, noise)["verdict"] == "faster"


def test_the_ratio_is_that_of_the_medians_that_stand_beside_it() -> None:
    """Times of two kinds: the median of the quotients round by round is 0.58 here, beside medians of 9.67 and 44.5."""
    ours = np.array([44.5, 16.6, 44.5, 16.6, 44.6])
    other = np.array([9.67, 9.67, 26.0, 9.6, 26.1])
    ratio = ratio_of(other, ours)
    assert ratio["value"] == pytest.approx(9.67 / 44.5)
    assert ratio["paired"] == pytest.approx(0.58, abs=0.01)
    assert ratio["low"] <= ratio["value"] <= ratio["high"]


def test_a_larger_resolution_leaves_more_open() -> None:
    ours = np.full(30, 100.0)
    assert ratio_of(1.04 * ours, ours)["verdict"] == "faster"
    assert ratio_of(1.04 * ours, ours, resolution=0.05)["verdict"] == "inconclusive"


TWICE = Beside(control=True)


class SimulatedSystem:
    """Says what it is told to."""

    def __init__(self) -> None:
        self.now = Reading(0, 0)

    @property
    def involuntary(self) -> int:
        return self.now.involuntary or 0

    @property
    def waited(self) -> int:
        return self.now.waited_ns or 0

    def look_for_threads(self) -> None:
        pass

    def read(self) -> Reading:
        return self.now


class Clock:
    """Time passes only in calls."""

    def __init__(self) -> None:
        self.now = 0

    def perf_counter_ns(self) -> int:
        return self.now

    def perf_counter(self) -> float:
        return self.now / 1e9

    def call(self, nanoseconds: int) -> rounds.Call:
        def run() -> None:
            self.now += nanoseconds

        return run


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(rounds, "time", made)
    return made


def test_rounds_until_there_is_enough(clock: Clock) -> None:
    shares: list[float] = []
    found = measure([clock.call(10_000_000), clock.call(100_000)], Protocol(), shares.append)
    assert found.complete
    assert found.calls == [1, 5]
    assert [set(samples) for samples in found.samples] == [{10_000_000.0}, {100_000.0}]
    # The quick one needs 0.5 s in samples of 0.5 ms: a thousand rounds.
    assert found.rounds == 1000
    assert found.first_call_ns == [10_000_000.0, 100_000.0]
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_slow_contenders_get_thirty_rounds(clock: Clock) -> None:
    assert measure([clock.call(100_000_000)], Protocol(), lambda _: None).rounds == 30


def test_the_cap_ends_everything_and_says_so(clock: Clock) -> None:
    found = measure([clock.call(3_000_000_000)], Protocol(cap_seconds=10), lambda _: None)
    assert found.rounds == 4
    assert not found.complete


def test_the_first_contender_is_its_own_control(clock: Clock) -> None:
    found = measure([clock.call(20_000_000), clock.call(30_000_000)], Protocol(), lambda _: None, beside=TWICE)
    assert [set(samples) for samples in found.samples] == [{20_000_000.0}, {30_000_000.0}]
    assert found.calls == [1, 1]
    quiet = {"value": 1.0, "low": 1.0, "high": 1.0, "resolution": 0.02, "quiet": True}
    assert control_of(found) == control_of(found, 1) == quiet
    noisy = replace(found, again=[1.03 * found.again[0], found.again[1]])
    assert control_of(noisy) == {"value": 1.03, "low": 1.03, "high": 1.03, "resolution": 0.03, "quiet": False}
    assert control_of(noisy, 1) == {**quiet, "value": 1.0}
    assert control_of(measure([], Protocol(), lambda _: None, beside=TWICE)) is None
    assert control_of(measure([clock.call(20_000_000)], Protocol(), lambda _: None)) is None


def test_controls_of_all_contenders_hardly_make_a_run_longer(clock: Clock) -> None:
    """The first one has a pair in every round, the others in every second; the time of both counts."""
    slow = measure([clock.call(20_000_000)] * 4, Protocol(), lambda _: None, beside=TWICE)
    assert [int(np.isfinite(again).sum()) for again in slow.again] == [30, 15, 15, 15]
    assert slow.rounds == 30
    begun = clock.now
    quick = measure([clock.call(500_000)] * 4, Protocol(), lambda _: None, beside=TWICE)
    assert quick.rounds == 667
    # Of four contenders half a second each, and what warming up takes.
    assert (clock.now - begun) / 1e9 < 4 * 0.6


def test_what_a_sample_lost_is_asked_around_it_alone(clock: Clock) -> None:
    """A contender that waits 3 ms per call and is switched twice; the region and the controls are not its own."""
    system = SimulatedSystem()

    def starved() -> None:
        clock.now += 20_000_000
        system.now = Reading(system.involuntary + 2, system.waited + 3_000_000)

    def region() -> float:
        system.now = Reading(system.involuntary + 100, system.waited + 10**9)
        return 40_000.0

    found = measure([clock.call(20_000_000), starved], Protocol(), lambda _: None, beside=Beside(True, region, system))
    assert set(found.lost[0]) == {Reading(0, 0)}
    assert set(found.lost[1]) == {Reading(2, 3_000_000)}
    assert len(found.lost[1]) == found.rounds
    assert found.region is not None
    assert found.region.tolist() == [40_000.0] * found.rounds


def test_nothing_to_time() -> None:
    assert measure([], Protocol(), lambda _: None).rounds == 0


def test_the_order_changes_from_round_to_round(clock: Clock) -> None:
    seen: list[int] = []

    def contender(number: int) -> rounds.Call:
        def run() -> None:
            seen.append(number)
            clock.now += 20_000_000

        return run

    measure([contender(number) for number in range(3)], Protocol(warm_up_seconds=0), lambda _: None)
    timed = np.array(seen[-90:]).reshape(30, 3)
    assert (np.sort(timed, axis=1) == [0, 1, 2]).all()
    assert len({tuple(order) for order in timed.tolist()}) > 3


@pytest.mark.parametrize(("others", "extra"), [(False, 0), (True, 30)])
def test_a_round_after_others_had_the_machine_begins_warm(clock: Clock, others: bool, extra: int) -> None:
    calls = 0

    def run() -> None:
        nonlocal calls
        calls += 1
        clock.now += 20_000_000

    found = measure([run], Protocol(warm_up_seconds=0), lambda _: None, pause=lambda: others)
    # One first call, three to find how long one takes, the rounds.
    assert calls == 1 + 3 + found.rounds + extra
    assert found.rounds == 30


def test_warming_again_takes_no_longer_than_warming_up(clock: Clock) -> None:
    seen: list[str] = []

    def contender(name: str) -> rounds.Call:
        def run() -> None:
            seen.append(name)
            clock.now += 500_000_000

        return run

    protocol = Protocol(max_rounds=1, warm_up_seconds=0.4)
    measure([contender("a"), contender("b")], protocol, lambda _: None, pause=lambda: True)
    assert seen[-3] == "a"
    assert seen[-4] == "b", "b was not called again before the round"


def test_compiles_that_go_before_a_warming_up_leave_nobody_cold(clock: Clock) -> None:
    seen: list[str] = []
    asked = iter([False, True])  # Before the first calls of a and b; then never again.

    def contender(name: str) -> rounds.Call:
        def run() -> None:
            seen.append(name)
            clock.now += 500_000_000

        return run

    protocol = Protocol(max_rounds=1, warm_up_seconds=5)
    measure([contender("a"), contender("b")], protocol, lambda _: None, pause=lambda: next(asked, False))
    assert seen[:2] == ["a", "b"]
    assert seen[-4:-2] == ["a", "b"], "not called again before the round"
