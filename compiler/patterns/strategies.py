"""The steps that a schedule of this language may have: how rows are found (Pizzuti et al. 2020, §5.1)."""

from __future__ import annotations

import re
from dataclasses import replace

from compiler.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from compiler.patterns.program import Program, check

STRATEGIES = {
    "auto": "closed where a rule applies, else memo",
    "closed": "a formula, with what no rule removes as a loop",
    "memo": "one array more, added up before the kernel runs",
    "loop": "added up in a loop for each row",
}
_STEP = re.compile(r"\s*(\w+)\s*\(\s*([^()]*)\)\s*\Z")


def with_steps(program: Program, schedule: tuple[str, ...]) -> Program:
    """``program`` behind the steps of ``schedule``.

    Raises:
        CompileError: ``patterns/step``, ``patterns/unknown-array`` or ``patterns/strategy``.
    """
    strategies = dict(program.strategies)
    for number, text in enumerate(schedule):
        match = _STEP.match(text)
        if match is None or match[1] != "sums":
            raise _refused(
                "step",
                f"`{text.strip()}` is no step of this language.",
                text,
                number,
                expected="sums(array, strategy)",
                found=text.strip(),
            )
        words = [word.strip() for word in match[2].split(",")]
        if len(words) != 2:
            raise _refused(
                "step",
                f"sums takes an array and a strategy, found {len(words)} arguments.",
                text,
                number,
                expected="sums(array, strategy)",
                found=text.strip(),
            )
        array, strategy = words
        arrays = tuple(name for name, _ in program.types)
        if array not in arrays:
            raise _refused(
                "unknown-array",
                f"{array} is no parameter of the program.",
                text,
                number,
                expected="one of " + ", ".join(arrays),
                found=array,
                candidates=nearest(array, arrays),
            )
        if strategy not in STRATEGIES:
            raise _refused(
                "strategy",
                f"Sums are {', '.join(STRATEGIES)}, not {strategy}.",
                text,
                number,
                expected=" or ".join(STRATEGIES),
                found=strategy,
                candidates=nearest(strategy, tuple(STRATEGIES)),
            )
        strategies[array] = strategy
    if not schedule:
        return program
    return replace(check(program.text, program.term, tuple(strategies.items())))


def _refused(
    code: str,
    message: str,
    text: str,
    number: int,
    *,
    expected: str,
    found: str,
    candidates: tuple[str, ...] = (),
) -> CompileError:
    place = Location(Part.SCHEDULE, 0, len(text), command=number)
    return CompileError(
        Diagnostic(f"patterns/{code}", message, place, expected=expected, found=found, candidates=candidates)
    )
