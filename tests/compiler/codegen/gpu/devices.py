"""The OpenCL devices of this machine with the forms of a warp that each can run: what the tests run over."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from heddle.codegen.device.program import WarpForm
from heddle.runtime.devices.opencl_devices import OpenClDevice, devices


@dataclass(frozen=True)
class Runner:
    device: OpenClDevice
    form: WarpForm


def runners() -> list[Runner]:
    return [
        Runner(device, form)
        for device in devices()
        for form in (WarpForm.SUB_GROUPS, WarpForm.LOCAL_MEMORY)
        if form is WarpForm.LOCAL_MEMORY or device.sub_groups
    ]


def runner_name(runner: Runner) -> str:
    return f"{runner.device.platform.split('(')[0]}, {runner.form}"


if devices():
    on_every_device = pytest.mark.parametrize("runner", runners(), ids=runner_name)
else:
    reason = f"there is no OpenCL device: no wheel of a runtime for {sys.platform} on this machine"
    on_every_device = pytest.mark.parametrize("runner", [pytest.param(None, marks=pytest.mark.skip(reason=reason))])
