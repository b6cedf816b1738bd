"""Launches of several joined parts whose threads wait for one another: runtimes for processors died in them."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.runtime.devices import opencl_devices
from tests.differential.check import check

SCALED = "C(i,j) = 2 * A(i,j)"
JOINED = {
    "every part": (
        "hyb(1,2,whole)",
        "split(i_ell2, v3, w3, 1)\nconcat(v7, A[*])\nparallelize(v7, GPUBlock, NoRaces)\n"
        "parallelize(j_ell1, GPUThread, NoRaces)\nparallelize(j_ell2, GPUThread, Atomics)\n"
        "parallelize(j_ell4, GPUThread, ParallelReduction)",
    ),
    "ranges of rows, one by warps": (
        "hyb(1,1,2,whole)",
        "concat(v0, A[0..2])\nsplit(i_ell2_in, v1, w1, 3)\nparallelize(v0, GPUBlock, IgnoreRaces)\n"
        "parallelize(j_ell1, GPUThread, Atomics)\nparallelize(j_ell2, GPUThread, Atomics)\n"
        "parallelize(i_rows_in, GPUWarp, IgnoreRaces)\nparallelize(j_rows, GPUThread, NoRaces)",
    ),
}


@pytest.mark.parametrize("name", JOINED)
def test_the_interpreter_finds_nothing(name: str) -> None:
    format, schedule = JOINED[name]
    check(SCALED, {"A": format}, schedule, targets=("interpreter",))


@pytest.mark.parametrize("name", JOINED)
@pytest.mark.parametrize("target", ["opencl", "cuda"])
def test_each_case_has_a_number_of_its_own_range_in_front_of_the_branches(name: str, target: str) -> None:
    """Intel's runtime loads what a case with barriers reads before it knows whether the case is taken."""
    format, schedule = JOINED[name]
    source = hd.lower(SCALED, {"A": format}, schedule, target=target).source
    assert source is not None
    before, _, behind = source.text[source.text.index("kernel_1(") :].partition("if (v")
    for variable in ("v3", "i_ell4_pos") if name == "every part" else ("i_ell2_part", "i_rows_part"):
        assert f" {variable} = max" in before
        assert f" {variable} = " not in behind


@pytest.mark.parametrize("name", JOINED)
def test_opencl_devices_agree_or_say_that_they_need_sub_groups(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    format, schedule = JOINED[name]
    if not opencl_devices.devices():
        pytest.skip("no OpenCL device")
    first = {device.platform: device for device in reversed(opencl_devices.devices())}
    for device in first.values():  # which is the one that its platform's name chooses
        monkeypatch.setenv(opencl_devices.CHOICE, device.platform)
        if device.sub_groups:
            check(SCALED, {"A": format}, schedule, targets=("opencl",))
            continue
        with pytest.raises(hd.CompileError) as caught:
            check(SCALED, {"A": format}, schedule, targets=("opencl",))
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == "runtime/opencl-sub-groups"
        assert diagnostic.message == (
            f"{device.name} has no sub-groups, and runtimes without them lose their place where threads wait in a loop "
            "of one of several parts that a launch has joined."
        )
        assert diagnostic.hint is not None
        assert "leave out concat" in diagnostic.hint
