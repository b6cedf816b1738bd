"""The repair that removes a command takes along what needs its variables, and leaves a schedule that compiles."""

from __future__ import annotations

import pytest

import heddle as hd

SPMV = "y(i) = A(i,j) * x(j)"


@pytest.mark.parametrize(
    ("schedule", "title", "left"),
    [
        (("pos(j, p, B)", "unroll(i, 4)"), "Remove pos(j, p, B)", ("unroll(i, 4)",)),
        (
            ("pos(j, p, B)", "split(p, p0, p1, 4)", "unroll(p1, 2)", "parallelize(i, CPUThread, NoRaces)"),
            "Remove pos(j, p, B) and what needs p",
            ("parallelize(i, CPUThread, NoRaces)",),
        ),
        (
            ("split(i, i0, i1, 4)", "pos(j, p, B)", "reorder(i0, i1, p)"),
            "Remove pos(j, p, B) and what needs p",
            ("split(i, i0, i1, 4)", "reorder(i0, i1)"),
        ),
    ],
)
def test_removal(schedule: tuple[str, ...], title: str, left: tuple[str, ...]) -> None:
    (diagnostic,) = hd.lower(SPMV, {"A": "csr"}, schedule).diagnostics
    (fix,) = diagnostic.fixes
    assert (fix.title, fix.schedule) == (title, left)
    assert hd.lower(SPMV, {"A": "csr"}, left).ok


def test_a_later_line_that_is_no_command_stays() -> None:
    (diagnostic,) = hd.lower(SPMV, {"A": "csr"}, ("pos(j, p, B)", "splt(p")).diagnostics
    assert diagnostic.fixes[0].schedule == ("splt(p",)
