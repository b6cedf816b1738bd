"""Samples of long tables of combinations, as ``./heddle test`` runs them; ``./heddle test full`` runs every one.

A test whose cases are combinations of things that are tested in many other places as well says so::

    @pytest.mark.combinations(3, "expression", "text")

With ``--combination-seed=SEED`` one in three of its cases runs, drawn by the seed, and more where a value of one of the
parameters named would not be seen otherwise. ``./heddle test`` takes the commit as the seed, so that a commit is always
tested alike and the next one by other combinations. Without a seed, as ``pytest`` is called by hand, all cases run.

Tests that start servers, browsers or measurements cost seconds each, and those of one file look at one thing from
several sides. They take turns: of the test functions of a file one in so many runs, drawn by the seed as well, and all
of them in ``full``. A folder of such files stands in TURNS, a single file says so::

    pytestmark = pytest.mark.takes_turns(2)

Tests of several files that look for the same kind of fault, each for seconds, take turns among themselves::

    @pytest.mark.takes_turns(3, among="sanitizers")

What costs most is drawn more thinly. Of a test function whose cases together cost more than its SHARE, by the seconds
measured in ``tests/sampling/costs.json``, so many cases run that it costs that share on average. Rules of the
whole repository, which stand in tests/ itself, and tests that take turns among several files are not thinned.

A test that every commit has to pass says ``@pytest.mark.every_commit``. So does what a planted mistake names
(tests/mutations), without a mark: no commit is blind to a kind of mistake that is known. All cases of a function that
is named run, and a case that is named; of a file or a folder those that nobody draws.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from tests.mutations.planted import PLANTED
from tests.mutations.protections import PROTECTIONS
from tests.mutations.seams import AT_SEAMS
from tests.sampling.costs import costs

TURNS = {
    "e2e": 5,
    "tests/benchmarks": 5,
    "tests/compiler/algorithms": 4,
    "tests/compiler/cli": 2,
    "tests/compiler/codegen": 2,
    "tests/compiler/comprehensions": 2,
    "tests/compiler/decomposition": 2,
    "tests/compiler/explorer": 2,
    "tests/compiler/library": 2,
    "tests/compiler/patterns": 2,
    "tests/compiler/runtime": 2,
    "tests/compiler/tuning": 3,
    "tests/differential": 2,
    "tests/fuzz": 4,
}
"""Folder → one in how many of a file's test functions runs for a commit."""

SHARE = 0.4
"""Processor-seconds that a test function may cost a commit, on average."""

NAMED = frozenset(test for row in (*PLANTED, *AT_SEAMS, *PROTECTIONS) for test in row.tests)
"""Folders, files, tests and single cases of them that notice planted mistakes."""

FUNCTIONS_NAMED = frozenset(test.partition("[")[0] for test in NAMED)


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
    config.addinivalue_line(
        "markers",
        "takes_turns(one_in, among=None): one in so many of the file's test functions runs, or of a group's",
    )
    config.addinivalue_line("markers", "every_commit: runs whenever its file does, also where tests take turns")


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.getoption("combination_seed")
    return "combinations: all" if seed is None else f"combinations: a sample, --combination-seed={seed}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seed = config.getoption("combination_seed")
    if seed is None:
        return
    left_out: list[pytest.Item] = [item for table in tables(items) for item in left_out_of(table, seed)]
    _deselect(config, items, left_out)
    root = config.rootpath
    dear = {name: cases for name, cases in by_function(items).items() if _is_dear(cases, root)}
    on_turns = [item for item in items if _function(item) not in dear]
    beyond = [item for cases in dear.values() for item in beyond_share(cases, root, seed)]
    _deselect(config, items, [*waiting(on_turns, root, seed), *beyond])


def _deselect(config: pytest.Config, items: list[pytest.Item], left_out: list[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=left_out)
    ids = {id(item) for item in left_out}
    items[:] = [item for item in items if id(item) not in ids]


def tables(items: list[pytest.Item]) -> list[list[pytest.Function]]:
    """The cases of each test function that is marked, together."""
    cases: dict[str, list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("combinations") is not None:
            cases.setdefault(_function(item), []).append(item)
    return list(cases.values())


def left_out_of(table: list[pytest.Function], seed: str) -> list[pytest.Function]:
    """Those of one test's cases that the seed does not draw."""
    marker = table[0].get_closest_marker("combinations")
    assert marker is not None
    one_in, *parameters = marker.args
    drawn = sorted(table, key=lambda item: hashlib.sha256(f"{seed} {item.nodeid}".encode()).digest())
    seen: set[tuple[str, Hashable]] = set()
    kept = {item.nodeid for item in table if not NAMED.isdisjoint({item.nodeid, _function(item)})}
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


def by_function(items: list[pytest.Item]) -> dict[str, list[pytest.Item]]:
    """The cases of each test function."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(_function(item), []).append(item)
    return cases


def beyond_share(cases: list[pytest.Item], root: Path, seed: str) -> list[pytest.Item]:
    """Those of a function's cases for which its share does not suffice, nor more than its turns would let run; what a
    planted mistake names is not among them."""
    _, one_in = _turns_of(cases[0], root)
    count = len(cases) * min(1 / one_in, SHARE / _cost(cases))
    whole = int(count) + (_fraction(f"{seed} {_function(cases[0])}") < count % 1)
    others = [item for item in cases if item.nodeid not in NAMED]
    drawn = sorted(others, key=lambda item: hashlib.sha256(f"{seed} {item.nodeid}".encode()).digest())
    return drawn[whole:]


def _cost(cases: list[pytest.Item]) -> float:
    return len(cases) * costs().get(_function(cases[0]), 0.0)


def _is_dear(cases: list[pytest.Item], root: Path) -> bool:
    """Whether a function costs more than its share, and is neither a rule of the whole repository, which stand in
    tests/ itself, nor has turns with those of other files."""
    first = cases[0]
    if _cost(cases) <= SHARE or first.path.parent == root / "tests" or is_named_whole(_function(first)):
        return False
    marker = first.get_closest_marker("takes_turns")
    among_files = marker is not None and "among" in marker.kwargs
    return not among_files and first.get_closest_marker("every_commit") is None


def _fraction(text: str) -> float:
    """A number from 0 to 1 that is the same for the same text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) / 2**32


def waiting(items: list[pytest.Item], root: Path, seed: str) -> list[pytest.Item]:
    """Those whose turn it is not."""
    queues: dict[tuple[Path | str, int], list[pytest.Item]] = {}
    for item in items:
        queue, one_in = _turns_of(item, root)
        if one_in > 1 and not _runs_always(item):
            queues.setdefault((queue, one_in), []).append(item)
    return [item for (_, one_in), tests in queues.items() for item in _late(tests, one_in, seed)]


def _runs_always(item: pytest.Item) -> bool:
    return item.get_closest_marker("every_commit") is not None or is_named(_function(item))


@cache
def is_named(test: str) -> bool:
    """Whether a planted mistake names a test function or a case of it, its file or a folder of it."""
    return not FUNCTIONS_NAMED.isdisjoint(_places(test))


@cache
def is_named_whole(test: str) -> bool:
    """The same without single cases."""
    return not NAMED.isdisjoint(_places(test))


def _places(test: str) -> set[str]:
    file, _, _ = test.partition("::")
    return {test, file, *(str(folder) for folder in PurePosixPath(file).parents)}


def _turns_of(item: pytest.Item, root: Path) -> tuple[Path | str, int]:
    """Among which tests one takes turns, a file's or a group's, and one in how many of them runs."""
    marker = item.get_closest_marker("takes_turns")
    if marker is not None:
        return marker.kwargs.get("among", item.path), int(marker.args[0])
    return item.path, _one_in_of(item.path, root)


@cache
def _one_in_of(file: Path, root: Path) -> int:
    """One in how many functions of a file runs, by the folder that it is in."""
    return next((one_in for folder, one_in in TURNS.items() if file.relative_to(root).is_relative_to(folder)), 1)


def _late(items: list[pytest.Item], one_in: int, seed: str) -> list[pytest.Item]:
    functions = dict.fromkeys(map(_function, items))
    drawn = sorted(functions, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())
    on_turn = set(drawn[: -(-len(drawn) // one_in)])
    return [item for item in items if _function(item) not in on_turn]


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _key(value: object) -> Hashable:
    return value if isinstance(value, Hashable) else repr(value)
