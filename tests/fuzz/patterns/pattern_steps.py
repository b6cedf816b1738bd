"""Random steps over random programs in patterns: what may be taken means the same."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from heddle.diagnostics import CompileError
from heddle.loop_ir.nodes import LoopKind
from heddle.patterns.meaning import MeaninglessError, UntoldError, evaluate
from heddle.patterns.program import check
from heddle.patterns.rules.laws import RULES
from heddle.patterns.rules.rule import sites
from heddle.patterns.rules.steps import PARAMETER_RULES, Stepped, apply_step, begin, head_of
from heddle.patterns.syntax.parser import parse
from heddle.runtime.patterns.follow import follow_steps
from heddle.targets import target_named
from tests.fuzz.patterns.check_pattern_program import check_pattern_program
from tests.fuzz.patterns.pattern_law_programs import draw_law_program
from tests.fuzz.patterns.pattern_programs import PatternProgram, draw_pattern_program

TRIED, MOST = 6, 3
IN_C, IN_THE_INTERPRETER = ((LoopKind.SERIAL, *target_named(name).units) for name in ("c", "interpreter"))
INSIDE = dict.fromkeys(("mapLocal", "mapWarp"), ("mapWorkgroup",)) | {"mapLane": ("mapWorkgroup", "mapWarp")}
"""Units that stand inside of others."""


def draw_stepped_program(seed: int, units: tuple[LoopKind, ...] = IN_C) -> PatternProgram:
    """The program of a seed with up to three steps that may be taken on a target with ``units``, if it has types."""
    rng = random.Random(f"steps {seed}")
    program = draw_law_program(seed) if rng.random() < 0.7 else draw_pattern_program(seed)
    state = _begun(program)
    taken: list[str] = []
    for _ in range(TRIED if state is not None else 0):
        assert state is not None
        texts = list(_steps(state, rng))
        if not texts or len(taken) == MOST:
            break
        text = rng.choice(texts)
        try:
            state = apply_step(state, text, len(taken), units)
        except CompileError:
            continue
        taken.append(text)
    return replace(program, schedule=tuple(taken))


def _begun(program: PatternProgram) -> Stepped | None:
    try:
        return begin(check(program.text, parse(program.text)))
    except CompileError:
        return None


def _steps(state: Stepped, rng: random.Random, only: str | None = None) -> Iterator[str]:
    """One step of each rule at each place, whether or not its law holds there."""
    places = list(sites(state.term))
    for rule in RULES.values():
        for place in places if only in (None, rule.name) else ():
            if rule.family in ("", place.rstrip("0123456789")):
                yield f"{rule.name}({', '.join((place, *(rng.choice('123') for _ in rule.takes)))})"
    for known in PARAMETER_RULES.values():
        for words in known.suggested(head_of(state)) if only in (None, known.name) else ():
            yield f"{known.name}({', '.join(words)})"


def check_law(program: PatternProgram) -> None:
    """That the term behind the steps of ``program`` means what it means itself.

    Raises
    ------
    AssertionError
        it means something else.
    """
    if not program.schedule:
        return
    state = begin(check(program.text, parse(program.text)))
    for number, text in enumerate(program.schedule):
        state = apply_step(state, text, number, IN_THE_INTERPRETER)
    try:
        expected = evaluate(parse(program.text), program.arguments, program.sizes)
        own = follow_steps(state.program.derivations, program.arguments, state.program.sizes)
        sizes = {name: value for name, value in own.items() if name in state.program.sizes}
        meant = evaluate(state.program.term, own, {**program.sizes, **sizes})  # type: ignore[dict-item]
    except (MeaninglessError, UntoldError):
        return
    np.testing.assert_array_equal(meant, expected, err_msg=str(program))


def check_rule(name: str, seeds: Iterable[int], times: int) -> int:
    """On how many drawn programs the rule was taken and compared, ``times`` at most: in what the program behind it
    means, and in what the interpreter computes."""
    found = 0
    for seed in seeds:
        if found == times:
            break
        program = draw_law_program(seed)
        state = _begun(program)
        if state is None or program.broken:
            continue
        schedule = _with_rule(state, name, random.Random(f"{name} {seed}"))
        if not schedule:
            continue
        taken = replace(program, schedule=schedule)
        check_law(taken)
        check_pattern_program(taken, "interpreter")
        found += 1
    return found


def _with_rule(state: Stepped, name: str, rng: random.Random) -> tuple[str, ...]:
    """Steps of which the last one takes the rule ``name``; none where it applies nowhere."""
    taken: tuple[str, ...] = ()
    for rule in (*INSIDE.get(name, ()), name):
        texts = list(_steps(state, rng, rule))
        rng.shuffle(texts)
        for text in texts:
            try:
                state = apply_step(state, text, len(taken), IN_THE_INTERPRETER)
            except CompileError:
                continue
            taken = (*taken, text)
            break
        else:
            return ()
    return taken
