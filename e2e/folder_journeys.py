"""Which journeys run where: with ``--folder`` those that need no server, and those of the folder itself."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

MARK = "needs_server"
DRAWN = 2
"""Journeys of a sample: in a folder each starts the compiler anew. ``./heddle test full`` has all of them."""
JOURNEYS = Path(__file__).parent


def select_journeys(config: pytest.Config, items: list[pytest.Item]) -> None:
    journeys = [item for item in items if item.path.is_relative_to(JOURNEYS)]
    in_folder = config.getoption("folder")
    walked = _of_folder(journeys, config.getoption("combination_seed")) if in_folder else _of_server(journeys)
    left_out = {id(item) for item in journeys} - {id(item) for item in walked}
    config.hook.pytest_deselected(items=[item for item in items if id(item) in left_out])
    items[:] = [item for item in items if id(item) not in left_out]


def is_about_the_folder(item: pytest.Item) -> bool:
    return item.path.name.startswith("test_folder")


def _of_server(items: list[pytest.Item]) -> list[pytest.Item]:
    return [item for item in items if not is_about_the_folder(item)]


def _of_folder(items: list[pytest.Item], seed: str | None) -> list[pytest.Item]:
    """Raises UsageError for a journey that starts a server and does not say what for."""
    answered = [item for item in items if item.get_closest_marker(MARK) is None]
    strangers = [item for item in answered if not is_about_the_folder(item)]
    unsaid = [item.nodeid for item in strangers if "server" in getattr(item, "fixturenames", ())]
    if unsaid:
        raise pytest.UsageError(f"mark these with the route they use, @pytest.mark.{MARK}(route): {', '.join(unsaid)}")
    answered = _each_table_once(answered)
    about = [item for item in answered if is_about_the_folder(item)]
    others = [item for item in answered if not is_about_the_folder(item)]
    if seed is not None:
        others = sorted(others, key=lambda item: hashlib.sha256(f"{seed} {item.nodeid}".encode()).digest())[:DRAWN]
    return [*about, *others]


def _each_table_once(items: list[pytest.Item]) -> list[pytest.Item]:
    """Of a table of combinations its first case: the others tell apart what the page draws, not who answers it."""
    seen: set[str] = set()
    walked = []
    for item in items:
        test = item.nodeid.partition("[")[0]
        if item.get_closest_marker("combinations") is None or test not in seen:
            walked.append(item)
        seen.add(test)
    return walked
