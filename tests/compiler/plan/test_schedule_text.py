from __future__ import annotations

import pytest

from heddle.plan import split_schedule


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("", ()),
        ("\n  \n# nothing\n// here\n", ()),
        (
            "split(i,i0,i1,32)\nparallelize(i0,CPUThread,NoRaces)",
            ("split(i,i0,i1,32)", "parallelize(i0,CPUThread,NoRaces)"),
        ),
        ("split(i,i0,i1,32),reorder(i0,i1)", ("split(i,i0,i1,32)", "reorder(i0,i1)")),
        ("pos(j,p,A) ; unroll(p,2) ;", ("pos(j,p,A)", "unroll(p,2)")),
        ("precompute(A(i,j)*x(j),j,jw),unroll(j,2)", ("precompute(A(i,j)*x(j),j,jw)", "unroll(j,2)")),
        ("unroll(j,2) # twice", ("unroll(j,2)",)),
        ("unroll(j,2),", ("unroll(j,2)",)),
        ("reorder i, j", ("reorder i, j",)),
        ("split(i, i0\nreorder(i, j)", ("split(i, i0", "reorder(i, j)")),
        ("unroll(j,2)),unroll(k,2)", ("unroll(j,2))", "unroll(k,2)")),
    ],
)
def test_commands_of_a_text(text: str, commands: tuple[str, ...]) -> None:
    assert split_schedule(text) == commands
