"""Builds, verifies and times candidates of a search on the operands of its plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from heddle.diagnostics import CompileError, InternalError
from heddle.pipeline import lower
from heddle.plan import Plan, plan_hash
from heddle.tuning.session.driver import Outcome
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.tuning.patterns import patterns_subject
from heddle_server.tuning.statements import statements_subject
from heddle_server.tuning.subject import Ready, Subject

BATCH = 8
"""Candidates that are built before they are timed: a search that is stopped loses no more."""

BUILDERS = 2
"""Compilers at once. Nothing is timed meanwhile."""

SAMPLES, FEW, HOPELESS = 10, 3, 1.5
"""Of a candidate; after a few of them it ends where the shortest took that many times as long as the fastest so far."""

SAMPLE_SECONDS = 0.0005
"""Shorter calls are timed several at a time."""


Built = Callable[[], Ready] | CompileError


@dataclass(slots=True, eq=False)
class Bench:
    """``origin`` is for the report of a wrong result; ``left`` says how many seconds there are."""

    plan: Plan
    subject: Subject
    quiet: QuietTime
    left: Callable[[], float]
    report: Callable[[str], None]
    origin: str
    best: float = float("inf")

    def evaluate(self, plans: Sequence[Plan]) -> Iterator[Outcome]:
        """As ``Evaluate`` of the driver: batch by batch, all of one built before the first is timed."""
        for at in range(0, len(plans), BATCH):
            batch = plans[at : at + BATCH]
            if self.left() <= 0:
                return
            self.report(f"Building {len(batch)} candidates")
            with ThreadPoolExecutor(BUILDERS) as pool:
                built = list(pool.map(self._build, batch))
            self.report(f"Timing {len(batch)} candidates")
            with self.quiet:
                for plan, kernel in zip(batch, built, strict=True):
                    if self.left() <= 0:
                        return
                    self.quiet.pause()
                    yield self._outcome(plan, kernel)

    def ready(self, plan: Plan) -> Ready:
        """The kernel of ``plan`` on its operands, verified in every result.

        Raises
        ------
        CompileError
            it does not compile, or its operands do not fit its formats. InternalError: it is wrong.
        """
        built = self._build(plan)
        if isinstance(built, CompileError):
            raise built
        return self._verify(plan, built)

    def _build(self, plan: Plan) -> Built:
        try:
            return self.subject.ready(plan)
        except CompileError as error:
            return error

    def _outcome(self, plan: Plan, built: Built) -> Outcome:
        if isinstance(built, CompileError):
            return Outcome(None, reason=built.diagnostics[0].message)
        try:
            ready = self._verify(plan, built)
        except CompileError as error:
            return Outcome(None, reason=error.diagnostics[0].message)
        samples = samples_of(ready.timed, self.best)
        seconds = float(np.median(samples))
        self.best = min(self.best, seconds)
        return Outcome(seconds, len(samples), bytes=ready.bytes)

    def _verify(self, plan: Plan, built: Callable[[], Ready]) -> Ready:
        ready = built()
        if ready.wrong is not None:
            raise InternalError(
                f"A candidate of a search is wrong by {ready.wrong:.2g} ({self.origin}, plan "
                f"{plan_hash(plan)[:12]}): {'; '.join(plan.schedule) or 'no command'}"
            )
        return ready


def bench_of(
    plan: Plan,
    paths: Mapping[str, str],
    quiet: QuietTime,
    left: Callable[[], float],
    report: Callable[[str], None],
    origin: str,
    threads: int = 1,
) -> Bench:
    """Makes the operands of ``plan`` and the reference. Raises CompileError where the plan or its inputs are at fault,
    also its schedule: what is searched must begin with a program that compiles."""
    result = lower(plan)
    result.raise_errors()
    report("Making the operands and the reference")
    subject: Subject
    if result.bound is not None:
        subject = patterns_subject(plan, result, paths, threads)
    else:
        subject = statements_subject(plan, result, paths, threads)
    return Bench(plan, subject, quiet, left, report, origin)


def samples_of(call: Callable[[], object], best: float) -> list[float]:
    """Seconds of a call, warm; few samples of what is hopeless beside ``best``. For ranking alone: the times that are
    shown are those of the final comparison."""
    once = measure_elapsed(call, 1)
    if once > 4 * HOPELESS * best:
        return [once]
    repeats = max(1, round(SAMPLE_SECONDS / max(measure_elapsed(call, 1), 1e-9)))
    samples: list[float] = []
    for number in range(SAMPLES):
        samples.append(measure_elapsed(call, repeats) / repeats)
        if number + 1 >= FEW and min(samples) > HOPELESS * best:
            break
    return samples


def measure_elapsed(call: Callable[[], object], repeats: int) -> float:
    start = time.perf_counter_ns()
    for _ in range(repeats):
        call()
    return (time.perf_counter_ns() - start) * 1e-9
