"""What may come next: every legal candidate compiles, every command that applies is listed, refusals say why."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace

import pytest

import heddle as hd
from heddle import legal_commands
from heddle.diagnostics import CompileError, Diagnostic, Severity
from heddle.iteration_graph.analysis.append_order import check_append
from heddle.iteration_graph.graph.nodes import IterationGraph, UnrollTag
from heddle.iteration_graph.graph.provenance import loop_variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.transform.workspaces import with_workspace
from heddle.plan import Plan
from heddle.schedule import automatic_workspace
from heddle.schedule.apply import apply
from heddle.schedule.automatic_workspace import add_automatic_workspace
from heddle.schedule.legal import ALL_ORDERS, Candidate, legal
from heddle.schedule.registry import COMMANDS
from heddle.schedule.syntax.parser import parse_command
from tests.fuzz.schedules import draw_command, draw_program

pytestmark = pytest.mark.takes_turns(4)

SPMV, CSR = "y(i) = A(i,j) * x(j)", {"A": "csr"}
UNITS = ("CPUThread", "CPUVector")


def candidates(
    *schedule: str, expression: str = SPMV, formats: dict[str, str] | None = None
) -> dict[str, dict[str, Candidate]]:
    """By command and text."""
    graph = hd.lower(expression, CSR if formats is None else formats, schedule).graph
    assert graph is not None
    return {one.name: {c.text: c for c in one.candidates} for one in legal(graph, schedule, UNITS)}


def texts(found: dict[str, Candidate]) -> set[str]:
    return {text for text, candidate in found.items() if candidate.reason is None}


def test_every_command_is_asked() -> None:
    assert set(candidates()) == set(COMMANDS)


def test_spmv() -> None:
    found = candidates()
    assert texts(found["fuse"]) == {"fuse(i, j, f)"}
    assert texts(found["pos"]) == {"pos(j, jpos, A)"}
    assert texts(found["unroll"]) == {f"unroll({v}, {n})" for v in "ij" for n in (2, 4, 8)}
    assert "split(i, i0, i1, 16)" in texts(found["split"])
    assert texts(found["coord"]) == texts(found["mergeby"]) == set()


def test_a_refusal_has_the_reason_and_the_closest_legal_command() -> None:
    found = candidates("pos(j, p, A)", "split(p, p0, p1, 4)")
    refused = found["coord"]["coord(p0, p0crd)"]
    assert refused.why_not is not None
    assert refused.why_not.code == "schedule/coord-of-tile"
    assert refused.why_not.fixes[0].schedule == ("pos(j, p, A)", "split(p, p0, p1, 4)", "coord(p1, p0crd)")
    assert refused.instead == "coord(p1, p1crd)"
    assert refused.variables == ("p0",)


def test_the_advice_of_a_refusal_comes_first_among_equally_close_commands() -> None:
    race = candidates()["parallelize"]["parallelize(j, CPUThread, NoRaces)"]
    assert race.instead == "parallelize(j, CPUThread, ParallelReduction)"


def test_one_reason_is_given_once() -> None:
    reasons = [c.reason.message for c in candidates()["mergeby"].values() if c.reason is not None]
    assert len(reasons) == 2  # of i and of j, not of each strategy


def test_long_nests_move_one_loop_at_a_time() -> None:
    expression = "T(i,j,k,l) = A(i,j,k,l)"
    orders = candidates("split(i, i0, i1, 4)", expression=expression, formats={})["reorder"]
    assert len(orders) == ALL_ORDERS**2
    assert "reorder(i1, j, k, l, i0)" in orders


def test_units_of_the_target() -> None:
    graph = hd.lower(SPMV, CSR).graph
    assert graph is not None
    (found,) = (one for one in legal(graph, (), ("GPUBlock",)) if one.name == "parallelize")
    assert {c.text.split(", ")[1] for c in found.candidates} == {"GPUBlock"}


def listed(expression: str, formats: dict[str, str], **arguments: object) -> dict[str, Candidate]:
    """All that ``hd.legal`` lists for a program, by text."""
    result = hd.lower(expression, formats, **arguments)  # type: ignore[arg-type]
    assert result.ok
    return {candidate.text: candidate for command in hd.legal(result) for candidate in command.candidates}


def test_what_may_come_next_comes_first() -> None:
    for command in hd.legal(hd.lower(SPMV, CSR)):
        refused = [candidate.reason is not None for candidate in command.candidates]
        assert refused == sorted(refused), command.name


def test_what_changes_nothing_has_its_reason() -> None:
    """It would be taken with a warning."""
    same = [c for c in listed("y(i) = a(i)", {}).values() if c.remark is not None]
    assert all(candidate.reason is candidate.remark for candidate in same)
    assert [candidate.text for candidate in same] == ["assemble(y, Append)", "mergeby(i, TwoFinger)"]


def test_what_only_the_lowering_for_a_gpu_refuses_is_refused() -> None:
    """The loops alone would take it: each block would have a workspace as large as a row."""
    grid = {"schedule": "parallelize(i, GPUBlock, IgnoreRaces)", "target": "opencl"}
    refused = listed("C(i,j) = A(j,i)", {}, **grid)["precompute(A(j,i), j, jw)"]
    assert refused.why_not is not None
    assert not hd.lower("C(i,j) = A(j,i)", {}, (grid["schedule"], refused.text), target="opencl").ok


def test_orders_that_operands_may_be_converted_for_are_offered() -> None:
    expression, formats, order = "C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr"}, "reorder(j, i)"
    assert listed(expression, formats)[order].why_not is not None
    automatic = {"convert": "automatic"}
    assert listed(expression, formats, options=automatic)[order].why_not is None
    assert hd.lower(expression, formats, order, options=automatic).ok


def test_the_loops_without_their_automatic_workspace_are_listed_as_well() -> None:
    """A workspace that somebody makes takes the place of the automatic one."""
    every = {"A": "csr", "B": "csr", "C": "csr"}
    offered = listed("C(i,k) = A(i,j) * B(j,k)", every)
    assert offered["precompute(A(i,j) * B(j,k), k, kw)"].why_not is None


def drawn(seed: int) -> tuple[IterationGraph, hd.CompileResult] | None:
    program = draw_program(seed)
    result = hd.lower(program.expression, program.formats, program.schedule)
    return (add_automatic_workspace(result.graph), result) if result.ok and result.graph is not None else None


@pytest.mark.combinations(4)
@pytest.mark.parametrize("seed", range(24))
def test_legal_candidates_of_random_programs_compile(seed: int) -> None:
    rng, found = random.Random(seed), drawn(seed)
    if found is None:
        pytest.skip("the program is refused as a whole")
    graph, result = found
    plan = result.plan
    offered = [c for one in legal(graph, plan.schedule, UNITS) for c in one.candidates if c.why_not is None]
    formats = {name: spec.format for name, spec in plan.tensors.items() if spec.format is not None}
    for candidate in rng.sample(offered, min(6, len(offered))):
        assert hd.lower(plan.expression, formats, (*plan.schedule, candidate.text)).ok, (plan, candidate)


@pytest.mark.parametrize("block", range(0, 40, 20))
def test_what_applies_is_listed_up_to_numbers_and_names(block: int) -> None:
    for seed in range(block, block + 20):
        found = drawn(seed)
        if found is None:
            continue
        graph, result = found
        schedule = result.plan.schedule
        listed = {one.name: one.candidates for one in legal(graph, schedule, UNITS)}
        rng = random.Random(seed)
        for _ in range(12):
            text = draw_command(rng, graph, 50)
            parsed = parse_command(text, len(schedule))
            try:
                changed = apply(graph, parsed, (*schedule, text))
                if changed.remarks != graph.remarks:
                    continue  # it would change nothing
                check_append(changed)
            except (CompileError, Refusal):
                continue
            if parsed.spec.name == "reorder" and not new_order(graph, text):
                continue
            if parsed.spec.name == "parallelize" and not any(unit in text for unit in UNITS):
                continue
            if parsed.spec.name == "precompute":
                continue  # an expression has more parts than a list can show
            wanted = essence(graph, text)
            same = [c.text for c in listed[parsed.spec.name] if c.why_not is None and essence(graph, c.text) == wanted]
            assert same, (result.plan, text)


def new_order(graph: IterationGraph, text: str) -> bool:
    """Whether a reorder of all the loops of a short nest changes their order."""
    chain = loop_variables(graph.statement)
    return len(chain) <= ALL_ORDERS and apply(graph, parse_command(text, 99), (text,)).statement != graph.statement


def essence(graph: IterationGraph, text: str) -> object:
    """A command without its numbers and new names; a reorder by what comes of it."""
    parsed = parse_command(text, 99)
    if parsed.spec.name == "reorder":
        return apply(graph, parsed, (text,)).statement
    pairs = zip(parsed.spec.parameters, parsed.arguments, strict=False)
    free = ("integer", "new-variable", "new-variable-set", "new-tensor")
    return [argument.text for p, argument in pairs if p.kind not in free and not p.optional]


def test_a_command_that_changes_nothing_is_no_refusal() -> None:
    merge = candidates()["mergeby"]["mergeby(j, TwoFinger)"]
    assert merge.why_not is None
    assert merge.remark is not None
    assert merge.remark.code == "schedule/nothing-to-merge"
    assert hd.lower(SPMV, CSR, merge.text).ok


TERMS = [f"B{number}(i,j)" for number in range(12)]
SPARSE = dict.fromkeys([*(term.removesuffix("(i,j)") for term in TERMS), "A"], "csr")


def test_operands_that_meet_in_a_merge_are_no_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loops alone answer for long sums: a compile of each candidate would take many times as long."""

    def refuse(plan: Plan, program: hd.CompileResult) -> hd.CompileResult:
        raise AssertionError(f"{plan.schedule} is compiled behind {program.plan.schedule}")

    result = hd.lower(f"A(i,j) = {' + '.join(TERMS)}", SPARSE)
    monkeypatch.setattr(legal_commands, "judge", refuse)
    (split,) = [command for command in hd.legal(result) if command.name == "split"]
    assert any(candidate.why_not is None for candidate in split.candidates)


def test_what_would_be_searched_too_often_is_refused() -> None:
    result = hd.lower(f"y(i) = A(i,j) * ({' + '.join(TERMS)})", SPARSE)
    (pos,) = [command for command in hd.legal(result) if command.name == "pos"]
    reasons = {candidate.text: candidate.why_not for candidate in pos.candidates}
    assert reasons["pos(j, jpos, A)"] is not None
    assert reasons["pos(j, jpos, A)"].code == "schedule/many-searches"


def test_the_automatic_workspace_is_made_once_for_all_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[IterationGraph] = []

    def count(graph: IterationGraph) -> IterationGraph:
        made.append(graph)
        return with_workspace(graph)

    result = hd.lower("C(i,k) = A(i,j) * B(j,k)", dict.fromkeys("ABC", "csr"))
    monkeypatch.setattr(automatic_workspace, "with_workspace", count)
    assert result.graph is not None
    assert len(hd.legal(replace(result.graph))) > 10
    assert len(made) == 1


@pytest.mark.combinations(3)
@pytest.mark.parametrize("seed", range(100, 180))
def test_candidates_are_what_a_compile_says(seed: int) -> None:
    """What candidates share, and the sizes that are not tried, decide nothing."""
    program = draw_program(seed)
    result = hd.lower(program.expression, program.formats, program.schedule)
    if not result.ok:
        pytest.skip("the program is refused as a whole")
    every = [candidate for command in hd.legal(result) for candidate in command.candidates]
    for candidate in random.Random(seed).sample(every, min(40, len(every))):
        said = hd.lower(program.expression, program.formats, (*program.schedule, candidate.text)).diagnostics
        errors = [diagnostic for diagnostic in said if diagnostic.severity is Severity.ERROR]
        assert bare(candidate, candidate.why_not) == bare(candidate, errors[0] if errors else None)


def bare(candidate: Candidate, reason: Diagnostic | None) -> tuple[str, str, str] | None:
    """A refusal without the command, of which a compile says nothing where only the loops behind it are refused."""
    if reason is None:
        return None
    return candidate.text, reason.code, reason.message.removeprefix(f"`{candidate.text}`: ")


def test_graphs_that_differ_in_tags_have_one_memory() -> None:
    graph = hd.lower("C(i,k) = A(i,j) * B(j,k)", dict.fromkeys("ABC", "csr")).graph
    assert graph is not None
    tagged = graph.with_tags(unroll={"i": UnrollTag(4, 0)})
    assert tagged == replace(graph, unroll={"i": UnrollTag(4, 0)})
    assert (tagged.memo is graph.memo, tagged.tag_memo is graph.tag_memo) == (True, False)
    assert pickle.loads(pickle.dumps(tagged)) == tagged
    assert replace(tagged, unroll={}).memo is not graph.memo
