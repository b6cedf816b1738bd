"""Statements inlined, under one loop and apart again: the same results as NumPy's on C and in the interpreter, with the
memory that is left."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import heddle as hd
from heddle.iteration_graph.graph.nodes import Assign, Forall, Statement, Where
from heddle.notation.evaluation import evaluate
from heddle.notation.parser import parse
from heddle.runtime.kernels.kernel import Kernel
from tests.compiler.comprehensions.programs import CASES, Case
from tests.compiler.comprehensions.test_programs import check_program
from tests.differential.operands import operand_sets

ALL_ROWS = "together(n,n2); together(n,n3); together(n,n4)"
EPILOGUE = "together(b,b2); together(o,o2); together(b,b3); together(o,o3)"
LAYERS = "; ".join(f"together(b, b{n})" for n in range(2, 10))
STENCIL = Case(
    """def stencil(float(N) A) -> (y) {
        t(i) = 2 * A(i)
        y(i) = t(i) + t(i+1) }""",
    {"N": 7},
)
SHIFTED = Case(
    """def shifted(float(H,W) A, float(K) k) -> (y) {
        t(h,w) +=! A(h,w+x) * k(x)
        y(h,w) = t(h+1,w) - t(h,w) }""",
    {"H": 5, "W": 9, "K": 3},
)
TWICE = Case(
    """def twice(float(M,K) A, float(M) B) -> (y, z) {
        s(i) +=! A(i,k)
        y(i) = s(i) * B(i)
        z(i) = s(i) + (i > 1 ? B(i) : 0) }""",
    {"M": 5, "K": 4},
)
NARROWER = Case(
    """def narrower(double(M,K) A, float(M) B) -> (y) {
        t(i) = B(i) * 3
        u(i) +=! A(i,k) + t(i)
        y(i) = u(i) / 7 }""",
    {"M": 5, "K": 4},
)

SCHEDULES = [
    (CASES["sgemm"], {}, "together(i,i2); together(j,j2)"),
    (CASES["sgemm"], {"A": "csr"}, "inline(C_1)"),
    (CASES["fcrelu"], {}, "inline(out_1)"),
    (CASES["fcrelu"], {}, "inline(out_1); inline(out_2)"),
    (CASES["fcrelu"], {"weight": "csr"}, EPILOGUE),
    (CASES["fcrelu"], {}, f"{EPILOGUE}; split(b,b0,b1,2); reorder(b0,o,b1); parallelize(b0,CPUThread,NoRaces)"),
    (CASES["fcrelu"], {}, "together(b,b2); together(b,b3); split(b,b0,b1,2); apart(b1)"),
    (CASES["fcrelu"], {}, "together(b,b2); split(b,b0,b1,2); apart(b1); parallelize(b0,CPUThread,NoRaces)"),
    (CASES["fcrelu"], {"in": "dcsr"}, "together(b,b2); together(b,b3); apart(b)"),
    (CASES["softmax"], {}, f"{ALL_ROWS}; together(d3,d4); parallelize(n,CPUThread,NoRaces)"),
    (CASES["softmax"], {"I": "dcsr"}, f"{ALL_ROWS}; apart(n)"),
    (CASES["softmax"], {}, "together(n3,n4); inline(O_1)"),
    (CASES["2LUT"], {}, "together(i,i3); parallelize(i,CPUThread,NoRaces)"),
    (CASES["2LUT"], {"LUT1": "csr"}, "together(i,i3); split(i,i0,i1,3); apart(i1)"),
    (CASES["mlp3"], {}, f"{LAYERS}; parallelize(b,CPUThread,NoRaces)"),
    (CASES["mlp3"], {"I": "dcsr", "W3": "csr"}, LAYERS),
    (CASES["mlp3"], {}, "inline(O2_1); inline(O3_1); inline(O4_1); inline(O2_2); inline(O3_2); inline(O4_2)"),
    (CASES["kru"], {"X": "csf"}, "together(m,m2); together(m,m3)"),
    (CASES["norm"], {}, "together(n,n2); together(g,g2); together(d,d2); together(h,h2); together(w,w2)"),
    (CASES["norm"], {}, "together(n,n2); together(g,g2); together(n,n3); together(g,g3)"),
    (CASES["wavenet"], {}, "together(b,b2); together(b,b3); together(b,b4)"),
    (STENCIL, {}, "inline(t)"),
    (STENCIL, {"A": "compressed"}, "inline(t)"),
    (SHIFTED, {}, "inline(t)"),
    (SHIFTED, {"A": "csr", "k": "compressed"}, "inline(t)"),
    (TWICE, {}, "inline(s)"),
    (TWICE, {"A": "dcsr"}, "together(i2,i3); together(i,i2)"),
    (TWICE, {"A": "csr"}, "together(i,i2)"),
    (NARROWER, {}, "inline(t); inline(u)"),
    (NARROWER, {"A": "csr"}, "together(i,i2); together(i,i3); split(i,i0,i1,2); apart(i1)"),
]


@cache
def kernel(number: int, target: str) -> Kernel:
    case, formats, schedule = SCHEDULES[number]
    return hd.compile(
        case.text, language="comprehension", target=target, sizes=case.fixed, formats=formats, schedule=schedule
    )


@pytest.mark.combinations(4, "target")
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("number", range(len(SCHEDULES)))
def test_the_results_stay(number: int, target: str) -> None:
    case = SCHEDULES[number][0]
    check_program(case.text, case, kernel(number, target), dict(case.sizes))
    if case is not CASES["wavenet"]:
        for size in (1, 2):
            smaller = dict.fromkeys(case.sizes, size)
            check_program(case.text, case, kernel(number, target), smaller)


def lowered(text: str, schedule: str, formats: dict[str, str] | None = None) -> hd.CompileResult:
    result = hd.lower(text, formats, language="comprehension", schedule=schedule)
    result.raise_errors()
    return result


def nest(statement: Statement) -> str:
    match statement:
        case Forall(variable=variable, body=body):
            return f"{variable} {nest(body)}"
        case Where(consumer=consumer, producer=producer):
            return f"({nest(producer)}; {nest(consumer)})"
        case Assign(target=target):
            return target.tensor
        case _:
            return f"[{'; '.join(map(nest, statement.statements))}]"


def memory(result: hd.CompileResult) -> dict[str, tuple[str, ...]]:
    return {name: workspace.variables for name, workspace in result.graphs[-1].workspaces.items()}


def test_what_the_second_statement_alone_reads_shrinks_to_a_number() -> None:
    result = lowered(CASES["fcrelu"].text, EPILOGUE)
    assert nest(result.graphs[-1].statement) == "b o (out_1; (i t; (out_2; out)))"
    assert memory(result) == {"out_1": (), "out_2": (), "t": ()}
    assert result.source is not None
    assert "malloc" not in result.source.text
    rows = lowered(CASES["fcrelu"].text, "together(b,b2); together(b,b3)")
    assert memory(rows) == {"out_1": ("o",), "out_2": ("o2",), "t": ()}


def test_what_the_caller_gets_keeps_its_memory_and_is_stored_once() -> None:
    result = lowered(CASES["softmax"].text, ALL_ROWS)
    assert memory(result) == {"most": ("n",), "expsum": ("n",), "O_1": ("d3",)}
    assert result.source is not None
    assert "most_vals[n] = most_sum;" in result.source.text
    assert result.source.text.count("for (") == 5


def test_what_others_read_behind_the_loop_keeps_its_memory() -> None:
    result = lowered(TWICE.text, "together(i,i2)")
    assert memory(result)["s"] == ("i",)
    assert nest(result.graphs[-1].statement) == "(i [k s; y]; i3 z)"


@pytest.mark.parametrize(
    ("name", "schedule", "loop"),
    [("fcrelu", "together(b,b2)", "b"), ("fcrelu", "together(b2,b3)", "b2"), ("mlp3", "together(b3,b4)", "b3")],
)
def test_apart_takes_together_back(name: str, schedule: str, loop: str) -> None:
    before = lowered(CASES[name].text, "").graphs[-1]
    after = lowered(CASES[name].text, f"{schedule}; apart({loop})").graphs[-1]
    assert after.statement == before.statement
    assert {w.name: w.variables for w in after.workspaces.values()} == {
        w.name: w.variables for w in before.workspaces.values()
    }


def test_point_loops_are_sunk_with_memory_for_a_tile() -> None:
    result = lowered(CASES["fcrelu"].text, "together(b,b2); split(b,b0,b1,32); apart(b1)")
    assert memory(result)["out_1"] == ("b1", "o")
    assert nest(result.graphs[-1].statement) == "(b0 (b1 o out_1; b1w o2 (i t; out_2)); b3 o3 out)"


def test_what_is_inlined_needs_neither_loops_nor_memory() -> None:
    result = lowered(CASES["fcrelu"].text, "inline(out_1); inline(out_2)")
    assert nest(result.graphs[-1].statement) == "b3 o3 (i t; out)"
    assert memory(result) == {"t": ()}
    assert set(result.graphs[-1].underived) == {"b3", "o3", "i"}


def test_checks_of_indices_may_stand_between() -> None:
    result = lowered(CASES["2LUT"].text, "together(i,i3)")
    assert nest(result.graphs[-1].statement) == ("(i2 k2 LUT1_outside; (i4 k4 LUT2_outside; i [k j O1; k3 j3 O2]))")


PROGRAMS = [
    ("t(i) = A(i,j) * x(j); y(i) = 2 * t(i) + b(i)", {"A": "csr"}, "together(i, i2)"),
    ("t(i) = A(i,j) * x(j); y(i) = 2 * t(i) + b(i)", {"A": "dcsr"}, "inline(t)"),
    ("t(i) = A(i,j) * x(j); y(i) = 2 * t(i) + b(i)", {"A": "dcsr"}, "together(i, i2); apart(i)"),
    ("W(i,k) = A(i,j) * B(j,k); Y(i,k) = W(i,k) * C(i,k)", {"A": "csr", "C": "csr"}, "together(i, i2)"),
    ("W(i,k) = A(i,j) * B(j,k); Y(i,k) = W(i,k) * C(i,k)", {"C": "csr"}, "inline(W)"),
]


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize(("expression", "formats", "schedule"), PROGRAMS)
def test_programs_of_index_notation_too(expression: str, formats: dict[str, str], schedule: str, target: str) -> None:
    made = hd.compile(expression, formats, schedule, target)
    assignment = parse(expression)
    for operands in operand_sets(assignment):
        result = made(**operands.arrays).to_numpy()
        expected = evaluate(assignment, operands.arrays, operands.sizes)
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12, err_msg=operands.label)
