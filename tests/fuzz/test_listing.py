"""What may come next, listed for the programs of every fuzzer: it never fails, and never lies.

HEDDLE_FUZZ_PROGRAMS=20000 lists that many; ./heddle fuzz --listing goes on for a given time, on all cores.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

import heddle as hd
from heddle.pipeline import lower
from tests.fuzz import __main__ as fuzz
from tests.fuzz import check_listing as checking
from tests.fuzz import workers
from tests.fuzz.check_listing import Listed, check_listing
from tests.fuzz.listed_programs import DRAWS, draw_plan

PROGRAMS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "288"))
BLOCK = 18


@pytest.mark.combinations(16)
@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_what_is_listed_is_what_a_compile_says(block: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(block, min(block + BLOCK, PROGRAMS)):
        listed = check_listing(draw_plan(seed), seed)
        counts.update(offered=listed.offered, refused=listed.refused)
    assert min(counts["offered"], counts["refused"]) > BLOCK


def test_programs_of_every_kind_are_drawn() -> None:
    """With scalars, numbers, several statements, several results and compositions."""
    plans = [draw_plan(seed) for seed in range(8 * len(DRAWS))]
    texts = [plan.expression for plan in plans]
    assert sum("alpha" in text for text in texts) >= 8
    assert sum("float a" in text for text in texts) >= 4
    assert sum(";" in text for text in texts) >= 4
    assert sum(text.count("def f") == 1 and "), (" not in text and ", T" in text for text in texts) >= 2
    assert sum(any("where" in (one.format or "") for one in plan.tensors.values()) for plan in plans) >= 4
    assert {"c", "cuda", "opencl"} <= {plan.target for plan in plans}


def test_a_command_that_is_offered_and_refused_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(result: hd.CompileResult) -> tuple[object, ...]:
        changed = [
            type(command)(command.name, tuple(type(one)(one.text, one.variables) for one in command.candidates))
            for command in right(result)
        ]
        return tuple(changed)

    right = hd.legal
    monkeypatch.setattr(checking.hd, "legal", lie)
    with pytest.raises(AssertionError, match="offered, but refused"):
        check_listing(lower(draw_plan(0)).plan, 0, 50)


def test_a_command_that_is_refused_and_compiles_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(result: hd.CompileResult) -> tuple[object, ...]:
        why_not = hd.Diagnostic("schedule/never", "it is not to be")
        return tuple(
            type(command)(command.name, tuple(type(one)(one.text, (), why_not) for one in command.candidates))
            for command in right(result)
        )

    right = hd.legal
    monkeypatch.setattr(checking.hd, "legal", refuse)
    with pytest.raises(AssertionError, match="but it compiles"):
        check_listing(lower(draw_plan(0)).plan, 0, 50)


def test_the_command_lists_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    report = workers.check_listed(0, ())
    assert report.kind == workers.RIGHT
    assert report.commands > 0
    monkeypatch.setattr(workers, "check_listing", lambda *_: Listed(2, 1))
    monkeypatch.setattr(fuzz, "reports", lambda *_: iter([workers.check_listed(1, ())]))
    assert fuzz.main(["--listing"]) == 0
    assert "1 programs with 3 commands" in capsys.readouterr().out
