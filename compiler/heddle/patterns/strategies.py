"""How rows are found, for each array of a program (Pizzuti et al. 2020, §5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from heddle.diagnostics import nearest
from heddle.patterns.program import Program, retype
from heddle.patterns.syntax.problem import step_problem

STRATEGIES = {
    "auto": "closed where a rule applies, else memo",
    "closed": "a formula, with what no rule removes as a loop",
    "memo": "one array more, added up before the kernel runs",
    "loop": "added up in a loop for each row",
}


def with_strategy(program: Program, words: Sequence[str], text: str, number: int) -> Program:
    """``program`` behind the step ``sums(array, strategy)``, of which ``words`` are the arguments.

    Raises
    ------
    CompileError
        ``patterns/step``, ``patterns/unknown-array`` or ``patterns/strategy``.
    """
    if len(words) != 2:
        raise step_problem(
            "step",
            f"sums takes an array and a strategy, found {len(words)} arguments.",
            text,
            number,
            expected="sums(array, strategy)",
            actual=text.strip(),
        )
    array, strategy = words
    arrays = tuple(name for name, _ in program.types)
    if array not in arrays:
        raise step_problem(
            "unknown-array",
            f"{array} is not a parameter of the program.",
            text,
            number,
            expected="one of " + ", ".join(arrays),
            actual=array,
            candidates=nearest(array, arrays),
        )
    if strategy not in STRATEGIES:
        raise step_problem(
            "strategy",
            f"Sums are {', '.join(STRATEGIES)}, not {strategy}.",
            text,
            number,
            expected=" or ".join(STRATEGIES),
            actual=strategy,
            candidates=nearest(strategy, tuple(STRATEGIES)),
        )
    strategies = {**dict(program.strategies), array: strategy}
    return retype(program, program.text, program.term, tuple(strategies.items()))
