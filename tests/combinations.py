"""Samples of long tables of combinations, as ``./heddle test`` runs them; ``./heddle test full`` runs every one.

A test whose cases are combinations of things that are tested in many other places as well says so::

    @pytest.mark.combinations(3, "expression", "text")

With ``--combination-seed=SEED`` one in three of its cases runs, drawn by the seed, and more where a value of one of the
parameters named would not be seen otherwise. ``./heddle test`` takes the commit as the seed, so that a commit is always
tested alike and the next one by other combinations. Without a seed, as ``pytest`` is called by hand, all cases run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--combination-seed",
        metavar="SEED",
        help="run a sample of the tests that are marked as combinations, drawn by this text (default: run them all)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "combinations(one_in, *parameters): with --combination-seed one in so many cases runs, and each value of these",
    )


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.getoption("combination_seed")
    return "combinations: all" if seed is None else f"combinations: a sample, --combination-seed={seed}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seed = config.getoption("combination_seed")
    if seed is None:
        return
    left_out = [item for table in tables(items) for item in left_out_of(table, seed)]
    config.hook.pytest_deselected(items=left_out)
    ids = {id(item) for item in left_out}
    items[:] = [item for item in items if id(item) not in ids]


def tables(items: list[pytest.Item]) -> list[list[pytest.Function]]:
    """The cases of each test function that is marked, together."""
    cases: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("combinations") is not None:
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return list(cases.values())


def left_out_of(table: list[pytest.Function], seed: str) -> list[pytest.Function]:
    """Those of one test's cases that the seed does not draw."""
    marker = table[0].get_closest_marker("combinations")
    assert marker is not None
    one_in, *parameters = marker.args
    drawn = sorted(table, key=lambda item: hashlib.sha256(f"{seed} {item.nodeid}".encode()).digest())
    seen: set[tuple[str, Hashable]] = set()
    kept: set[str] = set()
    for item in drawn:
        values = {(name, _key(item.callspec.params[name])) for name in parameters}
        if not values <= seen:
            kept.add(item.nodeid)
            seen |= values
    enough = -(-len(table) // one_in)
    for item in drawn:
        if len(kept) >= enough:
            break
        kept.add(item.nodeid)
    return [item for item in table if item.nodeid not in kept]


def _key(value: object) -> Hashable:
    return value if isinstance(value, Hashable) else repr(value)
