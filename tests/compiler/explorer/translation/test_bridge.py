"""Bridges between index notation and patterns: the other program computes the same, or the reason says why there is
none. Going there and back gives the statement again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.explorer.translation.agreement import slots, store_by_rows
from heddle.explorer.translation.bridge import bridge_of
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from tests.compiler.patterns.programs import CASES, many, program

CSR = {"A": TensorSpec(format="csr")}
STATEMENTS: dict[str, tuple[str, dict[str, TensorSpec]]] = {
    "matrix times vector": ("y(i) = A(i,j) * x(j)", CSR),
    "vector times matrix rows": ("y(i) = x(j) * A(i,j)", CSR),
    "sums of rows": ("y(i) = A(i,j)", CSR),
    "scaled and added": ("y(i) = b(i) + 2 * A(i,j) * x(j)", CSR),
    "scaled rows": ("y(i) = A(i,j) * x(j) * d(i)", CSR),
    "matrix times matrix": ("C(i,k) = A(i,j) * B(j,k)", CSR),
    "quadratic": ("y(i) = A(i,j) * x(j) * x(j)", CSR),
    "slots": ("y(i) = A(i,j) * x(j)", {"A": TensorSpec(format="ell")}),
    "all dense": ("C(i,k) = A(i,j) * B(j,k)", {}),
    "a tensor": ("C(i,k) = T(i,j,k) * x(j) - b(i)", {}),
    "outer": ("C(i,j) = x(i) * z(j)", {}),
}
ROWS = "The rows of A are not those of the result, or its columns are not added up."
RANDOM_SHAPES = {"i": 5, "j": 4, "k": 3}


def operands(text: str, seed: int) -> dict[str, Any]:
    """Whole numbers for each access of a statement, half of those of A zeros."""
    import re

    random = np.random.default_rng(seed)
    found: dict[str, Any] = {}
    for name, indices in re.findall(r"([A-Za-z]\w*)\(([\w,]+)\)", text.partition("=")[2]):
        shape = tuple(RANDOM_SHAPES[index] for index in indices.split(","))
        values = random.integers(-4, 5, shape).astype(float)
        found[name] = values * random.integers(0, 2, shape) if name == "A" else values
    return found


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_as_patterns_computes_the_same(name: str) -> None:
    text, tensors = STATEMENTS[name]
    bridged = bridge_of(Plan(text, tensors))
    result = lower(bridged.plan)
    assert result.ok, result.diagnostics
    notation = hd.compile(text, {one: spec.format for one, spec in tensors.items() if spec.format is not None})
    for target in ("c", "interpreter"):
        kernel = hd.compile(
            bridged.plan.expression, language="patterns", schedule=list(bridged.plan.schedule), target=target
        )
        for seed in range(4):
            own = operands(text, seed)
            expected = notation(**own).to_numpy()
            given = {one: value for one, value in own.items() if one in bridged.plan.expression}
            np.testing.assert_array_equal(kernel(**given).to_numpy(), expected)


def test_the_derivation_begins_with_the_dense_program() -> None:
    bridged = bridge_of(Plan("y(i) = A(i,j) * x(j)", CSR, ("parallelize(i, CPUThread, NoRaces)",)))
    titles = [step.title for step in bridged.steps]
    assert titles == ["The dense program", "represent(A, csr)", "mapPar(map1)"]
    assert "A :>> map(fun(A_row => (zip(A_row, x) :>> map(*) :>> reduce(+, 0))))" in bridged.steps[0].text
    assert "A_pos@(i + 1) - A_pos@i" in bridged.steps[1].text
    assert not bridged.notes
    split = bridge_of(Plan("y(i) = A(i,j) * x(j)", CSR, ("split(i, i0, i1, 32)",)))
    assert split.notes == ("split(i, i0, i1, 32) has no counterpart among the steps, and is left out.",)


@pytest.mark.parametrize("name", STATEMENTS)
def test_there_and_back_computes_the_same(name: str) -> None:
    text, tensors = STATEMENTS[name]
    there = bridge_of(Plan(text, tensors)).plan
    back = bridge_of(there).plan
    assert lower(back).ok
    formats = {one: spec.format for one, spec in back.tensors.items() if spec.format is not None}
    assert formats == {one: spec.format for one, spec in tensors.items()}
    first = hd.compile(text, formats)
    second = hd.compile(back.expression, formats)
    own = operands(text, 7)
    np.testing.assert_array_equal(second(**own).to_numpy(), first(**own).to_numpy())


@pytest.mark.parametrize(
    ("name", "statement", "format"),
    [
        ("P1", "y(i) = xs(j) * A(i,j)", None),
        ("P2", "y(i) = A(i,j) * xs(j)", "csr"),
        ("P3", "y(i) = A(i,j) * xs(j)", "csr"),
        ("P4", "y(i) = A(i,j) * xs(j)", "csr"),
        ("P5", "y(i) = A(i,j)", "csr"),
        ("P6", "y(i) = A(i,j)", "csr"),
        ("P10", "y(i,j) = A(i,k) * B(k,j)", None),
        ("P11", "y(i) = A(i,j) * xs(j)", "ell"),
        ("P12", "y(i,j) = A(i,k) * xs(k,j)", "csr"),
    ],
)
def test_programs_as_statements(name: str, statement: str, format: str | None) -> None:
    plan = bridge_of(Plan(CASES[name].text, language="patterns")).plan
    found = plan.expression
    names = dict(zip("ijkl", "ijkl", strict=True))
    assert _spelled_alike(found, statement, names), found
    assert plan.tensors["A"].format == format
    assert lower(plan).ok


def _spelled_alike(found: str, wanted: str, _: dict[str, str]) -> bool:
    """Whether two statements differ in the letters of their variables alone."""
    import re

    def spelled(text: str) -> str:
        letters: dict[str, str] = {}
        return re.sub(
            r"\b[ijklmn]\b", lambda match: letters.setdefault(match[0], f"v{len(letters)}"), text.replace(" ", "")
        )

    return spelled(found) == spelled(wanted)


def test_the_same_loops_are_scheduled() -> None:
    text = program(
        many("n", "m"),
        CASES["P3"].text[CASES["P3"].text.index("fun(offset") : CASES["P3"].text.index("zip(cols")]
        + "zip(cols, vals) :>> splitUp(4) :>> mapPar(fun(rows => rows :>> map(fun(r => zip(r.1, r.2) :>> "
        "map(fun(x => x.2 * (xs@x.1))) :>> reduce(+, 0))))) :>> join",
    )
    bridged = bridge_of(Plan(text, language="patterns"))
    assert bridged.plan.schedule == ("split(i, i0, i1, 4)", "parallelize(i0, CPUThread, NoRaces)")
    dealt = bridge_of(Plan(CASES["P3"].text, schedule=("dealReduce(reduce1, 8)", "mapPar(map1)"), language="patterns"))
    assert dealt.plan.schedule == ("parallelize(i, CPUThread, NoRaces)",)
    assert dealt.notes == ("The pieces of sums are left out: the sum is one loop.",)


def test_both_kernels_agree_on_a_matrix() -> None:
    bridged = bridge_of(Plan(CASES["P3"].text, language="patterns"))
    arguments, expected = CASES["P3"].make(np.random.default_rng(2), 9)
    kernel = hd.compile(bridged.plan.expression, {"A": "csr"}, dtypes={"A": "float32", "xs": "float32"})
    matrix = csr_array((arguments["vals"], arguments["cols"], arguments["offset"]), (9, 11))
    np.testing.assert_array_equal(kernel(A=matrix, xs=arguments["xs"]).to_numpy(), expected)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (
            Plan("y(i) = A(j,i) * x(j)", CSR),
            ROWS,
        ),
        (
            Plan("C(i,j) = A(i,j) * b(j)", CSR),
            ROWS,
        ),
        (
            Plan("y(i) = A(i,j) * B(i,j)", {**CSR, "B": TensorSpec(format="csr")}),
            "Two sparse operands would have to be merged.",
        ),
        (Plan("y(i) += A(i,j) * x(j)", CSR), "The result of a program is new, and += combines with what is there."),
        (
            Plan("y(i) = A(i,j) * x(j)", {"A": TensorSpec(format="csc")}),
            "A is stored as csc, which no type of patterns is derived for.",
        ),
        (Plan("y(i) = sqrt(x(i))", {}), "sqrt(x(i)) is not made of sums and products."),
        (Plan(CASES["P7"].text, language="patterns"), "L: [i -> [float]_{i + 1}]_n is not a part of a format."),
        (Plan(CASES["P13"].text, language="patterns"), "The rows of the result have different lengths."),
        (
            Plan(CASES["P15"].text, language="patterns"),
            "x :>> pad(1, 1, clamp) does not fit index notation: pad is not taken over.",
        ),
        (
            Plan(
                program(
                    many("n"),
                    "fun(offset:[int]n+1 => fun(v:[i -> [float]toNat(offset@(i+1)-offset@i)]n => "
                    "v :>> map(fun(r => r :>> map(fun(x => x + 1.0)) :>> reduce(+,0.0)",
                ),
                language="patterns",
            ),
            "The sum of A(i,j) + 1.0 over the entries of A is not the sum over all columns.",
        ),
        (
            Plan(program(many("n"), "fun(x:[float]n => x :>> mapi(fun(i => fun(v => v * i)))"), language="patterns"),
            "The number of a position is computed with.",
        ),
        (
            Plan(program(many("n"), "fun(x:[float]n => fun(p:[idx(n)]n => gather(p, x)"), language="patterns"),
            "gather(p, x) does not fit index notation: gather is not taken over.",
        ),
    ],
)
def test_what_has_no_counterpart_says_why(plan: Plan, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        bridge_of(plan)
    found = caught.value.diagnostics[0]
    assert (found.code, found.message) == ("bridge/none", message)
    assert found.expected


def test_another_language_has_no_bridge() -> None:
    with pytest.raises(CompileError, match="No bridge starts from comprehension"):
        bridge_of(Plan("def f(float(N) a) -> (b) { b(i) = a(i) }", language="comprehension"))


def test_a_plan_that_does_not_compile_says_its_own_mistake() -> None:
    with pytest.raises(CompileError) as caught:
        bridge_of(Plan("y(i) = A(i,j) *", CSR))
    assert caught.value.diagnostics[0].code != "bridge/none"


def test_parts_of_a_drawn_matrix() -> None:
    matrix = np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    parts = store_by_rows(matrix)
    assert parts["pos"].tolist() == [0, 2, 2, 3]
    assert parts["crd"].tolist() == [1, 2, 0]
    assert slots(matrix)["vals"].tolist() == [[2.0, 3.0], [0.0, 0.0], [1.0, 0.0]]
    assert slots(matrix)["crd"].tolist() == [[1, 2], [0, 0], [0, 0]]
