"""Simulated cache misses are those that cachegrind counts on the compiled kernel, within a tenth."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heddle.explorer.cost_report.account import Account
from heddle.loop_ir.nodes import ParameterKind
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle.runtime.kernels.calling import plain_arguments
from tests.compiler.explorer.cost_report.test_work import SPMM

VALGRIND, GCC = shutil.which("valgrind"), shutil.which("gcc")
CACHE = 4096
PAGE = 4096
TYPES = {"float64": "double", "int32": "int32_t", "int64": "int64_t"}

ROWS, SHARED, COLUMNS, ENTRIES = 40, 48, 40, 240


def program(source: str, function: Any, arguments: dict[str, Any]) -> str:
    """A C program that calls the kernel once, with its arrays at the places that the simulation gives them, and nothing
    of them in the cache."""
    arrays = {one.name: one for one in function.parameters if one.kind is ParameterKind.ARRAY}
    places, size = {}, 0
    for name in sorted(arrays):
        places[name] = size
        size += -(-arguments[name].nbytes // PAGE) * PAGE
    lines = [source, f"static _Alignas({PAGE}) char memory[{size}];", "static char other[1 << 20];", "int main(void) {"]
    for name, one in arrays.items():
        array = arguments[name]
        values = ", ".join(map(repr, np.zeros_like(array).tolist() if one.output else array.tolist()))
        lines.append(f"  static const {TYPES[one.dtype]} {name}_0[] = {{{values}}};")
        lines.append(f"  for (int q = 0; q < {array.size}; q++)")
        lines.append(f"    (({TYPES[one.dtype]}*)(memory + {places[name]}))[q] = {name}_0[q];")
    lines.append("  for (int q = 0; q < 1 << 20; q++) ((volatile char*)other)[q]++;")
    given = [
        f"(void*)(memory + {places[one.name]})" if one.name in arrays else str(arguments[one.name])
        for one in function.parameters
    ]
    lines += [f"  return kernel({', '.join(given)});", "}"]
    return "\n".join(lines)


def misses_in_kernel(report: str) -> int:
    """Of reads and writes of data, from cachegrind's own file."""
    events = next(line for line in report.splitlines() if line.startswith("events: ")).split()[1:]
    wanted = [events.index("D1mr"), events.index("D1mw")]
    total, inside = 0, False
    for line in report.splitlines():
        if line.startswith("fn="):
            inside = line == "fn=kernel"
        elif inside and line[:1].isdigit():
            counts = [int(number) for number in line.split()[1:]]
            total += sum(counts[place] for place in wanted if place < len(counts))
    return total


@pytest.mark.skipif(VALGRIND is None or GCC is None, reason="valgrind and gcc are needed: apt-get install valgrind")
@pytest.mark.parametrize("schedule", [[], ["split(k, k0, k1, 8)", "reorder(k0, i, j, k1)"]], ids=["rows", "tiles"])
def test_misses_are_those_of_cachegrind_within_a_tenth(schedule: list[str], tmp_path: Path) -> None:
    plan = {"version": 2, "expression": SPMM, "tensors": {"A": {"format": "csr"}}, "schedule": schedule}
    result = lower(parse_plan(plan))
    rng = np.random.default_rng(5)
    matrix = np.zeros(ROWS * SHARED)
    matrix[rng.permutation(matrix.size)[:ENTRIES]] = 1.0
    operands = {"A": matrix.reshape(ROWS, SHARED), "B": rng.random((SHARED, COLUMNS))}
    account = Account(result, operands)
    simulated = sum(account.misses(CACHE).values())
    assert result.source is not None
    assert result.function is not None
    tensors = dict(account.run.tensors)
    arguments = plain_arguments(result.function, tensors, tensors[account.run.computed])
    file, binary, report = tmp_path / "kernel.c", tmp_path / "kernel", tmp_path / "report"
    file.write_text(program(result.source.text, result.function, arguments))
    assert GCC is not None
    assert VALGRIND is not None
    subprocess.run([GCC, "-O1", "-g", "-fno-inline", "-w", "-o", binary, file, "-lm"], check=True)
    command = [VALGRIND, "--tool=cachegrind", f"--D1={CACHE},8,64", f"--cachegrind-out-file={report}", binary]
    subprocess.run(command, check=True, capture_output=True)
    counted = misses_in_kernel(report.read_text())
    assert counted == pytest.approx(simulated, rel=0.1)
