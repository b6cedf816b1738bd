"""Plans in other forms."""

from __future__ import annotations

import pytest

from heddle.diagnostics import CompileError
from heddle.plan import parse_plan, plan_hash
from heddle.schedule.registry import COMMANDS
from heddle_server.exports.registry import EXPORTS, export_text
from heddle_server.exports.taco_command import TACO_COMMANDS
from heddle_server.schema.export import ExportKind

PLAN = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csc"}},
    "schedule": ["split(j, j0, j1, 32)"],
}


def test_the_api_offers_what_there_is() -> None:
    assert set(ExportKind.__args__) == set(EXPORTS)  # type: ignore[attr-defined]


def test_the_taco_command_line() -> None:
    assert export_text(PLAN, "taco") == "taco 'y(i) = A(i,j) * x(j)' -f=A:ds:1,0 '-s=split(j,j0,j1,32)'\n"
    dia = {**PLAN, "tensors": {"A": {"format": "dia"}}, "schedule": []}
    assert export_text(dia, "taco").startswith("# A: TACO has no letters for its format\ntaco ")


def test_a_taco_command_line_starts_where_taco_starts() -> None:
    spmm = {"expression": "C(i,k) = A(i,j) * B(j,k)", "tensors": {"A": {"format": "csr"}}, "schedule": ["unroll(k, 2)"]}
    command = "taco 'C(i,k) = A(i,j) * B(j,k)' -f=A:ds"
    assert export_text({**spmm, "version": 1}, "taco") == f"{command} '-s=unroll(k,2)'\n"
    assert export_text({**spmm, "version": 2}, "taco") == f"{command} '-s=reorder(i,j,k)' '-s=unroll(k,2)'\n"


@pytest.mark.parametrize(
    ("expression", "command"),
    [
        ("t(i) = A(i,j) * x(j); y(i) = t(i) * z(i)", "inline(t)"),
        ("y(i) = A(i,j) * x(j)", "balance(i, i0, i1, A, 4)"),
        ("y(i) = A(i,j) * x(j)", "prefetch(x(j), 16)"),
    ],
)
def test_commands_that_taco_lacks_are_said_to_be_ours(expression: str, command: str) -> None:
    """``balance`` and ``prefetch`` were handed to TACO, which ignores what it does not know."""
    plan = {"version": 2, "expression": expression, "tensors": {"A": {"format": "csr"}}, "schedule": [command]}
    text = export_text(plan, "taco")
    assert text.startswith(f"# TACO does not know {command}\ntaco ")
    assert "-s=" not in text.replace("-s=reorder", "")


def test_whatever_taco_is_said_to_know_is_a_command() -> None:
    assert set(TACO_COMMANDS) < set(COMMANDS)


def test_a_sum_of_parts_is_said_not_to_be_taco_s() -> None:
    parts = {**PLAN, "version": 2, "tensors": {"A": {"format": "hyb(1,1)"}}, "schedule": []}
    assert export_text(parts, "taco") == f"# A: TACO has no letters for its format\ntaco '{PLAN['expression']}'\n"


def test_a_kernel_says_what_made_it() -> None:
    lines = export_text(PLAN, "c").splitlines()
    assert lines[0].endswith(f"from plan {plan_hash(parse_plan(PLAN))}")
    assert lines[1:4] == ["// y(i) = A(i,j) * x(j)", "// A: csc", "// schedule: split(j, j0, j1, 32)"]
    assert "A2_pos[j]" in "".join(lines[4:])


def test_the_citation_names_the_plan() -> None:
    assert f"plan {plan_hash(parse_plan(PLAN))}}}" in export_text(PLAN, "bibtex")


def test_a_plan_that_does_not_compile_is_not_exported() -> None:
    with pytest.raises(CompileError):
        export_text({**PLAN, "schedule": ["split(q, q0, q1, 8)"]}, "c")
