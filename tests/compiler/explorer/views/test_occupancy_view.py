"""Registers and occupancy of GPU kernels: from the machine code where NVRTC is installed, else with the reason."""

from __future__ import annotations

import importlib.util

import pytest

import heddle as hd
from heddle.diagnostics import CompileError, Diagnostic
from heddle.explorer.views.code.occupancy import ARCHITECTURES, occupancy_view
from heddle.runtime.devices import nvrtc

needs_nvrtc = pytest.mark.skipif(
    importlib.util.find_spec("nvidia") is None, reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12"
)
PLAN = ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "")


@needs_nvrtc
@pytest.mark.parametrize("target", ["cuda", "opencl"])
def test_every_kernel_has_its_figures_for_every_architecture(target: str) -> None:
    result = hd.lower(*PLAN, target)
    view = occupancy_view(result)
    assert view["diagnostics"] == []
    names = [launch.name for launch in result.launches]
    assert [(one["architecture"], one["kernel"]) for one in view["kernels"]] == [
        (architecture, name) for architecture in ARCHITECTURES for name in names
    ]
    for figures in view["kernels"]:
        assert figures["registers"] > 0
        assert 0 < figures["occupancy"] <= 1


def test_a_kernel_for_the_cpu_has_none() -> None:
    assert occupancy_view(hd.lower(*PLAN, "c"))["kernels"] == []


def test_a_plan_with_a_mistake_is_answered_with_its_message() -> None:
    view = occupancy_view(hd.lower(PLAN[0], {"A": "csr"}, "split(k, k0, k1, 2)", "cuda"))
    assert not view["ok"]
    assert view["diagnostics"][0]["code"] == "schedule/unknown-variable"


def test_without_the_compiler_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(text: str, architecture: str) -> nvrtc.Compiled:
        raise CompileError(Diagnostic("runtime/no-nvrtc", "NVRTC is not installed."))

    monkeypatch.setattr(nvrtc, "compile_text", missing)
    view = occupancy_view(hd.lower(*PLAN, "cuda"))
    assert (view["ok"], view["kernels"]) == (False, [])
    assert view["diagnostics"][0]["message"] == "NVRTC is not installed."
