"""Random programs in patterns over ragged arrays: refused with a reason, or what they mean, in the checked interpreter
and as C."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from heddle.patterns.meaning import MeaninglessError
from heddle.patterns.rules.laws import RULES
from heddle.patterns.rules.rule import Site, pattern
from heddle.patterns.rules.steps import PARAMETER_RULES
from heddle.patterns.syntax.nodes import Term
from tests.fuzz import __main__ as fuzz
from tests.fuzz import workers
from tests.fuzz.patterns import check_pattern_program as checking
from tests.fuzz.patterns.check_pattern_program import check_pattern_program
from tests.fuzz.patterns.pattern_programs import draw_pattern_program
from tests.fuzz.patterns.pattern_steps import IN_THE_INTERPRETER, check_law, check_rule, draw_stepped_program

PROGRAMS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "160"))
BLOCK = 40
FIRST_FOR_C = 7_000_000
FOUND = (6, 91, 115, 121, 140, 253, 352, 462, 926, 1174, 21_228)
"""Seeds that found a defect once: joined rows of nothing and of rows, scattered rows, unrolled threads, pairs of arrays
in memory, proofs without end, elements of joined rows that are not there, lengths of what is added up."""


def check_block(seeds: range | tuple[int, ...], target: str) -> None:
    failures = []
    for seed in seeds:
        try:
            check_pattern_program(draw_pattern_program(seed), target)
        except Exception as error:  # the test is that there is none, of whatever kind
            failures.append(f"seed {seed} on {target}: {type(error).__name__}: {error}\n{draw_pattern_program(seed)}")
    assert not failures, "\n\n".join(failures)


@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_the_interpreter_agrees_with_the_meaning(block: int) -> None:
    check_block(range(block, min(block + BLOCK, PROGRAMS)), "interpreter")


def test_what_was_found_once_stays_mended() -> None:
    check_block(FOUND, "interpreter")


def test_the_compiled_c_agrees_with_the_meaning() -> None:
    check_block(range(FIRST_FOR_C, FIRST_FOR_C + max(1, PROGRAMS // 20)), "c")


def test_what_is_drawn() -> None:
    """Most programs are right, with rows of all kinds and every pattern that needs no GPU."""
    programs = [draw_pattern_program(seed) for seed in range(400)]
    texts = " ".join(program.text for program in programs)
    for word in ("join", "deal(", "splitUp(", "slide(", "pad(", "scatter(", "gather(", "scan(", "mapPar(", "transpose"):
        assert word in texts, word
    assert sum("offset" in program.arguments for program in programs) > 80
    assert sum(program.broken for program in programs) == 50


def test_a_wrong_result_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "evaluate", lambda *_: checking.np.array([12345.5]))
    with pytest.raises(AssertionError, match="not equal"):
        check_block(range(4), "interpreter")


def test_broken_arguments_that_are_taken_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def meaningless(*_: object) -> None:
        raise MeaninglessError("no")

    monkeypatch.setattr(checking, "evaluate", meaningless)
    with pytest.raises(AssertionError, match="no, but the result is"):
        check_block(tuple(range(7, 80, 8)), "interpreter")


def test_the_command_draws_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert workers.check_seed(0, ("interpreter",), workers.drawn_in_patterns).kind in (workers.RIGHT, workers.REFUSED)
    seen: list[workers.Report] = [workers.Report(0, workers.RIGHT)]
    monkeypatch.setattr(fuzz, "reports", lambda *_: iter(seen))
    assert fuzz.main(["--language", "patterns"]) == 0
    assert "1 programs" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        fuzz.main(["--language", "patterns", "--vectors"])


def test_a_refusal_that_programs_with_types_do_not_deserve_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "AT_THE_COMPILE", frozenset())
    with pytest.raises(AssertionError, match="patterns/"):
        check_block(range(120), "interpreter")


def test_steps_over_drawn_programs_mean_the_same() -> None:
    taken = 0
    for seed in range(500_000, 500_000 + max(20, PROGRAMS // 8)):
        program = draw_stepped_program(seed, IN_THE_INTERPRETER)
        check_law(program)
        check_pattern_program(program, "interpreter")
        taken += len(program.schedule)
    assert taken > 15


def test_steps_over_drawn_programs_mean_the_same_in_c() -> None:
    for seed in range(600_000, 600_000 + max(6, PROGRAMS // 20)):
        check_pattern_program(draw_stepped_program(seed), "c")


@pytest.mark.parametrize("rule", [*RULES, *PARAMETER_RULES])
def test_every_rule_is_a_law_on_drawn_programs(rule: str) -> None:
    times = max(2, PROGRAMS // 80)
    assert check_rule(rule, range(700_000, 700_000 + 200 * times), times) == times


def test_a_rule_that_is_no_law_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(site: Site, given: tuple[str, ...]) -> Term:
        return site.with_function(site.node, pattern("reverse"))

    monkeypatch.setitem(RULES, "mapSeq", replace(RULES["mapSeq"], apply=wrong))
    with pytest.raises(AssertionError, match="not equal"):
        check_rule("mapSeq", range(700_000, 700_050), 20)
