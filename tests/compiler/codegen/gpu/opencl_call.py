"""Runs a hand-written function of loop IR on an OpenCL device."""

from __future__ import annotations

from typing import Any

import numpy as np

from heddle.codegen.device.program import WarpForm
from heddle.loop_ir.nodes import Function
from heddle.runtime.devices.opencl import program_for, queue_of
from heddle.runtime.devices.opencl_devices import OpenClDevice
from heddle.runtime.kernels.offload.host_program import Call, host_program


def call(function: Function, arguments: dict[str, Any], device: OpenClDevice, form: WarpForm | None = None) -> int:
    """The status; arrays of outputs are filled in place."""
    program = program_for(function, device, form)
    wide = program_for(function, device, form, short=False)
    queue = queue_of(device)
    arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
    scalars = {name: value for name, value in arguments.items() if name not in arrays}
    memory = {name: queue.upload(array) for name, array in arrays.items()}
    status = host_program(program, lambda: wide)(Call(queue.launcher(program), scalars, arrays, memory))
    for parameter in function.parameters:
        if parameter.output:
            queue.download(memory[parameter.name], arrays[parameter.name])
    return status
