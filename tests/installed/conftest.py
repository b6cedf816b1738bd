"""Both distributions, built as for a release, and what is tested of them only in ./heddle test full."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.installed.environment import Environment
from tools.distributions import package

FULL = ("test_explorer", "test_extras_installed", "test_suite_of_the_wheel")
"""Files of tests that install much, or run long."""

BASE = ("lark", "numpy", "typing_extensions")
"""All that the compiler asks for."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("combination_seed") is None:
        return
    left_out = [item for item in items if item.path.stem in FULL and item.path.parent == Path(__file__).parent]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    package(folder)
    return folder


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory, wheels: Path) -> Environment:
    """``pip install heddle-sparse``"""
    environment = Environment(tmp_path_factory.mktemp("base") / "environment", wheels)
    environment.adopt(*BASE)
    environment.install("heddle-sparse", index=False)
    return environment
