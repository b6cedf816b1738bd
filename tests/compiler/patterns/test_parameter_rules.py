"""Steps about parameters: packed pairs, and dense matrices by their entries. Each means the same on random data, and
arguments for the first parameters are still taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.patterns.derived import argument_of
from heddle.patterns.meaning import evaluate
from heddle.patterns.program import ALL_UNITS, check
from heddle.patterns.rules.steps import PARAMETER_RULES, Stepped, apply_step, begin
from heddle.patterns.syntax.parser import parse
from heddle.runtime.patterns.follow import follow_steps
from tests.compiler.patterns.programs import CASES, many, program

MATRIX = "fun(A:[[float]m]n => fun(xs:[float]m => "
DENSE = {
    "row times vector": program(many("n", "m"), MATRIX + "A :>> map(fun(row => zip(xs,row) :>> map(*) :>> reduce(+,0)"),
    "positions": program(
        many("n", "m"), MATRIX + "A :>> map(fun(row => row :>> mapi(fun(j => fun(v => v * (xs@j)))) :>> reduce(+,0)"
    ),
    "sums of rows": program(many("n", "m"), MATRIX + "A :>> map(fun(row => row :>> reduce(+,0.0)"),
    "a state": program(
        many("n", "m"),
        MATRIX + "A :>> map(fun(row => zip(row,xs) :>> reduceSeq(fun(s => fun(p => s + p.1 * p.2)), 1.0)",
    ),
    "rows beside others": program(
        many("n", "m"),
        "fun(A:[[float]m]n => fun(b:[float]n => fun(xs:[float]m => "
        "zip(A,b) :>> map(fun(p => p.2 + (zip(xs,p.1) :>> map(*) :>> reduce(+,0))",
    ),
    "pieces of rows": program(
        many("n", "m"),
        MATRIX + "A :>> splitUp(2) :>> map(fun(rows => rows :>> map(fun(r => zip(r,xs) :>> map(*) :>> reduce(+,0)))))"
        " :>> join",
    ),
    "a dense matrix": program(
        many("n", "m", "k"),
        "fun(A:[[float]m]n => fun(B:[[float]k]m => A :>> map(fun(r => transpose(B) :>> map(fun(c => "
        "zip(r,c) :>> map(*) :>> reduce(+,0)",
    ),
    "a state of many": program(
        many("n", "m", "k"),
        "fun(A:[[float]m]n => fun(B:[[float]k]m => A :>> map(fun(r => zip(r,B) :>> reduceSeq(fun(s => fun(e => "
        "zip(s, e.2) :>> map(fun(p => p.1 + e.1 * p.2)))), zeros(k))",
    ),
    "the same row twice": program(
        many("n", "m"), MATRIX + "A :>> map(fun(r => zip(r,r) :>> map(fun(p => p.1 * p.2)) :>> reduce(+,0.0)"
    ),
}


def start(text: str) -> Stepped:
    return begin(check(text, parse(text)))


def behind(text: str, *steps: str) -> Stepped:
    state = start(text)
    for number, step in enumerate(steps):
        state = apply_step(state, step, number, ALL_UNITS)
    return state


def drawn(seed: int) -> dict[str, NDArray[Any]]:
    """A matrix of which half is 0, with an empty row, and what stands beside it; whole numbers."""
    random = np.random.default_rng(seed)
    n, m, k = (int(size) for size in random.integers(1, 7, 3))
    a = random.integers(-3, 4, (n, m)) * random.integers(0, 2, (n, m))
    a[random.integers(0, n)] = 0
    shapes = {"xs": (m,), "b": (n,), "B": (m, k)}
    others = {name: random.integers(-4, 5, shape) for name, shape in shapes.items()}
    return {name: one.astype(np.float32) for name, one in {"A": a, **others}.items()}


def given(text: str, seed: int) -> dict[str, Any]:
    wanted = {name for name, _ in start(text).program.types}
    return {name: value for name, value in drawn(seed).items() if name in wanted}


@pytest.mark.combinations(4, "name", "format")
@pytest.mark.parametrize("format", ["csr", "lil", "ell"])
@pytest.mark.parametrize("name", DENSE)
def test_a_represented_matrix_means_the_same_on_8_inputs(name: str, format: str) -> None:
    text, step = DENSE[name], f"represent(A, {format})"
    program = behind(text, step).program
    kernel = hd.compile(text, language="patterns", target="interpreter", schedule=[step])
    for seed in range(8):
        arguments = given(text, seed)
        expected = evaluate(parse(text), arguments, {})
        own = follow_steps(program.derivations, arguments, program.sizes)
        sizes = {size: value for size, value in own.items() if size in program.sizes}
        call = kernel.prepare(arguments)
        np.testing.assert_array_equal(evaluate(program.term, own, {**call.sizes, **sizes}), expected)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy().reshape(-1), expected)


@pytest.mark.parametrize("name", ["P3", "P4", "P5", "P12"])
def test_a_start_that_is_refined_means_the_same_on_8_inputs(name: str) -> None:
    case, step = CASES[name], "refineStart(offset)"
    program = behind(case.text, step).program
    assert "offset@(i + 1)) - (i == 0 ? 0 : toNat(offset@i))" in program.text
    kernel = hd.compile(case.text, language="patterns", target="interpreter", schedule=[step])
    for seed in range(8):
        arguments, expected = case.make(np.random.default_rng(seed), 1 + seed)
        call = kernel.prepare(arguments)
        np.testing.assert_array_equal(evaluate(program.term, arguments, call.sizes), expected)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy().reshape(-1), expected)
    assert kernel(**case.make(np.random.default_rng(0), 0)[0]).to_numpy().size == 0
    source = hd.lower(case.text, language="patterns", schedule=[step]).source
    assert source is not None
    assert "offset[0]" not in source.text


@pytest.mark.parametrize("more", [[], ["sums(vals, memo)"], ["mapSeq(map1)"]])
def test_a_start_that_is_refined_is_checked_by_every_call(more: list[str]) -> None:
    """The row at 0 would have elements in front of the first offset; steps that follow do not forget it."""
    case = CASES["P3"]
    arguments, expected = case.make(np.random.default_rng(6), 9)
    moved = {**arguments, "offset": arguments["offset"] + np.int32(5)}
    np.testing.assert_array_equal(hd.compile(case.text, language="patterns")(**moved).to_numpy(), expected)
    kernel = hd.compile(case.text, language="patterns", schedule=["refineStart(offset)", *more])
    np.testing.assert_array_equal(kernel(**arguments).to_numpy(), expected)
    with pytest.raises(CompileError) as caught:
        kernel(**moved)
    (found,) = caught.value.diagnostics
    assert (found.code, found.expected, found.found) == ("runtime/offsets", "0", "5")
    assert found.message == "offset begins with 5; refineStart takes it to begin with 0."


@pytest.mark.parametrize(
    ("name", "step", "message"),
    [
        (
            "P3",
            "refineStart(xs)",
            "refineStart does not apply to xs: No row of a parameter has a length that is the difference of two "
            "elements of xs.",
        ),
        (
            "P6",
            "refineStart(offset)",
            "refineStart does not apply to offset: No row of a parameter has a length that is the difference of two "
            "elements of offset.",
        ),
        (
            "P13",
            "refineStart(offset)",
            "refineStart would change the type of the result from [i -> [float]_{offset@(i + 1) - offset@i}]_n to "
            "[i -> [float]_{offset@(i + 1) - (i == 0 ? 0 : offset@i)}]_n: that they are equal is not proved. The "
            "condition: offset@0 is 0, which every call checks.",
        ),
    ],
)
def test_a_start_that_cannot_be_refined_is_refused(name: str, step: str, message: str) -> None:
    (found,) = hd.lower(CASES[name].text, language="patterns", schedule=[step]).diagnostics
    assert found.message == message
    assert found.expected


def test_arguments_are_the_matrix_or_its_parts() -> None:
    text = DENSE["row times vector"]
    a, xs = given(text, 3)["A"], given(text, 3)["xs"]
    kernel = hd.compile(text, language="patterns", schedule=["represent(A, csr)", "mapPar(map1)"])
    stored = csr_array(a)
    for own in ({"A": a}, {"A": stored}, {"A_pos": stored.indptr, "A_crd": stored.indices, "A_vals": stored.data}):
        np.testing.assert_array_equal(kernel(xs=xs, **own).to_numpy(), a @ xs)
    unsorted = csr_array((np.array([1.0, 2.0, 3.0]), np.array([1, 0, 1]), np.array([0, 3])), (1, 2))
    before = unsorted.data.copy()
    assert kernel(A=unsorted, xs=np.array([1.0, 10.0])).to_numpy().tolist() == [42.0]
    np.testing.assert_array_equal(unsorted.data, before)  # the argument is not put in order in place
    with pytest.raises(CompileError) as caught:
        kernel(A=np.ones(3), xs=xs)
    assert caught.value.diagnostics[0].message == "A is a matrix."


def test_a_sparse_program_from_a_dense_one_is_that_over_offsets() -> None:
    state = behind(DENSE["row times vector"], "represent(A, csr)", "pack(A_crd, A_vals)")
    assert state.program.text.endswith(
        "fun(A_crd_A_vals: [i -> [(idx(m), float)]_{toNat(A_pos@(i + 1) - A_pos@i)}]_n => fun(xs: [float]_m => "
        "A_crd_A_vals :>> map(fun(row => row :>> map(fun(e => (xs@e.1, e.2))) :>> map(*) :>> reduce(+, 0))))))))"
    )


def test_packed_pairs_are_the_program_over_pairs() -> None:
    state = behind(CASES["P3"].text, "pack(cols, vals)")
    assert state.program.text.endswith(
        "cols_vals :>> map(fun(r => r :>> map(fun(x => x.2 * xs@x.1)) :>> reduce(+, 0))))))))"
    )
    again = behind(CASES["P3"].text, "pack(cols, vals)", "unpack(cols_vals)")
    assert [name for name, _ in again.program.types] == ["offset", "cols_vals_1", "cols_vals_2", "xs"]


@pytest.mark.parametrize(
    "steps", [("pack(cols, vals)",), ("pack(vals, cols)",), ("pack(cols, vals)", "unpack(cols_vals)")]
)
@pytest.mark.parametrize("name", ["P2", "P3", "P11", "P12"])
def test_packed_parameters_mean_the_same_on_8_inputs(name: str, steps: tuple[str, ...]) -> None:
    case = CASES[name]
    kernel = hd.compile(case.text, language="patterns", target="interpreter", schedule=list(steps))
    program = behind(case.text, *steps).program
    for seed in range(8):
        arguments, expected = case.make(np.random.default_rng(seed), seed)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy().reshape(-1), expected)
        sizes = kernel.prepare(arguments).sizes
        own = follow_steps(program.derivations, arguments, program.sizes)
        np.testing.assert_array_equal(evaluate(program.term, own, sizes), expected)


def test_unpacked_pairs_mean_the_same() -> None:
    case = CASES["P4"]
    for target in ("c", "interpreter"):
        kernel = hd.compile(case.text, language="patterns", target=target, schedule=["unpack(rows)"])
        for seed in range(8):
            arguments, expected = case.make(np.random.default_rng(seed), seed)
            np.testing.assert_array_equal(kernel(**arguments).to_numpy(), expected)


@pytest.mark.parametrize(
    ("text", "step", "message"),
    [
        (CASES["P3"].text, "pack(cols, xs)", "pack does not apply to cols: cols and xs have other lengths."),
        (CASES["P3"].text, "pack(cols, cols)", "pack does not apply to cols: Both are cols."),
        (CASES["P3"].text, "pack(cols, valz)", "pack does not apply to cols: valz is not a parameter of the program."),
        (
            program(
                many("n"), "fun(l:[int]n => fun(k:[int]n => fun(v:[i -> [float]toNat(l@i)]n => v :>> map(reduce(+,0.0)"
            ),
            "pack(l, k)",
            "pack does not apply to l: The type of v is made of l.",
        ),
        (CASES["P3"].text, "unpack(cols)", "unpack does not apply to cols: cols is not an array of pairs."),
        (
            DENSE["row times vector"],
            "represent(A, coo)",
            "represent does not apply to A: coo is not a format that a parameter is represented in.",
        ),
        (
            DENSE["row times vector"],
            "represent(xs, csr)",
            "represent does not apply to xs: xs is not a matrix of scalars whose rows have one length.",
        ),
        (
            program(many("n", "m"), MATRIX + "A :>> map(fun(row => zip(xs,row) :>> map(+) :>> reduce(+,0)"),
            "represent(A, csr)",
            "represent does not apply to A: That an entry of A that is 0 changes nothing in reduce(+, …) is "
            "not proved.",
        ),
        (
            program(many("n", "m"), MATRIX + "A :>> map(fun(row => row :>> reduce(max,0.0)"),
            "represent(A, csr)",
            "represent does not apply to A: That an entry of A that is 0 changes nothing in reduce(max, …) is "
            "not proved.",
        ),
        (
            program(
                many("n", "m"),
                MATRIX + "A :>> map(fun(r => zip(r,xs) :>> reduceSeq(fun(s => fun(p => s * 0.5 + p.1)), 0.0)",
            ),
            "represent(A, csr)",
            "represent does not apply to A: That an entry of A that is 0 changes nothing in "
            "reduceSeq(fun(s => fun(p => s * 0.5 + p.1)), …) is not proved.",
        ),
        (
            program(many("n", "m"), MATRIX + "A :>> map(fun(row => row@0)"),
            "represent(A, csr)",
            "represent does not apply to A: Rows of A are taken by row@0, and an element that is not stored would have "
            "to be searched.",
        ),
        (
            program(many("n", "m"), MATRIX + "A :>> transpose :>> map(reduce(+,0.0)"),
            "represent(A, csr)",
            "represent does not apply to A: Rows of A are taken by transpose, and it takes rows as they are, with "
            "their zeros.",
        ),
        (
            program(many("n", "m"), MATRIX + "A :>> map(map(fun(v => v * 2.0))"),
            "represent(A, csr)",
            "represent does not apply to A: Rows of A are taken by A :>> map(map(fun(v => v * 2.0))), and their zeros "
            "would be missing.",
        ),
        (
            program(
                many("n", "m"), MATRIX + "A :>> map(fun(r => zip(r,xs) :>> map(fun(p => p.1 + 1.0)) :>> reduce(+,0)"
            ),
            "represent(A, csr)",
            "represent does not apply to A: That an entry of A that is 0 changes nothing in reduce(+, …) is "
            "not proved.",
        ),
        (CASES["P3"].text, "pack(cols)", "pack is written pack(a, b), found 1 arguments."),
    ],
)
def test_steps_that_are_refused(text: str, step: str, message: str) -> None:
    (found,) = hd.lower(text, language="patterns", target="interpreter", schedule=[step]).diagnostics
    assert found.message == message
    assert found.expected
    assert found.location is not None
    assert found.location.command == 0


def test_a_state_that_is_another_element_is_not_the_same_state() -> None:
    text = program(
        many("n", "m", "k"),
        "fun(A:[[float]m]n => fun(B:[[float]k]m => A :>> map(fun(r => zip(r,B) :>> reduceSeq(fun(s => fun(e => "
        "zip(s, e.2) :>> map(fun(p => (s@0) + e.1 * p.2)))), iota(k) :>> map(fun(i => i * 1.0)))",
    )
    assert hd.lower(text, language="patterns").ok
    (found,) = hd.lower(text, language="patterns", schedule=["represent(A, csr)"]).diagnostics
    assert "is not proved" in found.message


def test_arguments_of_plans_follow() -> None:
    made = behind(CASES["P3"].text, "pack(cols, vals)").program.derivations
    assert argument_of("cols_vals", {"cols": "A.crd", "vals": "A.vals"}, made) == ("A.entries",)
    assert argument_of("cols_vals", {"cols": "A.crd", "vals": "w"}, made) == ("A.crd", "w")
    made = behind(DENSE["row times vector"], "represent(A, csr)").program.derivations
    assert argument_of("A_pos", {}, made) == ("A.pos",)
    assert argument_of("A_vals", {"A": "M"}, made) == ("M.vals",)
    made = behind(CASES["P4"].text, "unpack(rows)").program.derivations
    assert argument_of("rows_2", {"rows": "A.entries"}, made) == ("A.vals",)


def test_each_rule_has_a_law() -> None:
    for name, rule in PARAMETER_RULES.items():
        assert rule.usage.startswith(f"{name}(")
        assert "=" in rule.law
        assert rule.condition
