"""Opponents that are written here compute what they are compared with. Numba itself need not be installed: its loops
are plain Python, too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from benchmarks import kernels
from benchmarks.case import Case
from benchmarks.given import given
from benchmarks.opponents import Opponent, opponents

MODULE = "benchmarks.numba_kernels"


@pytest.fixture
def loops_in_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module ``numba`` that compiles nothing."""
    numba = ModuleType("numba")
    numba.__dict__.update(njit=lambda **_: lambda function: function, prange=range)
    monkeypatch.setitem(sys.modules, "numba", numba)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    yield
    sys.modules.pop(MODULE, None)


@pytest.mark.usefixtures("loops_in_python")
@pytest.mark.parametrize(
    ("kernel", "name"),
    [("sddmm", "uniform"), ("mttkrp-3", "long-fibres"), ("mttkrp-4", "order-4"), ("mttkrp-5", "order-5")],
)
def test_numba_computes_the_same(kernel: str, name: str) -> None:
    known = given(Case("kernels", kernel, name, 300, "float64", 1, 0.1))
    made = opponents(kernel, known.operands, "float64", 1, None)
    numba = next(one for one in made if isinstance(one, Opponent) and one.name == "numba")
    for _ in range(2):  # the second call starts anew
        numba.call()
    assert kernels.error_of(numba.result(), known.reference) <= kernels.tolerance("float64")


def test_without_numba_it_is_left_out_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    known = given(Case("kernels", "sddmm", "uniform", 300, "float64", 1, 0.1))
    left_out = dict(one for one in opponents("sddmm", known.operands, "float64", 1, None) if isinstance(one, tuple))
    assert left_out["numba"].startswith("ModuleNotFoundError")
