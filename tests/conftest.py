"""What all tests share: how hard Hypothesis tries, and a kernel cache of their own.

HYPOTHESIS_PROFILE=deep draws many more examples than the bounded suite does. Loops are verified behind each pass.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from heddle.lowering.passes import VERIFY_EACH
from heddle.runtime.devices import opencl
from heddle.runtime.native import cache, cache_folder
from tests.sampling import quick_builds

# Many examples compile a kernel, so a single one has no deadline; the number of examples bounds the suite.
settings.register_profile("suite", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", parent=settings.get_profile("suite"), max_examples=5000)
os.environ[VERIFY_EACH] = "1"
# Thousands of tests are collected and stay: looking for rings among them takes a sixth of the time.
gc.set_threshold(200_000, 50, 1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write tests/golden and tests/cases/outcomes.json anew"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden texts are to be written instead of compared."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of kernels, but for the C library of zig, which takes it seven seconds to build."""
    shared = cache_folder.cache_root() / "zig"
    monkeypatch.setenv("HEDDLE_CACHE", str(tmp_path))
    if shared.exists():
        (tmp_path / "zig").symlink_to(shared)
    return tmp_path


@pytest.fixture(autouse=True)
def _quick_builds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sampled tests whose kernels are only run need not wait for the best machine code of each."""
    seed = request.config.getoption("combination_seed")
    if seed is None:
        return
    monkeypatch.setattr(opencl, "build_options", partial(quick_builds.build_options, opencl.build_options, seed))
    if quick_builds.only_compares(request.path.relative_to(Path(__file__).parent)):
        monkeypatch.setattr(cache, "shared_library", partial(quick_builds.built, cache.shared_library, seed))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of tests with one id, only one would run where several processes share them."""
    twice = [name for name, count in Counter(item.nodeid for item in items).items() if count > 1]
    if twice:
        raise pytest.UsageError(f"several tests have the same id: {', '.join(twice)}")


def pytest_collection_finish() -> None:
    """What was collected stays to the end; trees of loops are made and dropped by the million, hardly any in a ring."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many programs of tests/cases are right, and why the others are refused."""
    outcomes = Counter(
        str(value)
        for report in terminalreporter.getreports("passed")
        for name, value in report.user_properties
        if name == "case_outcome"
    )
    if outcomes:
        terminalreporter.section(f"outcomes of the {outcomes.total()} programs of tests/cases that passed")
        for outcome, count in outcomes.most_common():
            terminalreporter.line(f"{count:5} {outcome}")
