"""Every refusal of the core: its whole text, what it underlines, and a repair that compiles.

The programs are in ``refusals/``; a code that the core can raise and no program there meets fails the last test.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import heddle as hd
from heddle.diagnostics import Diagnostic, Fix, Location, Part, Severity
from heddle.explorer.views import compile_view
from tests.errors.refusals.assembly import ASSEMBLY
from tests.errors.refusals.balanced import BALANCED
from tests.errors.refusals.commands import COMMANDS
from tests.errors.refusals.gpu import GPU
from tests.errors.refusals.graphs import GRAPHS
from tests.errors.refusals.parallel import PARALLEL
from tests.errors.refusals.positions import POSITIONS
from tests.errors.refusals.programs import PROGRAMS
from tests.errors.refusals.refused import Refused
from tests.errors.refusals.slots import SLOTS
from tests.errors.refusals.text import TEXT

COMPILER = Path(__file__).resolve().parents[2] / "compiler" / "heddle"
ELSEWHERE = [
    Path(__file__).parent / name
    for name in ("compositions/test_part_schedules.py", "test_comprehension_calls.py", "test_fusion_schedules.py")
]
"""What only parts, comprehensions and programs of several statements meet is tested with them."""
CORE = (
    *sorted(COMPILER.glob("schedule/**/*.py")),
    *sorted(COMPILER.glob("iteration_graph/**/*.py")),
    COMPILER / "lowering/gpu/uniform_code.py",
    COMPILER / "semantics/support.py",
    COMPILER / "formats/level_problems.py",
    COMPILER / "semantics/operation_types.py",
    COMPILER / "pipeline.py",
    COMPILER / "stages/scheduled_loops.py",
    COMPILER / "semantics/target_support.py",
)
WHOLE = (
    "plan/target",
    "schedule/unit-of-target",
    "schedule/prefetch-target",
    "schedule/append-order",
    "schedule/append-parallel",
    "schedule/workspace-parallel",
    "schedule/workspace-blocks",
    "schedule/gpu-assembly",
    "schedule/gpu-race",
    "schedule/gpu-reduction",
    "schedule/gpu-unmapped",
    "schedule/gpu-workspace",
    "schedule/workspace-tiles",
    "schedule/workspace-positions",
    "schedule/workspace-order",
)
"""Asked after the last command."""
REFUSED = (*TEXT, *COMMANDS, *POSITIONS, *BALANCED, *GRAPHS, *PARALLEL, *GPU, *ASSEMBLY, *PROGRAMS, *SLOTS)
CASES = [pytest.param(one, id=f"{one.code} {' '.join(one.schedule[-1:]) or one.expression}") for one in REFUSED]


def lower(case: Refused) -> hd.CompileResult:
    return hd.lower(case.expression, case.formats, case.schedule, case.target, case.dtypes, fills=case.fills)


def pointed(case: Refused, location: Location) -> str | None:
    """The text that the page underlines, or the name of what has no text of its own."""
    match location.part:
        case Part.SCHEDULE:
            assert location.command == len(case.schedule) - 1
            return case.schedule[-1][location.start : location.end]
        case Part.EXPRESSION:
            return case.expression[location.start : location.end]
        case Part.FORMAT:
            return location.tensor
        case Part.PLAN:
            return location.path
        case _:
            raise AssertionError(f"unexpected part {location.part}")


def repaired(case: Refused, fix: Fix) -> hd.CompileResult:
    return hd.lower(
        case.expression if fix.expression is None else fix.expression,
        {**case.formats, **(fix.formats or {})},
        case.schedule if fix.schedule is None else fix.schedule,
        case.target,
        case.dtypes,
        options=fix.options,
        fills=case.fills,
    )


@pytest.mark.parametrize("case", CASES)
def test_refused_with_a_text_a_place_and_a_repair(case: Refused) -> None:
    (diagnostic,) = lower(case).diagnostics
    assert (diagnostic.code, diagnostic.message) == (case.code, case.message)
    assert diagnostic.severity is (Severity.WARNING if case.warning else Severity.ERROR)
    assert diagnostic.location is not None
    assert pointed(case, diagnostic.location) == case.at
    assert diagnostic.expected
    assert diagnostic.found
    titles = [fix.title for fix in diagnostic.fixes if fix.options is None]
    assert titles == ([case.fix] if case.fix is not None else [])
    for fix in diagnostic.fixes:
        assert repaired(case, fix).ok, fix


@pytest.mark.parametrize(
    "case", [one for one in REFUSED if one.schedule and not one.warning], ids=lambda one: " ".join(one.schedule)
)
def test_everything_before_the_command_at_fault_is_kept(case: Refused) -> None:
    view = compile_view(lower(case))
    statuses = [command["status"] for command in view["commands"]]
    whole = case.code in WHOLE
    assert statuses == ["applied"] * (len(case.schedule) - (not whole)) + ["failed"] * (not whole)
    assert view["graph"] is not None
    assert view["code"] is None


@pytest.mark.parametrize("case", [one for one in REFUSED if one.warning], ids=lambda one: " ".join(one.schedule))
def test_a_command_with_a_warning_applies_and_changes_nothing(case: Refused) -> None:
    view, without = compile_view(lower(case)), compile_view(hd.lower(case.expression, case.formats))
    assert [command["status"] for command in view["commands"]] == ["applied"]
    assert view["code"] is not None
    assert view["code"]["text"].replace(case.schedule[0], "") == without["code"]["text"]


def accepted(expression: str, formats: dict[str, str], *schedule: str) -> tuple[Diagnostic, ...]:
    return hd.lower(expression, formats, schedule).diagnostics


def test_what_the_messages_advise_compiles() -> None:
    """Advice that is not offered as a repair."""
    spmv, csr = "y(i) = A(i,j) * x(j)", {"A": "csr"}
    addition, both = "C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr"}
    assert not accepted(spmv, csr, "fuse(i, j, f)", "pos(f, fpos, A)", "split(fpos, f0, f1, 4)")
    assert not accepted(addition, both, "split(j, j0, j1, 64)", "parallelize(j0, CPUThread, NoRaces)")
    assert not accepted(spmv, csr, "parallelize(i, CPUThread, NoRaces)")
    assert not accepted("C(i,j) = a(i) * b(j)", {}, "fuse(i, j, f)", "parallelize(f, CPUThread, NoRaces)")


def test_no_code_of_the_core_is_untested() -> None:
    raised = {code for path in CORE for code in re.findall(r'"([a-z]+/[a-z-]+)"', path.read_text(encoding="utf-8"))}
    texts = (path.read_text(encoding="utf-8") for path in ELSEWHERE)
    tested = {code for text in texts for code in re.findall(r'"((?:schedule|format)/[a-z-]+)"', text)}
    assert raised == {one.code for one in REFUSED} | (raised & tested)


def test_a_tensor_read_in_two_orders_can_be_passed_twice() -> None:
    (diagnostic,) = accepted("C(i,j) = A(i,j) * A(j,i)", {"A": "csr"})
    assert diagnostic.hint == (
        "Give one of the two a name of its own, and pass A a second time for it, stored in the other order."
    )
    assert not accepted("C(i,j) = A(i,j) * B(j,i)", {"A": "csr", "B": "csc"})
