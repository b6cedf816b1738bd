"""Each pass of the table on its own: the loops after it are verified, and compute what those before it do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.nodes import Function
from heddle.loop_ir.verification.verify import verify
from heddle.lowering.function import lower
from heddle.lowering.kernel_symbols import allocate_kernel_symbols
from heddle.lowering.passes import LAUNCHES, PASSES, Context, LoopPass
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import operand_accesses
from heddle.notation.parser import parse
from heddle.result import CompileResult, replace_function
from heddle.runtime.kernels.kernel import Kernel
from tests.cases.program import read_cases
from tests.differential.formats.test_slots import LANES
from tests.differential.operands import operand_sets
from tests.differential.vectors.last_tiles import last_tile
from tests.differential.vectors.test_register_blocks import schedule as register_blocks

SPMV = "y(i) = A(i,j) * x(j)"
SPMM = "C(i,k) = A(i,j) * B(j,k)"


@dataclass(frozen=True)
class Program:
    """``changed`` are the passes that it is here for."""

    name: str
    changed: frozenset[str]
    expression: str
    formats: dict[str, str]
    schedule: tuple[str, ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()
    dtype: str = "float64"


PROGRAMS = (
    Program("sums", frozenset({"partial-sums", "simplify"}), SPMV, {"A": "csr"}, ("unroll(j, 4)",)),
    Program("ahead", frozenset({"prefetch"}), SPMV, {"A": "csr"}, ("prefetch(x(j), 2)", "unroll(j, 2)")),
    Program(
        "tiles",
        frozenset({"unswitch"}),
        SPMM,
        {"A": "csr"},
        ("split(k, k0, k1, 4)", "reorder(i, k0, j, k1)", "parallelize(k1, CPUVector, NoRaces)"),
    ),
    Program(
        "a test that lanes share",
        frozenset({"unswitch"}),
        SPMM,
        {"A": "csr"},
        (
            "pos(j, p, A)",
            "split(p, p0, p1, 2)",
            "reorder(i, p0, k, p1)",
            "parallelize(k, CPUVector, NoRaces)",
        ),
    ),
    Program("lanes", frozenset({"vector-sums"}), SPMV, {"A": "csr"}, ("parallelize(j, CPUVector, ParallelReduction)",)),
    Program(
        "few registers",
        frozenset({"register-parts"}),
        SPMM,
        {"A": "bcsr(4)"},
        tuple(register_blocks(4, columns=24)),
        (("k", 25),),
    ),
    Program(
        "functions of sums",
        frozenset({"stored-sums", "register-vectors", "register-parts"}),
        "H(i,f) = X(i,f) - tanh(sum(j, A(i,j) * Z(j,f)))",
        {"A": "csr"},
        (
            "split(f, f0, f1, 64)",
            "precompute(A(i,j) * Z(j,f), f1, f1w, w)",
            "reorder(j, f1w)",
            "parallelize(f1w, CPUVector, NoRaces)",
            "parallelize(f1, CPUVector, NoRaces)",
        ),
        (("f", 70),),
    ),
    Program("diagonals", frozenset({"register-vectors"}), SPMV, {"A": "dia(4)"}, LANES),
    Program("runs", frozenset({"shared-choices", "register-vectors"}), SPMV, {"A": "sell-runs(4)"}, LANES),
    Program("blocks", frozenset({"unrolled-rows"}), SPMM, {"A": "bcsr(2)"}, tuple(register_blocks(2)), (("k", 35),)),
    Program(
        "last tile",
        frozenset({"unswitch", "unrolled-rows", "whole-tiles", "register-vectors"}),
        "C(i,j) = A(i,k) * B(k,j)",
        {},
        last_tile("A(i,k)", 2),
        (("j", 7),),
    ),
    Program("one run", frozenset({"straight-runs"}), "C(i,j) = A(i,j) * 2", {}, ("fuse(i, j, f)",)),
    Program("scaled rows", frozenset({"invariant-values"}), "C(i,j) = A(i,j) * sqrt(s(i))", {}),
    Program(
        "nonzeros",
        frozenset({"simplify"}),
        SPMV,
        {"A": "csr"},
        ("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 3)", "parallelize(p0, CPUThread, Atomics)"),
    ),
    Program(
        "sparse sum",
        frozenset({"simplify"}),
        "C(i,j) = A(i,j) + B(i,j)",
        {"A": "csr", "B": "csr", "C": "csr"},
        ("parallelize(i, CPUThread, NoRaces)",),
    ),
    Program("sums of float32", frozenset({"wide-sums"}), "y(i) = A(i,j) * x(j)", {"A": "csr"}, dtype="float32"),
    Program("sparse product", frozenset({"simplify"}), SPMM, {"A": "csr", "B": "csr", "C": "csr"}),
    Program(
        "blocks of threads",
        frozenset({"launches"}),
        SPMV,
        {"A": "csr"},
        ("parallelize(i, GPUBlock, NoRaces)", "parallelize(j, GPUThread, ParallelReduction)"),
    ),
    Program(
        "coordinates in blocks",
        frozenset({"launches", "simplify-launches"}),
        "C(i,j) = A(j,i)",
        {"A": "compressed(nonunique), singleton : 0,1"},
        ("pos(j, p, A)", "parallelize(p, GPUBlock, ParallelReduction)", "parallelize(i, GPUThread, Atomics)"),
    ),
)
ASKED = {"prefetch", "launches"}
"""What these do is asked of them by the kernel, however often; all others look for what is left to do."""

EVERY = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)


def lowered(result: CompileResult) -> tuple[Function, Context]:
    assert result.lowered_graph is not None
    kernel = allocate_kernel_symbols(result.lowered_graph)
    return lower(kernel), Context(kernel, gpu=False)


def behind_each(result: CompileResult) -> Iterator[tuple[LoopPass | None, Function, Function]]:
    """Each pass with the loops before it and after it; first of all those that were lowered."""
    function, context = lowered(result)
    yield None, function, function
    for row in PASSES:
        before, function = function, row.function(function, context)
        yield row, before, function


def compiled(program: Program) -> CompileResult:
    names = {access.tensor for access in operand_accesses(parse(program.expression))}
    dtypes = dict.fromkeys(names, program.dtype)
    return hd.lower(program.expression, program.formats, program.schedule, "interpreter", dtypes)


@pytest.mark.combinations(2)
@EVERY
def test_the_loops_behind_each_pass_compute_the_same(program: Program) -> None:
    result = compiled(program)
    assignment = parse(program.expression)
    names = {access.tensor for access in operand_accesses(assignment)}
    steps = list(behind_each(result))
    # The interpreter has no loops on GPU units outside of launches.
    runs = [step for step in steps if "launches" not in program.changed or step[0] in PASSES[PASSES.index(LAUNCHES) :]]
    assert len(runs) >= 2
    for operands in operand_sets(assignment, sizes=dict(program.sizes)):
        expected = evaluate(assignment, operands.arrays, operands.sizes)
        for row, _, function in runs:
            kernel = Kernel(replace_function(result, function, result.source))
            found = kernel(**{name: operands.arrays[name].astype(program.dtype) for name in names}).to_numpy()
            np.testing.assert_array_equal(found, expected, f"behind {row and row.name}: {operands.label}")


@EVERY
def test_passes_change_what_they_are_here_for(program: Program) -> None:
    changed = {row.name for row, before, after in behind_each(compiled(program)) if row and after is not before}
    assert program.changed <= changed


def test_every_pass_has_a_program_that_it_changes() -> None:
    """Rows that begin where data say are those of patterns: test_row_positions.py."""
    changed = {name for program in PROGRAMS for name in program.changed}
    assert changed == {row.name for row in PASSES} - {"row-positions"}


@EVERY
def test_a_pass_that_has_nothing_to_do_gives_back_the_function(program: Program) -> None:
    result = compiled(program)
    _, context = lowered(result)
    for row, before, after in behind_each(result):
        assert after is before or after != before, row and row.name
        if row is not None and row.name not in ASKED:
            assert row.function(after, context) is after, f"{row.name} finds something to do behind itself"


@pytest.mark.parametrize("target", ["c", "cuda"])
def test_the_loops_of_many_programs_are_valid_behind_each_pass(target: str) -> None:
    checked = 0
    for case in read_cases()[::7]:
        result = hd.lower(case.expression, case.formats, case.schedule, target, dtypes=case.dtypes)
        if result.function is None:
            continue
        function, context = lowered(result)
        context, launched = replace(context, gpu=target == "cuda"), False
        for row in PASSES:
            function = row.function(function, context)
            launched = launched or row is LAUNCHES
            verify(function, launched=launched)
            checked += 1
    assert checked > 30 * len(PASSES)
