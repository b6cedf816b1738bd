"""How much one test may do in ``./heddle test``: at most 500 cases or drawn examples. More belongs to ``full``.

A longer table is marked as combinations (tests/sampling/combinations.py), of which a sample runs.
HYPOTHESIS_PROFILE=deep draws more examples.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import is_hypothesis_test, settings

MOST = 500


@pytest.hookimpl(trylast=True)  # behind the sample
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    sampling = config.getoption("combination_seed") is not None
    problems = [*_long_tables(items, sampling), *(_long_draws(items) if sampling else ())]
    if problems:
        raise pytest.UsageError("\n".join(problems))


def _long_tables(items: list[pytest.Item], sampling: bool) -> list[str]:
    """Complaints about tables without a mark and, in a sample, about those whose sample is long."""
    cases = Counter(_test_of(item) for item in items if sampling or item.get_closest_marker("combinations") is None)
    advice = "mark it @pytest.mark.combinations, or let the mark draw fewer"
    return [
        f"{test} has {count} cases; at most {MOST} run in ./heddle test: {advice}."
        for test, count in cases.items()
        if count > MOST
    ]


def _long_draws(items: list[pytest.Item]) -> list[str]:
    """Complaints about tests that ask Hypothesis for many examples, unless these were asked for from outside."""
    if os.environ.get("HYPOTHESIS_PROFILE", "suite") != "suite":
        return []
    asked = {_test_of(item): _examples(item) for item in items}
    advice = "ask for fewer; HYPOTHESIS_PROFILE=deep draws thousands"
    return [
        f"{test} draws {count} examples; at most {MOST} are drawn in ./heddle test: {advice}."
        for test, count in asked.items()
        if count > MOST
    ]


def _test_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _examples(item: pytest.Item) -> int:
    function = getattr(item, "obj", None)
    if function is None or not is_hypothesis_test(function):
        return 0
    own = getattr(function, "_hypothesis_internal_use_settings", None)
    return (own or settings.default).max_examples
