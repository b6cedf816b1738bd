"""What the C compiler makes of many sums in registers, read in its assembly, not by the clock."""

import platform
import re
from dataclasses import replace

import pytest

import heddle as hd
from heddle.runtime.native.toolchain import discover, run_compiler
from tests.compiler.codegen.assembly import innermost_loops
from tests.compiler.codegen.native import has_gcc

BESIDE = "dense,compressed,compressed,compressed(nonunique),singleton"
MTTKRP = "A(i,r) = B(i,k,l,m,n) * C(k,r) * D(l,r) * E(m,r) * F(n,r)"
SCHEDULE = (
    "bound(r, r1, 64, MaxExact)",
    "reorder(i, k, l, m, n, r1)",
    "fuse(m, n, f)",
    "pos(f, p, B)",
    "precompute(B(i,k,l,m,n) * C(k,r) * D(l,r) * E(m,r) * F(n,r), r1, r2, w)",
    "precompute(B(i,k,l,m,n) * D(l,rw) * E(m,rw) * F(n,rw), r2, r3, w2)",
    "precompute(B(i,k,l,m,n) * E(m,rww) * F(n,rww), r3, r4, w3)",
    *(f"parallelize({lanes}, CPUVector, NoRaces)" for lanes in ("r4", "r3", "r2", "r1")),
)


@pytest.mark.skipif(not has_gcc() or platform.machine() != "x86_64", reason="needs gcc for x86-64")
def test_the_sums_of_the_innermost_loop_stay_in_registers() -> None:
    """24 sums of three loops and what one entry needs are more than 32 registers: those that wait outside go to the
    stack, not those that every entry adds to (MTTKRP of order 5 and rank 64: 1.5 times as fast)."""
    toolchain = discover()
    other = [flag for flag in toolchain.flags if not flag.startswith("-march")]
    flags = (*other, "-march=skylake-avx512", "-mprefer-vector-width=512", "-S")
    text = hd.compile(MTTKRP, {"B": BESIDE}, SCHEDULE).source
    code, messages, assembly = run_compiler(replace(toolchain, flags=flags), text)
    assert code == 0, messages
    multiplied = [loop for loop in innermost_loops(assembly.decode()) if loop.count("vfmadd") >= 8]
    (entries,) = [loop for loop in multiplied if loop.count("vmulpd") >= 8]
    assert not re.findall(r"zmm\d+, \d*\(%r[sb]p\)|\(%r[sb]p\), %zmm", entries)
