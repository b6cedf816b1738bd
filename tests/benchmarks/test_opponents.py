"""Opponents that are written here compute what they are compared with. Numba itself need not be installed: its loops
are plain Python, too."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, cast

import pytest

from benchmarks.baselines import genten
from benchmarks.baselines.opponents import Opponent
from benchmarks.baselines.opponents import opponents as all_opponents
from benchmarks.suite import kernels
from benchmarks.suite.case import Case
from benchmarks.suite.given import given
from heddle.runtime.native import toolchain
from tests.backend.baselines import torch_stand_in

MODULE = "benchmarks.baselines.numba_kernels"


def opponents(kernel: str, operands: Mapping[str, Any], dtype: str) -> list[Opponent | tuple[str, str]]:
    """Those of one thread, on the OpenMP of our kernels: MKL keeps the first that a process asks for, and other tests
    of this process ask, too."""
    return list(all_opponents(kernel, operands, dtype, 1, toolchain.discover().openmp))


@pytest.fixture
def loops_in_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module ``numba`` that compiles nothing."""
    numba = ModuleType("numba")
    numba.__dict__.update(njit=lambda **_: lambda function: function, prange=range)
    monkeypatch.setitem(sys.modules, "numba", numba)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    yield
    sys.modules.pop(MODULE, None)


def test_torch_computes_the_same_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = given(Case("compositions", "spmm", "citeseer", 0, "float32", 1, 0.1))
    monkeypatch.setitem(sys.modules, "torch", cast("ModuleType", torch_stand_in))
    (torch,) = (one for one in opponents("spmm", known.operands, "float32") if one_is(one, "torch"))
    assert isinstance(torch, Opponent)
    torch.call()
    assert kernels.error_of(torch.result(), known.reference) < kernels.tolerance("float32")
    monkeypatch.setitem(sys.modules, "torch", None)
    (missing,) = (one for one in opponents("spmm", known.operands, "float32") if one_is(one, "torch"))
    assert isinstance(missing, tuple)
    assert missing[1].startswith("ModuleNotFoundError")


def one_is(one: Opponent | tuple[str, str], name: str) -> bool:
    return (one.name if isinstance(one, Opponent) else one[0]) == name


@pytest.mark.usefixtures("loops_in_python")
@pytest.mark.parametrize(
    ("kernel", "name"),
    [("sddmm", "uniform"), ("mttkrp-3", "long-fibres"), ("mttkrp-4", "order-4"), ("mttkrp-5", "order-5")],
)
def test_numba_computes_the_same(kernel: str, name: str) -> None:
    known = given(Case("kernels", kernel, name, 300, "float64", 1, 0.1))
    made = opponents(kernel, known.operands, "float64")
    found = [one for one in made if isinstance(one, Opponent) and one.name.startswith("numba")]
    assert [one.name for one in found] == ["numba"] if kernel == "sddmm" else ["numba", "numba-csf"]
    for one in found:
        for _ in range(2):  # the second call starts again
            one.call()
        assert kernels.error_of(one.result(), known.reference) <= kernels.tolerance("float64")


def test_without_numba_it_is_left_out_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    known = given(Case("kernels", "sddmm", "uniform", 300, "float64", 1, 0.1))
    left_out = dict(one for one in opponents("sddmm", known.operands, "float64") if isinstance(one, tuple))
    assert left_out["numba"].startswith("ModuleNotFoundError")


def test_genten_is_left_out_with_the_reason_where_it_cannot_take_part(monkeypatch: pytest.MonkeyPatch) -> None:
    def reason(dtype: str) -> str:
        known = given(Case("kernels", "mttkrp-3", "long-fibres", 300, dtype, 1, 0.1))
        made = opponents("mttkrp-3", known.operands, dtype)
        return dict(one for one in made if isinstance(one, tuple))["genten"]

    assert reason("float32") == "NotImplementedError: the wheel of pygenten computes with float64 alone"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert reason("float64") == "ModuleNotFoundError: No module named 'pygenten'"


def test_genten_computes_the_same_where_its_wheel_is_installed() -> None:
    pytest.importorskip("pygenten")
    known = given(Case("kernels", "mttkrp-4", "order-4", 300, "float64", 1, 0.1))
    call, result = genten.mttkrp(known.operands, 1)
    for _ in range(2):
        call()
    assert kernels.error_of(result(), known.reference) <= kernels.tolerance("float64")
