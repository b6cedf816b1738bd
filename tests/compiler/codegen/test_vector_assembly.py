"""Vectors in assembly: each class of machines computes in registers of its own width, and leaves sums in them."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.compiler.codegen.assembly import TARGETS, Target, innermost_loops, on_stack, products
from tests.compiler.tuning.programs import MTTKRP, SPMM, SPMV
from tests.differential.vectors.test_register_tiles import tiled
from tests.differential.vectors.vector_programs import VectorProgram

SPMM_32 = VectorProgram("spmm csr", SPMM, {"A": "csr"}, shapes={"B": (13, 32)})
PROGRAMS = (
    SPMM_32,
    VectorProgram("spmm bcsr(4)", SPMM, {"A": "bcsr(4)"}, shapes={"B": (13, 32)}),
    VectorProgram("spmv sell(8)", SPMV, {"A": "sell(8)"}),
    VectorProgram("spmv dia(32)", SPMV, {"A": "dia(32)"}),
    VectorProgram("mttkrp csf", MTTKRP, {"B": "csf"}, shapes={"C": (6, 32), "D": (7, 32)}),
)
EVERY = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
EACH = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)


@cache
def text_of(program: VectorProgram) -> str:
    source = program.compiled().source
    assert source is not None
    return source.text


@EVERY
def test_sums_of_32_columns_stay_in_registers(target: Target) -> None:
    """16 registers of SSE2 do not hold them next to what each entry needs; all others do."""
    loops = [loop for loop in innermost_loops(target.assembly(text_of(SPMM_32))) if products(loop)]
    assert loops
    for loop in loops:
        assert len(re.findall(target.own, loop)) >= 4
        if not target.name.endswith("v2"):
            assert on_stack(loop) == []


@EACH
@EVERY
def test_registers_have_the_width_of_the_machine(target: Target, program: VectorProgram) -> None:
    found = target.assembly(text_of(program))
    assert any(products(line) and re.search(target.own, line) for line in found.splitlines())
    assert target.wider is None or not re.search(target.wider, found)


@EACH
def test_no_type_has_a_width_of_its_own(program: VectorProgram) -> None:
    """It would be one that some machine has no registers for."""
    sizes = re.findall(r"vector_size\(([^()]*)\)", text_of(program))
    assert sizes
    assert all(re.fullmatch(r"VECTOR_LANES\w* \* [48]", size) for size in sizes), sizes


@pytest.mark.parametrize("target", [one for one in TARGETS if "v4" not in one.name], ids=lambda target: target.name)
def test_what_stands_on_the_stack_is_found(target: Target) -> None:
    """The test of the tests: 128 sums at once, twice as many as fit into all registers."""
    text = text_of(VectorProgram("spmm wide", SPMM, {"A": "csr"}, tiled(128)))
    at_once = text.replace("if (REGISTERS_HOLD(", "if (1 || REGISTERS_HOLD(")
    assert at_once != text
    loops = [loop for loop in innermost_loops(target.assembly(at_once)) if products(loop)]
    assert any(on_stack(loop) for loop in loops)


@pytest.mark.parametrize("target", [one for one in TARGETS if "v2" not in one.name], ids=lambda target: target.name)
def test_more_sums_than_registers_are_computed_in_parts(target: Target) -> None:
    if target.name == "zig v4":
        pytest.skip("clang cuts vectors of 64 bytes in two unless it is told to prefer them")
    text = text_of(VectorProgram("spmm wide", SPMM, {"A": "csr"}, tiled(128)))
    loops = [loop for loop in innermost_loops(target.assembly(text)) if products(loop)]
    assert loops
    assert not any(on_stack(loop) for loop in loops)
