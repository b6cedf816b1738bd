"""Texts from elsewhere become plans, and what does not is said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from heddle.diagnostics import CompileError
from heddle.frontends.table import DEFAULT_LANGUAGE
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan, plan_from_arguments
from heddle_server import cli
from heddle_server.exports.registry import export_text
from heddle_server.imports.import_plan import import_view
from heddle_server.imports.import_schema import ImportView
from tests.cases.program import Case, read_cases

ROOT = Path(__file__).resolve().parents[3]
OPEN = parse_plan({"version": 2, "expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}})
OTHER = Plan("a = b(i)")
EXAMPLES = sorted((ROOT / "backend/heddle_server/examples").glob("*.json"))


def plan_of(path: Path) -> dict[str, Any]:
    plan: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["plan"]
    return plan


IN_NOTATION = [path for path in EXAMPLES if plan_of(path).get("language", DEFAULT_LANGUAGE) == DEFAULT_LANGUAGE]
"""TACO's command line is for index notation alone."""
APPENDIX = re.split(r"\n(?=A\.\d+\. )", (ROOT / "tests/backend/imports/appendix.txt").read_text(encoding="utf-8"))
GPU = ("parallelize(block, GPUBlock, IgnoreRaces)", "parallelize(warp, GPUWarp, IgnoreRaces)")


def read(text: str, current: Plan = OPEN) -> tuple[Plan, ImportView]:
    view = import_view(text, current)
    assert view["ok"], view["notes"]
    return parse_plan(view["plan"]), view


def left(view: ImportView) -> dict[str, str]:
    return {one["text"]: one["why"] for one in view["left"]}


def code(plan: Plan) -> str:
    result = lower(plan)
    result.raise_errors()
    assert result.source is not None
    # Lines name the command that made them, in its own spelling.
    return re.sub(r"\s*//.*", "", result.source.text)


def test_mapping_options_become_commands_for_the_program_that_is_open() -> None:
    text = "def mm(float(M,K) A, float(K,N) B) -> (C) { C(m,n) +=! A(m,kk) * B(kk,n) }"
    current = Plan(text, language="comprehension")
    plan, view = read("MappingOptions('naive').mapToThreads(64, 64).useReadOnlyCache(True)", current)
    assert (plan.expression, plan.language) == (text, "comprehension")
    assert plan.schedule[0] == "split(m, m0, m1, 32)"
    assert view["title"] == "mapping options of Tensor Comprehensions"
    assert view["taken"] == [f"{len(plan.schedule)} commands of the schedule"]
    assert "tile(32, 32, 32): 3 loops are cut into tiles." in view["notes"]
    assert left(view) == {
        "mapToThreads(64, 64)": "A block has at most 1,024 threads, and 64 × 64 are 4,096.",
        "useReadOnlyCache(True)": "The compiler of the target chooses how operands are loaded.",
    }
    assert code(plan)


def test_mapping_options_that_are_no_options_are_not_read() -> None:
    view = import_view("MappingOptions('quick')", OPEN)
    assert not view["ok"]
    assert view["notes"][0].startswith("The text is not whole: MappingOptions('quick') is not a preset: unmapped, ")


def test_a_command_line_says_expression_formats_types_sizes_schedule_and_target() -> None:
    plan, view = read(
        "$ ./bin/taco “y(i) = A(i,j) * x(j)” -f=A:ds -t=A:float -d=i:64 -d=j:32 \\\n"
        '  -s="split(i,i0,i1,32),reorder(i0,i1,j)" -s=parallelize(i0,CPUThread,NoRaces) -nthreads=4'.replace(
            "-s=parallelize(i0,CPUThread,NoRaces)", "'-s=parallelize(i0,CPUThread,NoRaces)'"
        )
    )
    assert plan.expression == "y(i) = A(i,j) * x(j)"
    spec = plan.tensors["A"]
    assert (spec.format, spec.dtype, spec.shape) == ("csr", "float32", (64, 32))
    assert plan.tensors["x"].shape == (32,)
    assert plan.schedule == ("split(i, i0, i1, 32)", "reorder(i0, i1, j)", "parallelize(i0, CPUThread, NoRaces)")
    assert (plan.target, plan.run.threads) == ("c", 4)
    assert "A stored as ds, which is csr here" in view["taken"]
    assert view["left"] == []
    assert view["diagnostics"] == []


def test_nothing_is_refused_silently() -> None:
    text = (
        "# a comment\n"
        "taco 'y(i) = A(i,j) * x(j)' 'z = 1' -f=A:ss -f=A:ds -f=Q:ds -t=x:quad -d=i:9 -d=j:many -i=A:a.mtx -g=x:d "
        "-print-nocolor -time=10 -frobnicate"
    )
    plan, view = read(text)
    assert plan.tensors["A"].format == "csr"
    assert set(left(view)) == {
        *("a comment", "z = 1", "-f=A:ss", "Q: ds", "-t=x:quad", "-d=i:9", "-d=j:many", "-i=A:a.mtx", "-g=x:d"),
        *("-print-nocolor", "-time=10", "-frobnicate"),
    } - {"-d=i:9"}
    assert left(view)["Q: ds"] == "Q is not a tensor of the expression."
    assert all(why.endswith(".") for why in left(view).values())
    assert plan.tensors["y"].shape == (9,)


def test_a_size_that_no_whole_tensor_has_is_left_out() -> None:
    _, view = read("taco 'y(i) = A(i,j) * x(j)' -f=A:ds -d=j:5")
    assert left(view) == {}
    _, view = read("taco 'C(i,k) = A(i,j) * B(j,k)' -d=j:5")
    assert list(left(view)) == ["-d=j:5"]


def test_gpu_units_choose_a_target_and_say_so() -> None:
    schedule = "split(i,block,thread,256),parallelize(block,GPUBlock,NoRaces),parallelize(thread,GPUThread,NoRaces)"
    plan, view = read(f"taco 'y(i) = A(i,j) * x(j)' -f=A:ds -s='{schedule}'")
    assert plan.target == "cuda"
    assert "The schedule runs loops on units of a GPU: the target is cuda." in view["notes"]
    plan, view = read(f"taco 'y(i) = A(i,j) * x(j)' -f=A:ds -cuda -s='{schedule}'")
    assert (plan.target, view["notes"]) == ("cuda", [])


def test_commands_alone_change_the_schedule_of_the_open_plan() -> None:
    plan, view = read("split(i,i0,i1,8), unroll(i1,8)")
    assert (plan.expression, plan.tensors) == (OPEN.expression, OPEN.tensors)
    assert plan.schedule == ("split(i, i0, i1, 8)", "unroll(i1, 8)")
    assert view["notes"] == ["The text has no expression: the schedule is for y(i) = A(i,j) * x(j)."]


def test_formats_alone_change_the_formats_of_the_open_plan() -> None:
    scheduled = plan_from_arguments(OPEN.expression, {"A": "csr"}, "split(i, i0, i1, 8)")
    plan, _ = read("taco -f=A:ss", scheduled)
    assert plan.tensors["A"].format == "dcsr"
    assert plan.schedule == scheduled.schedule


def test_another_expression_drops_the_inputs_of_the_open_plan_and_the_same_keeps_them() -> None:
    inputs = {"A": {"generator": "uniform", "shape": [4, 4], "density": 0.5, "seed": 1}}
    current = parse_plan({"version": 2, "expression": OPEN.expression, "inputs": inputs})
    assert read("taco 'y(i)=A(i,j)*x(j)' -f=A:ds", current)[0].inputs == inputs
    assert read("taco 'z(i)=A(i,j)*x(j)' -f=A:ds", current)[0].inputs == {}


PROGRAM = """
#include "taco.h"
using namespace taco;
int main(int argc, char* argv[]) {
  const int CHUNK = 4 * 4;  // rows of a tile
  int NUM_I = 1021/10;
  Format csr({Dense, Sparse});
  Tensor<float> A("A", {NUM_I, 64}, csr);
  Tensor<double> x("x", {64}, Format({Dense}));
  Tensor<double> y("y", {argc}, {Dense});
  IndexVar i("i"), j("j"), i0("i0"), i1("i1");
  y(i) = A(i, j) * x(j);
  IndexStmt stmt = y.getAssignment().concretize();
  stmt = stmt.split(i, i0, i1, CHUNK)
             .parallelize(i0, ParallelUnit::CPUThread, OutputRaceStrategy::NoRaces)
             .wsaccel(y);
  stmt = scalarPromote(stmt);
  A.pack();
  return 0;
}
"""


def test_a_program_of_the_cpp_interface() -> None:
    plan, view = read(PROGRAM)
    assert plan.expression == "y(i) = A(i, j) * x(j)"
    assert (plan.tensors["A"].format, plan.tensors["A"].dtype, plan.tensors["A"].shape) == ("csr", "float32", (102, 64))
    assert plan.tensors["x"].shape == (64,)
    assert plan.schedule == ("split(i, i0, i1, 16)", "parallelize(i0, CPUThread, NoRaces)")
    assert left(view) == {
        "y: {argc}": "Sizes that the text does not give as numbers come from the inputs.",
        "wsaccel(y)": "Heddle does not know this schedule command.",
        "scalarPromote(stmt)": "Heddle keeps sums in scalars by itself.",
        "A.pack()": "It is neither an assignment of a tensor nor a format nor a schedule command.",
    }
    assert view["diagnostics"] == []


def test_a_chain_alone_is_a_schedule() -> None:
    plan, _ = read(
        "stmt = stmt.split(i, i0, i1, 32).parallelize(i0, ParallelUnit::CPUThread, OutputRaceStrategy::NoRaces);"
    )
    assert plan.schedule == ("split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)")
    _, view = read("stmt.split(i, i0, i1, ROWS).unroll(i1, 4)")
    assert left(view) == {"split(i, i0, i1, ROWS)": "ROWS has no value in the text. Write the number in its place."}


@pytest.mark.parametrize("text", APPENDIX, ids=[text.partition(" ")[0] for text in APPENDIX])
def test_the_appendix_of_the_paper_is_read_whole_and_compiles(text: str) -> None:
    _, body = text.split("\n", 1)
    plan, view = read(body, OTHER)
    assert view["left"] == []
    assert lower(plan).ok
    calls = len(re.findall(r"\.(?:split|reorder|pos|fuse|bound|unroll|precompute|parallelize)\(", body))
    assert len(plan.schedule) == calls - any("is left out: the loops" in note for note in view["notes"])


def test_the_paper_s_numbers_are_those_of_its_experiments_and_said() -> None:
    plan, view = read(APPENDIX[1].split("\n", 1)[1], OTHER)
    assert plan.schedule == (
        "fuse(i, j, f)",
        "pos(f, fpos, A)",
        "split(fpos, block, fpos1, 2048)",
        "split(fpos1, warp, fpos2, 256)",
        "split(fpos2, thread, thread_nz, 8)",
        "reorder(block, warp, thread, thread_nz)",
        "precompute(A(i, j) * x(j), thread_nz, thread_nz_pre, precomputed)",
        "unroll(thread_nz_pre, 8)",
        *GPU,
        "parallelize(thread, GPUThread, Atomics)",
    )
    assert any("NNZ_PER_TB = 2048" in note for note in view["notes"])
    assert "The text names no format; A, whose positions are walked, is stored as csr." in view["notes"]


@pytest.mark.parametrize("path", IN_NOTATION, ids=lambda path: path.stem)
def test_an_example_comes_back_from_its_command_line(path: Path) -> None:
    comes_back(plan_of(path))


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path not in IN_NOTATION], ids=lambda path: path.stem)
def test_an_example_in_another_language_has_no_command_line(path: Path) -> None:
    with pytest.raises(CompileError) as caught:
        export_text(plan_of(path), "taco")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "export/taco-language"
    assert diagnostic.message.startswith("TACO reads index notation, and the language of this program is ")


def document_of(case: Case) -> dict[str, Any]:
    tensors: dict[str, dict[str, str]] = {name: {"format": text} for name, text in case.formats.items()}
    for name, dtype in case.dtypes.items():
        tensors.setdefault(name, {})["dtype"] = dtype
    target = {"target": "cuda"} if case.target == "gpu" else {}
    return {"version": 2, "expression": case.expression, "tensors": tensors, "schedule": list(case.schedule), **target}


CASES = [case for case in read_cases() if case.expect == "right"]


@pytest.mark.combinations(12)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case_comes_back_from_its_command_line(case: Case) -> None:
    comes_back(document_of(case))


def comes_back(document: dict[str, Any]) -> None:
    """The same code, and the same plan but for what TACO has no words for, which the export says in comments."""
    plan = parse_plan(document)
    try:
        text = export_text(document, "taco")
    except CompileError:
        pytest.skip("it does not compile as it is")
    again, view = read(text)
    if "# " in text:
        assert view["left"]
        return
    assert view["left"] == []
    assert "".join(again.expression.split()) == "".join(plan.expression.split())
    assert ["".join(one.split()) for one in again.schedule] == ["".join(one.split()) for one in plan.schedule]
    assert code(again) == code(plan)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "This is nothing that Heddle reads."),
        ("hello", "This is nothing that Heddle reads."),
        ("taco -time", "This looks like a TACO command line, but it holds no expression and no schedule."),
        ("taco 'y(i) = A(i,j", "The text is not whole: No closing quotation."),
        ("stmt.split(i, i0, i1, 32", "The text is not whole: a parenthesis is not closed."),
        ("IndexVar i) ;", "The text is not whole: a parenthesis closes nothing."),
    ],
)
def test_what_holds_no_plan_says_why(text: str, reason: str) -> None:
    view = import_view(text, OPEN)
    assert not view["ok"]
    assert view["plan"] is None
    assert view["notes"][0].startswith(reason)


def test_a_plan_as_json_is_taken_whole() -> None:
    plan, view = read(json.dumps({"version": 2, "expression": "a = b(i) * c(i)"}))
    assert plan.expression == "a = b(i) * c(i)"
    assert view["taken"] == ["the whole plan"]


@pytest.mark.parametrize("text", ["2 ** 99", "9999999 * 9999999", "f(3)", "a.b", "'x' * 9", "1 / 0", "N"])
def test_a_number_is_never_more_than_arithmetic(text: str) -> None:
    _, view = read(f"stmt.split(i, i0, i1, {text}).unroll(j, 4)")
    assert len(view["left"]) == 1


def test_the_shell_says_which_plan_is_of_another_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plan.json"
    file.write_text('{"version": 99, "expression": "y(i)=A(i,j)*x(j)"}')
    assert cli.main(["import", str(file)]) == 1
    assert capsys.readouterr().err.startswith(f"heddle: {file}: this Heddle reads plans of version 1 and 2, found the ")
