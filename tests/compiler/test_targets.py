"""A target is one record. What is kept by its name elsewhere, and what the types of documents spell, agree with it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

import heddle as hd
from heddle.codegen.languages import PRINTERS
from heddle.diagnostics import InternalError
from heddle.runtime.kernels.executors import EXECUTORS
from heddle.targets import (
    DEFAULT_TARGET,
    PRINTED,
    TARGET_NAMES,
    TARGETS,
    CodeLanguageName,
    Feature,
    Resource,
    Target,
    TargetName,
    names_with,
    target_named,
)
from heddle_server.engine.cluster.resources import RESOURCE_OF_TARGET

ROOT = Path(__file__).resolve().parents[2]
SPMV = "y(i) = A(i,j) * x(j)"


def test_what_is_kept_by_name_has_every_target() -> None:
    assert get_args(TargetName) == TARGET_NAMES
    assert set(EXECUTORS) == set(TARGET_NAMES)
    assert set(RESOURCE_OF_TARGET) == set(TARGET_NAMES)


def test_what_prints_has_every_target_with_a_text() -> None:
    assert set(PRINTERS) == {target.name for target in PRINTED} == set(get_args(CodeLanguageName))
    for target in PRINTED:
        assert target.language is not None
        assert (target.language.name, PRINTERS[target.name].target) == (target.name, target)


@pytest.mark.parametrize("target", TARGETS, ids=TARGET_NAMES)
def test_a_target_shows_a_kernel_on_each_of_its_units(target: Target) -> None:
    for unit in target.units:
        result = hd.lower(SPMV, {"A": "csr"}, f"parallelize(i, {unit.value}, NoRaces)", target=target.name)
        assert "schedule/unit-of-target" not in {one.code for one in result.diagnostics}
    assert hd.lower(SPMV, {"A": "csr"}, target=target.name).ok


def test_features_are_asked_for_by_name() -> None:
    texts = [
        path.read_text(encoding="utf-8")
        for package in ("compiler/heddle", "backend/heddle_server")
        for path in _files(package)
    ]
    for feature in Feature:
        assert any(f"Feature.{feature.name}" in text for text in texts), f"nobody asks for {feature}"
        assert any(feature in target.features for target in TARGETS)
    assert names_with(Feature.COMPLEX_NUMBERS) == "c or interpreter"


def test_what_not_every_machine_has_is_said() -> None:
    assert all((target.needs is None) == (target.resource is Resource.CPU) for target in TARGETS)
    assert target_named(DEFAULT_TARGET).needs is None
    with pytest.raises(InternalError, match="There is no target fpga"):
        target_named("fpga")


def test_names_of_gpu_targets_stand_in_the_record_alone() -> None:
    """Elsewhere they would be a list that must agree with it; the cache of OpenCL's own compiler is a folder's name,
    and an extra of the distribution has the name of what it brings."""
    found = {
        str(path.relative_to(ROOT))
        for package in ("compiler/heddle", "backend/heddle_server")
        for path in _files(package)
        if any(f'"{name}"' in path.read_text() for name in ("cuda", "opencl"))
    }
    folders = {"compiler/heddle/runtime/devices/opencl.py", "compiler/heddle/runtime/native/cache_room.py"}
    assert found == {*folders, "compiler/heddle/runtime/extras.py"}


def test_the_page_has_the_same_targets_and_languages() -> None:
    table = (ROOT / "frontend/src/plan/targets.ts").read_text(encoding="utf-8")
    targets, languages = table.split("export const CODE_LANGUAGES")
    for target in TARGETS:
        row = _row(targets, target.name)
        assert f"title: '{target.title}'" in row
        lack = "null" if target.needs is None else f"'No machine here has {target.needs}'"
        assert f"lack: {lack}," in row
        if target.language is not None:
            language = target.language
            row = _row(languages, language.name)
            for column, value in (("title", language.title), ("file", language.file), ("fence", language.fence)):
                assert f"{column}: '{value}'" in row
    order = [targets.index(f"\n  {name}: {{") for name in TARGET_NAMES]
    assert order == sorted(order)


def _row(table: str, name: str) -> str:
    """Of a table of the page: what stands between the braces of ``name: {…}``."""
    start = table.index(f"\n  {name}: {{")
    return table[start : table.index("}", start)]


def _files(package: str) -> list[Path]:
    return [path for path in (ROOT / package).rglob("*.py") if path.name != "targets.py"]
