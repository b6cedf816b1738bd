"""What tests cost, in processor-seconds, which a busy machine changes little.

``tests/sampling/costs.json`` has those that cost more than others: the seconds of one case of a test function. By them
:mod:`tests.sampling.combinations` draws fewer of their cases. ``pytest --update-costs`` measures whatever it runs and
writes them anew; what did not run keeps what it had.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping
from functools import cache
from pathlib import Path

import psutil
import pytest

FILE = Path(__file__).with_suffix(".json")

CHEAP_SECONDS = 0.25
"""A function whose cases together cost less than that has no row."""

PROPERTY = "processor_seconds"
BEFORE = pytest.StashKey[float]()
Report = Generator[None, pytest.TestReport, pytest.TestReport]


@cache
def costs() -> Mapping[str, float]:
    """Test function → processor-seconds of one of its cases."""
    return {str(test): float(seconds) for test, seconds in json.loads(FILE.read_text("utf-8")).items()}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-costs", action="store_true", help=f"measure what runs, and write {FILE.name} anew")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("update_costs"):
        config.pluginmanager.register(Measurement(), "measured-costs")


class Measurement:
    """Of the tests of this process, and of what came of all of them where it starts others."""

    def __init__(self) -> None:
        self.measured: dict[str, list[float]] = defaultdict(list)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        item.stash[BEFORE] = spent()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Report:
        report = yield
        if call.when == "teardown":
            report.user_properties.append((PROPERTY, spent() - item.stash[BEFORE]))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, seconds in report.user_properties:
            if name == PROPERTY and isinstance(seconds, float):
                self.measured[report.nodeid.partition("[")[0]].append(seconds)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):  # else whoever started this process writes them
            FILE.write_text(as_text(merge(costs(), self.measured)), "utf-8")


def merge(earlier: Mapping[str, float], measured: Mapping[str, Iterable[float]]) -> dict[str, float]:
    """The rows with those of what was ``measured``: test function → the seconds of each of its cases that ran. A row
    that is there stays, since a sample may have run few of its cases."""
    rows = {test: [*seconds] for test, seconds in measured.items()}
    dear = {test: cases for test, cases in rows.items() if test in earlier or sum(cases) >= CHEAP_SECONDS}
    return {**earlier, **{test: sum(cases) / len(cases) for test, cases in dear.items()}}


def as_text(rows: Mapping[str, float]) -> str:
    """By the names of the tests, to two digits: more would be different each time."""
    return json.dumps({test: float(f"{rows[test]:.2g}") for test in sorted(rows)}, indent=1) + "\n"


def spent() -> float:
    """Processor-seconds of this process and all that it started, whether they have ended or not."""
    here = psutil.Process()
    total = sum(here.cpu_times()[:4])
    for child in here.children(recursive=True):
        try:
            total += sum(child.cpu_times()[:4])
        except psutil.NoSuchProcess:
            continue
    return total
