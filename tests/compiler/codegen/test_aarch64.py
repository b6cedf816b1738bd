"""The text of kernels with vectors, compiled for ARM (NEON) by zig and run by an emulator: right there as well."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.nodes import Function
from heddle.runtime.kernels.calling import plain_arguments
from heddle.runtime.native import zig_wheel
from heddle.runtime.packing.pack import pack_operands
from tests.differential.formats.test_slots import LANES
from tests.differential.vectors.test_register_blocks import schedule as register_blocks
from tests.differential.vectors.test_register_tiles import tiled

EMULATOR = shutil.which("qemu-aarch64")
ZIG = [str(zig_wheel.program() or shutil.which("zig") or "")]
pytestmark = pytest.mark.skipif(EMULATOR is None or not ZIG[0], reason="needs zig and qemu-aarch64")

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
PROGRAMS = {
    "tiles": (SPMM, "csr", tiled(32), 37),
    "rows of a block": (SPMM, "bcsr(4)", "\n".join(register_blocks(4, columns=24)), 25),
    "lanes of a row": (SPMV, "csr", "parallelize(j, CPUVector, ParallelReduction)", None),
    "slices": (SPMV, "sell(8)", "\n".join(LANES), None),
    "runs": (SPMV, "sell-runs(8)", "\n".join(LANES), None),
    "diagonals": (SPMV, "dia(32)", "\n".join(LANES), None),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_right_on_arm(program: str, dtype: str, tmp_path: Path) -> None:
    expression, format, schedule, columns = PROGRAMS[program]
    rng = np.random.default_rng(7)
    dense = (rng.integers(-3, 4, (45, 33)) * (rng.random((45, 33)) < 0.5)).astype(dtype)
    other = rng.integers(-3, 4, 33 if columns is None else (33, columns)).astype(dtype)
    name = "x" if columns is None else "B"
    kernel = hd.compile(expression, {"A": format}, schedule, dtypes={"A": dtype, name: dtype})
    call = kernel.bind(**pack_operands({"A": dense, name: other}, kernel.signature))
    function = kernel.result.function
    assert function is not None
    source = tmp_path / "program.c"
    source.write_text(kernel.source + main(function, plain_arguments(function, call.operands, call.output)))
    build = ["cc", "-std=gnu11", "-O2", "-w", "-target", "aarch64-linux-musl", source.name, "-o", "program"]
    subprocess.run([*ZIG, *build], cwd=tmp_path, check=True, timeout=300)
    assert EMULATOR is not None
    printed = subprocess.run([EMULATOR, "./program"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    found = np.array([float.fromhex(word) for word in printed.split()]).reshape((dense @ other).shape)
    np.testing.assert_array_equal(found, dense @ other)


def main(function: Function, arguments: dict[str, object]) -> str:
    """A program that calls the kernel with these arguments and prints its result."""
    lines, names, results = ["#include <stdio.h>", "int main(void) {"], [], []
    for parameter in function.parameters:
        value = arguments[parameter.name]
        if isinstance(value, np.ndarray):
            element = {"float64": "double", "float32": "float"}.get(str(value.dtype), f"{value.dtype}_t")
            given = () if parameter.output else value
            numbers = ", ".join(float(one).hex() if value.dtype.kind == "f" else str(one) for one in given)
            lines.append(f"  static {element} {parameter.name}[{max(1, value.size)}] = {{{numbers or 0}}};")
            if parameter.output:
                results.append((parameter.name, value.size))
            names.append(parameter.name)
        else:
            names.append(str(value))
    lines.append(f"  if ({function.name}({', '.join(names)})) return 1;")
    lines += [f'  for (int i = 0; i < {size}; i++) printf("%a\\n", (double){name}[i]);' for name, size in results]
    return "\n".join(["", *lines, "  return 0;", "}", ""])
