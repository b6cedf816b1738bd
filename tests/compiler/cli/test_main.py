from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from heddle.cli.main import main
from heddle.lowering.passes import PASSES
from heddle.plan import parse_plan, plan_hash

SPMV = "y(i) = A(i,j) * x(j)"
TILED = "split(i,i0,i1,32)\nparallelize(i0,CPUThread,NoRaces)"

TWICE = "nFun(n => fun(x: [float]_n => x :>> map(fun(v => v * 2.0))))"


def shell(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["compile", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def view(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    status, out, _ = shell(capsys, *arguments, "--emit", "json")
    assert status == 0
    document: dict[str, object] = json.loads(out)
    return document


def test_c_is_what_one_gets(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = shell(capsys, "--expression", SPMV, "-f", "A:csr", "-s", TILED)
    assert (status, err) == (0, "")
    assert "int32_t kernel(" in out
    assert "#pragma omp parallel for" in out
    assert shell(capsys, "--expression", SPMV, "-f", "A:csr", "-s", TILED, "--emit", "c")[1] == out


@pytest.mark.parametrize(
    ("emit", "piece"),
    [
        ("loops", "A2_crd[jA]"),
        ("structured", "A.level2.crd[i, jA]"),
        ("graph", "∀j"),
        ("graph", "split(i, i0, i1, 32)"),
        ("tree", "Band i0, i1, j; coincident: i0, i1"),
    ],
)
def test_the_stages(capsys: pytest.CaptureFixture[str], emit: str, piece: str) -> None:
    status, out, _ = shell(capsys, "-e", SPMV, "-f", "A:csr", "-s", "split(i,i0,i1,32)", "--emit", emit)
    assert status == 0
    assert piece in out


TILES = ("-e", "C(i,k) = A(i,j) * B(j,k)", "-f", "A:csr")
IN_LANES = ("-s", "split(k,k0,k1,32),reorder(i,k0,j,k1),parallelize(k1,CPUVector,NoRaces)")


def test_passes_with_what_they_changed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = shell(capsys, *TILES, *IN_LANES, "--emit", "passes")
    assert status == 0
    header, lowered, *rows = [re.split(r"  +", line) for line in out.splitlines()]
    assert header == ["pass", "ms", "lines", "what it does"]
    assert (lowered[0], lowered[2:]) == ("lowered", ["21", "Loops, as lowered"])
    assert [row[0] for row in rows] == [one.name for one in PASSES]
    assert [row[3] for row in rows] == [one.summary for one in PASSES]
    changed = {row[0]: row[2] for row in rows if row[2] != "·"}
    assert changed.keys() == {"unswitch"}
    assert re.fullmatch(r"\+\d+ -\d+", changed["unswitch"])


def test_the_loops_behind_a_pass(capsys: pytest.CaptureFixture[str]) -> None:
    before, behind, later = (
        shell(capsys, *TILES, *IN_LANES, "--pass", name)[1] for name in ("partial-sums", "unswitch", "unrolled-rows")
    )
    assert before != behind == later
    assert behind == shell(capsys, *TILES, *IN_LANES, "--emit", "structured")[1]


def test_a_pass_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = shell(capsys, *TILES, "--pass", "inlining")
    assert (status, out) == (2, "")
    assert err.startswith(
        "heddle: there is no pass 'inlining'; the passes are prefetch, row-positions, straight-runs, "
    )


@pytest.mark.parametrize("asked", [("--emit", "passes"), ("--pass", "simplify")])
def test_a_compile_that_comes_to_no_loops_has_no_passes(
    capsys: pytest.CaptureFixture[str], asked: tuple[str, str]
) -> None:
    status, out, err = shell(capsys, "-e", "y(i) =", *asked)
    assert (status, out) == (1, "")
    assert "error" in err


def test_conversions_are_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    twice = ("-e", "C(i,j) = A(i,j) + A(j,i)", "-f", "A:csr")
    assert shell(capsys, *twice)[0] == 1
    made = view(capsys, *twice, "--convert", "automatic")
    assert made["plan"]["options"] == {"convert": "automatic"}
    assert made["conversions"] == [{"tensor": "A", "name": "Acopy", "format": "csc"}]


def test_tacos_texts_mean_the_same_plan(capsys: pytest.CaptureFixture[str]) -> None:
    tacos = view(capsys, "-e", SPMV, "-f=A:ds:1,0", "-s=split(j,j0,j1,32),reorder(j0,j1,i)")
    ours = view(capsys, "-e", SPMV, "-f", "A:ds:1,0", "-s", r"split(j,j0,j1,32)\nreorder(j0,j1,i)")
    assert tacos["hash"] == ours["hash"]
    assert tacos["plan"] == {
        "version": 2,
        "expression": SPMV,
        "tensors": {"A": {"format": "ds:1,0"}},
        "schedule": ["split(j,j0,j1,32)", "reorder(j0,j1,i)"],
    }


def test_a_sum_of_parts_is_a_format(capsys: pytest.CaptureFixture[str]) -> None:
    spmm = ("-e", "C(i,k) = A(i,j) * B(j,k)")
    status, out, _ = shell(capsys, *spmm, "-f", "A:hyb(2,1)")
    assert (status, "A_ell2_vals" in out) == (0, True)
    status, _, err = shell(capsys, *spmm, "-f", "A:csr where lenght < 3 + csr")
    assert status == 1
    assert "did you mean length?" in err


def test_the_order_that_a_schedule_starts_from_is_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    spmm = ("-e", "C(i,k) = A(i,j) * B(j,k)", "-f=A:ds", "-s=split(k,k0,k1,32)")
    assert view(capsys, *spmm)["graph"]["chains"] == [["i", "j", "k0", "k1"]]
    assert view(capsys, *spmm, "--plan-version", "1")["graph"]["chains"] == [["i", "k0", "k1", "j"]]


def test_a_plan_file_and_options_that_change_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = {"expression": SPMV, "tensors": {"A": {"format": "dense"}}, "schedule": ["split(i,i0,i1,4)"]}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(document))
    assert view(capsys, str(path))["hash"] == plan_hash(parse_plan(document))
    changed = view(
        capsys, str(path), "-f", "A:csr", "--dtype", "A:float32", "--shape", "A:8,4", "-s", "split(i,i0,i1,8)"
    )
    assert changed["plan"] == {
        "version": 1,
        "expression": SPMV,
        "tensors": {"A": {"format": "csr", "dtype": "float32", "shape": [8, 4]}},
        "schedule": ["split(i,i0,i1,8)"],
    }


def test_a_plan_on_the_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps({"expression": SPMV})))
    assert view(capsys, "-")["plan"] == {"version": 1, "expression": SPMV}


def test_an_error_is_underlined_and_ends_in_1(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = shell(capsys, "--expression", "y(i) = A(i,j * x(j)")
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "error: expected `,` or `)`, found `*` [expression/syntax]",
        "  expression: y(i) = A(i,j * x(j)",
        "                           ^",
    ]


def test_json_shows_an_error_too(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = shell(capsys, "-e", SPMV, "-f", "A:crs", "--emit", "json")
    assert status == 1
    assert json.loads(out)["diagnostics"][0]["code"] == "format/unknown"
    assert "did you mean csr?" in err


def test_an_error_of_the_plan_has_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = shell(capsys, "-e", SPMV, "-f", "B:csr")
    assert status == 1
    assert err.splitlines()[:2] == [
        "error: tensors has an entry for B, which the expression does not use [plan/unknown-tensor]",
        "  at /tensors/B",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], 'give a plan or an expression, e.g. --expression "y(i) = A(i,j) * x(j)"'),
        (["y=x"], "'y=x' is not a file; give an expression as --expression \"y=x\""),
        (["-e", SPMV, "-f", "csr"], "--format takes TENSOR:VALUE, found 'csr'"),
        (["-e", SPMV, "--shape", "A:4x4"], "--shape takes sizes separated by commas, found '4x4'"),
    ],
)
def test_arguments_that_make_no_plan(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert shell(capsys, *arguments) == (2, "", f"heddle: {message}\n")


@pytest.mark.parametrize("form", ["A:csr", "A=csr", "A = csr"])
def test_a_format_stands_behind_a_colon_or_an_equals_sign(capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert "A2_pos" in shell(capsys, "-e", SPMV, "--format", form)[1]


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert shell(capsys, "/nowhere/plan.json") == (1, "", "heddle: /nowhere/plan.json does not exist\n")


def test_a_file_that_begins_as_editors_of_windows_write_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(b"\xef\xbb\xbf" + b'{"expression": "y(i) = x(i)"}')
    assert shell(capsys, str(path), "--emit", "graph")[0] == 0


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000])
def test_a_file_that_is_not_json(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    status, _, err = shell(capsys, str(path))
    assert status == 1
    assert err.startswith(f"heddle: {path} is not JSON")


def test_a_file_that_is_too_large(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(" " * (1 << 20) + "{}")
    assert shell(capsys, str(path)) == (
        1,
        "",
        f"heddle: {path} has more than 1,048,576 characters, the most that a plan may have\n",
    )


def test_wrong_usage_ends_in_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["compile", "--emit", "fortran"])
    assert caught.value.code == 2
    assert "--emit: expected one of c, cuda, opencl" in capsys.readouterr().err


def test_as_a_module() -> None:
    command = [sys.executable, "-m", "heddle.cli", "compile", "--expression", SPMV, "--emit", "graph"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    assert "y(i) += A(i,j) * x(j)" in done.stdout


def test_the_language_of_the_expression(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "language" not in view(capsys, "-e", SPMV, "--language", "notation")["plan"]  # type: ignore[operator]
    status, out, err = shell(capsys, "-e", SPMV, "--language", "recipes")
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "error: this Heddle reads expressions in notation (index notation), patterns, comprehension (tensor "
        "comprehensions), found the text `recipes` [plan/language]",
        "  at /language",
        "  hint: a newer Heddle may have written it",
        "  possible: notation, patterns, comprehension",
    ]
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"expression": SPMV, "language": "recipes"}))
    assert shell(capsys, str(plan))[0] == 1
    assert shell(capsys, str(plan), "--language", "notation")[0] == 0


@pytest.mark.parametrize("target", ["c", "opencl", "cuda"])
def test_the_code_of_a_program_in_patterns(capsys: pytest.CaptureFixture[str], target: str) -> None:
    status, out, err = shell(capsys, "-e", TWICE, "--language", "patterns", "--emit", target)
    assert (status, err) == (0, "")
    assert "2.0" in out
    assert "kernel" in out


def test_a_stage_that_a_program_in_patterns_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = shell(capsys, "-e", TWICE, "--language", "patterns", "--emit", "graph")
    assert (status, out) == (1, "")
    assert err == "heddle: there is nothing to print for --emit graph: a program in patterns has no such stage\n"
