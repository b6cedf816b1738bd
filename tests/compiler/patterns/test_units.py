"""Variants of map run where their unit is, and are refused elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.runtime.devices.opencl import OpenClQueue
from heddle.runtime.devices.opencl_devices import devices
from tests.compiler.patterns.programs import many, program

RUNS = {
    "mapSeq": ("c", "interpreter", "opencl"),
    "mapVec": ("c", "interpreter"),
    "mapUnroll": ("c", "interpreter", "opencl"),
    "mapPar": ("c", "interpreter"),
    "mapGlobal": ("interpreter", "opencl"),
    "mapWorkgroup": ("interpreter", "opencl"),
    "mapWarp": (),
}


def rows(variant: str) -> str:
    """Sums of rows: a loop stands inside of the variant."""
    return program(many("n", "m"), f"fun(A:[[float]m]n => A :>> {variant}(reduce(+, 0.0")


@pytest.mark.parametrize(("variant", "target"), [(variant, target) for variant in RUNS for target in RUNS[variant]])
def test_a_variant_runs_where_its_unit_is(variant: str, target: str) -> None:
    if target == "opencl" and not devices():
        pytest.skip("there is no OpenCL device: no wheel of a runtime for this machine")
    kernel = hd.compile(rows(variant), language="patterns", target=target)
    for n, m in ((0, 3), (5, 0), (7, 3)):
        a = np.arange(n * m, dtype=np.float32).reshape(n, m)
        np.testing.assert_array_equal(kernel(A=a).to_numpy(), a.sum(1))


@pytest.mark.parametrize(
    ("variant", "target"),
    [(variant, target) for variant in RUNS for target in ("c", "interpreter", "opencl") if target not in RUNS[variant]],
)
def test_a_variant_is_refused_where_its_unit_is_not(variant: str, target: str) -> None:
    (diagnostic,) = hd.lower(rows(variant), language="patterns", target=target).diagnostics
    outside = variant == "mapWarp" and target != "c"
    why = "stands outside of mapWorkgroup" if outside else "does not run on this target"
    assert (diagnostic.code, diagnostic.message) == ("patterns/unit", f"{variant} {why}.")


def test_a_device_copies_arguments_again_only_where_somebody_may_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    if not devices():
        pytest.skip("there is no OpenCL device: no wheel of a runtime for this machine")
    copied: list[int] = []
    upload = OpenClQueue.upload
    monkeypatch.setattr(OpenClQueue, "upload", lambda self, array: copied.append(array.size) or upload(self, array))
    kernel = hd.compile(rows("mapGlobal"), language="patterns", target="opencl")
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    prepared, bound = kernel.prepare({"A": a}), kernel.bind(A=a)
    copied.clear()
    for _ in range(3):
        np.testing.assert_array_equal(prepared.run().to_numpy(), [3, 12])
    assert copied == []
    for factor in (1, 2):
        np.testing.assert_array_equal(bound.run().to_numpy(), np.float32([3, 12]) * factor)
        a *= 2
    assert copied == [6, 6]


@pytest.mark.parametrize("target", ["interpreter", "opencl"])
def test_warps_and_lanes_run_within_work_groups(target: str) -> None:
    if target == "opencl" and not devices():
        pytest.skip("there is no OpenCL device: no wheel of a runtime for this machine")
    text = program(
        many("n", "m"),
        "fun(A:[[float]m]n => A :>> mapWorkgroup(fun(r => "
        "r :>> splitUp(32) :>> mapWarp(mapLane(fun(v => v * 2.0))) :>> join",
    )
    a = np.arange(3 * 70, dtype=np.float32).reshape(3, 70)
    result = hd.compile(text, language="patterns", target=target)(A=a).to_numpy()
    np.testing.assert_array_equal(result.reshape(a.shape), 2 * a)
