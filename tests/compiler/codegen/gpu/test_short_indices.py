"""Indices of 32 bits on GPUs: taken exactly as long as no value of a launch can pass them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.codegen.device import cuda, opencl
from heddle.codegen.device.program import DeviceKernel, DeviceProgram
from heddle.loop_ir.analysis.intervals import Interval
from heddle.loop_ir.analysis.launch_facts import LaunchFacts
from heddle.loop_ir.nodes import Function, Search, SearchKind
from heddle.loop_ir.walk import statements
from heddle.runtime.kernels.offload.host_program import Call, host_program
from heddle.runtime.kernels.offload.index_choice import WIDE_OPERANDS

SPMV = ("y(i) = A(i,j) * x(j)", {"A": "csr"})
SPMM = ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"})
FEW_THREADS = (
    "precompute(A(i,k) * B(k,j), j, jw, w)\ndivide(i, block, rest, 64)\ndivide(rest, thread, row, 32)\n"
    "parallelize(block, GPUBlock, NoRaces)\nparallelize(thread, GPUThread, NoRaces)"
)
SPGEMM = ("C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "csr"), FEW_THREADS)


class NoMemory:
    """A device without memory: it launches nothing, and its prefix sums end with ``total``."""

    def __init__(self, total: int = 0) -> None:
        self.total = total
        self.names: list[str] = []

    def allocate(self, count: int, dtype: str, zero: bool) -> None: ...

    def fill(self, memory: Any, count: int, value: float, dtype: str) -> None: ...

    def also(self, program: DeviceProgram) -> None: ...

    def launch(self, kernel: DeviceKernel, groups: int, arguments: list[Any]) -> None:
        self.names.append(kernel.name)

    def read(self, memory: Any, place: int, dtype: str) -> int:
        return self.total

    def scan(self, memory: Any, count: int, dtype: str) -> int:
        return self.total


class Last:
    """Positions of which only the last is ever read."""

    def __init__(self, last: int) -> None:
        self.last = last

    def __getitem__(self, place: int) -> Any:
        return np.int64(self.last)


def function_of(expression: str, formats: dict[str, str], schedule: str = "") -> Function:
    result = hd.lower(expression, formats, schedule, "cuda")
    result.raise_errors()
    assert result.function is not None
    return result.function


def chosen(
    function: Function, rows: int, columns: int, nonzeros: int, width: int = 1, total: int = 0
) -> list[tuple[int, str | None]]:
    """The bits of each launch's indices, and why. A matrix A of ``rows`` by ``columns`` has so many ``nonzeros``, B
    (if it is compressed) as many; the result has ``width`` columns. Nothing of these sizes is allocated."""
    sizes = {"C1": rows, "C2": width, "y1": rows, "A1": rows, "A2": columns, "B1": columns, "B2": width}
    scalars = {f"{name}_dimension": size for name, size in sizes.items()}
    facts, host = LaunchFacts(), {}
    for name, entries, largest in (("A", rows, columns), ("B", columns, width)):
        host[f"{name}2_pos"] = Last(nonzeros)
        facts.contents |= {f"{name}2_pos": Interval(0, nonzeros), f"{name}2_crd": Interval(0, largest - 1)}
        facts.sizes |= {f"{name}2_pos": entries + 1, f"{name}2_crd": nonzeros}
    memory = {one.name: None for one in function.parameters if one.array is not None}
    device = NoMemory(total)
    call = Call(device, dict(scalars), host, dict(memory), facts)
    assert host_program(cuda.generate(function), lambda: cuda.generate(function, short=False))(call) == 0
    assert [one.kernel.name for one in call.started] == device.names
    assert all(one.kernel.name.endswith("_wide") == (one.beyond is not None) for one in call.started)
    return [(32 if one.beyond is None else 64, one.beyond) for one in call.started]


def test_the_border_of_spmv_is_the_number_of_nonzeros() -> None:
    function = function_of(*SPMV)
    assert chosen(function, 1000, 1000, 2**31 - 4096) == [(32, None), (32, None)]
    bits = chosen(function, 1000, 1000, 2**31 - 1)
    assert [one for one, _ in bits] == [64, 64]
    assert "could be 2,147,48" in str(bits[1][1])


def test_the_border_of_spmm_is_the_size_of_its_dense_matrices() -> None:
    function = function_of(*SPMM)
    assert chosen(function, 2**20, 1000, 10**6, width=2**10) == [(32, None), (32, None)]
    assert chosen(function, 2**21 - 2, 1000, 10**6, width=2**10) == [(32, None), (32, None)]
    below, beyond = chosen(function, 2**21, 1000, 10**6, width=2**10)
    assert below == (32, None)
    assert beyond[0] == 64
    assert "could be 2,147,48" in str(beyond[1])
    # The other dense matrix.
    assert chosen(function, 1000, 2**21, 10**6, width=2**11)[1][0] == 64


def test_each_launch_of_an_assembled_result_has_a_width_of_its_own() -> None:
    function = function_of(*SPGEMM)
    assert chosen(function, 1000, 1000, 10**6, 1000, total=10**6) == [(32, None), (32, None)]
    counting, filling = chosen(function, 1000, 1000, 10**6, 1000, total=2**31 - 1)
    assert (counting, filling[0]) == ((32, None), 32)
    assert [bits for bits, _ in chosen(function, 2**31 - 10, 1000, 10**6, 1000, total=10**6)] == [64, 64]


def test_tensors_with_positions_of_64_bits_have_the_wide_text_alone() -> None:
    plan = {"version": 1, "expression": SPMV[0], "target": "cuda", "tensors": {"A": {"format": "csr"}}}
    plan["tensors"]["A"]["shape"] = [4, 2**33]
    result = hd.lower(plan)
    assert result.function is not None
    program = cuda.generate(result.function)
    assert not program.short
    assert "int32_t j" not in program.source.text
    call = Call(NoMemory(), {"A1_dimension": 4, "y1_dimension": 4}, {"A2_pos": Last(0)}, {}, LaunchFacts())
    memory = {one.name: None for one in result.function.parameters if one.array is not None}
    call.memory.update(memory)
    host_program(program, lambda: program)(call)
    assert {one.beyond for one in call.started} == {WIDE_OPERANDS}


@pytest.mark.parametrize("language", [cuda, opencl])
def test_the_short_text_has_no_index_of_64_bits_but_in_memory(language: Any) -> None:
    wide = {cuda: "int64_t", opencl: "long"}[language]
    for expression, formats in (SPMV, SPMM):
        function = function_of(expression, formats)
        short, long = language.generate(function), language.generate(function, short=False)
        assert short.source.text.count("// Indices: 32 bits.") == 1
        assert "// Indices" not in long.source.text
        body = short.source.text[: short.source.text.index("// The host")]
        assert not re.search(rf"\b{wide} ", body)
        assert f"({wide})A2_pos" in long.source.text, "in the wide text nothing is added up as an int"


def test_a_count_without_a_bound_keeps_64_bits() -> None:
    program = cuda.generate(function_of(*SPGEMM))
    assert "int64_t jC = 0;" in program.source.text
    assert "int32_t jC = C2_pos[i];" in program.source.text
    assert "jC" not in (program.kernels[0].short or ())


def test_a_galloping_search_needs_room_for_its_steps() -> None:
    expression, formats = "y(i) = A(i,j) * x(j)", {"A": "csr", "x": "compressed"}
    schedule = "parallelize(i, GPUBlock, NoRaces)\nmergeby(j, Gallop)"
    function = function_of(expression, formats, schedule)
    assert any(isinstance(one, Search) and one.kind is SearchKind.GALLOP for one in statements(function.body))
    facts = {
        2**29: None,
        2**30: "the search",
    }
    for nonzeros, reason in facts.items():
        host = {"A2_pos": Last(nonzeros), "x1_pos": Last(nonzeros)}
        contents = {name: Interval(0, nonzeros) for name in ("A2_pos", "x1_pos")}
        contents |= {name: Interval(0, nonzeros) for name in ("A2_crd", "x1_crd")}
        known = {"A2_pos": 11, "A2_crd": nonzeros, "x1_pos": 2, "x1_crd": nonzeros}
        call = Call(NoMemory(), {"y1_dimension": 10, "A1_dimension": 10}, host, {}, LaunchFacts(dict(contents), known))
        call.memory.update({one.name: None for one in function.parameters if one.array is not None})
        host_program(cuda.generate(function), lambda: cuda.generate(function, short=False))(call)
        (started,) = call.started
        assert (started.beyond is None) == (reason is None), started.beyond
