"""Random tensor comprehensions with schedules: refused with a reason, or what they mean on NumPy arrays, in the checked
interpreter and as C."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.fuzz import __main__ as fuzz
from tests.fuzz import workers
from tests.fuzz.comprehensions import check_comprehension_program as checking
from tests.fuzz.comprehensions.check_comprehension_program import check_comprehension_program
from tests.fuzz.comprehensions.comprehension_programs import draw_comprehension_program

PROGRAMS = int(os.environ.get("HEDDLE_FUZZ_PROGRAMS", "60"))
BLOCK = 20
FIRST_FOR_C = 7_000_000


def check_block(seeds: range | tuple[int, ...], target: str) -> None:
    failures = []
    for seed in seeds:
        try:
            check_comprehension_program(draw_comprehension_program(seed), target)
        except Exception as error:  # the test is that there is none, of whatever kind
            failures.append(f"seed {seed} on {target}: {type(error).__name__}: {error}")
    assert not failures, "\n\n".join(failures)


@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_the_interpreter_agrees_with_the_meaning(block: int) -> None:
    check_block(range(block, min(block + BLOCK, PROGRAMS)), "interpreter")


def test_the_compiled_c_agrees_with_the_meaning() -> None:
    check_block(range(FIRST_FOR_C, FIRST_FOR_C + max(1, PROGRAMS // 12)), "c")


@pytest.mark.parametrize("seed", [1889, 1000116, 1003313])
def test_an_index_outside_is_refused_by_the_kernel_and_not_by_the_meaning(seed: int) -> None:
    """Was taken for a wrong kernel; so was an index of a temporary that is smaller than what it was drawn for."""
    program = draw_comprehension_program(seed)
    assert check_comprehension_program(program, "interpreter") == ("runtime/index-range",)


def test_a_refused_index_has_to_lie_outside() -> None:
    program = draw_comprehension_program(1889)
    name, shape = "P", program.operands["P"].shape
    place, value = (0,) * len(shape), int(program.operands["P"].flat[0])
    told = f"{name}[{', '.join(map(str, place))}] = {value} is an index into dimension 0 of A0, which has 99 elements"
    assert not checking._lies_outside(told, program)
    assert not checking._lies_outside("another reason", program)


def test_what_is_drawn() -> None:
    """Gathers, guards, claims, strides, several results and versions; and most programs are taken."""
    programs = [draw_comprehension_program(seed, scheduled=False) for seed in range(300)]
    texts = "\n".join(program.text for program in programs)
    for word in ("P(", " ? ", " where ", "2*", " + x", "- 1", "max=!", "min=!", " += ", "fmaxf(", "int("):
        assert word in texts, word
    assert sum(", T" in program.text.split("->")[1].split("{")[0] for program in programs) > 30
    assert len([program for program in programs if program.formats]) > 60


def test_commands_of_several_statements_are_among_the_schedules() -> None:
    schedules = (draw_comprehension_program(seed).schedule for seed in range(40))
    used = Counter(text.partition("(")[0] for schedule in schedules for text in schedule)
    assert used["together"] > 3
    assert used["inline"] > 1


def test_a_wrong_result_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = checking.evaluate

    def wrong(*given: object) -> dict[str, object]:
        return {name: values + 1 for name, values in right(*given).items()}  # type: ignore[arg-type]

    monkeypatch.setattr(checking, "evaluate", wrong)
    with pytest.raises(AssertionError, match="not equal"):
        check_block(range(8), "interpreter")


def test_a_refusal_of_the_kernel_alone_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "AT_THE_COMPILE", ())
    with pytest.raises(AssertionError, match="tc/"):
        check_block(range(12), "interpreter")


def test_the_command_draws_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    report = workers.check_seed(0, ("interpreter",), workers.drawn_comprehension)
    assert report.kind in (workers.RIGHT, workers.REFUSED)
    seen: list[workers.Report] = [workers.Report(0, workers.RIGHT)]
    monkeypatch.setattr(fuzz, "reports", lambda *_: iter(seen))
    assert fuzz.main(["--language", "comprehension"]) == 0
    assert "1 programs" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        fuzz.main(["--language", "comprehension", "--vectors"])
