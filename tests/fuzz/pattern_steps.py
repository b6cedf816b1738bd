"""Random steps over random programs in patterns: what may be taken means the same."""

from __future__ import annotations

import random

import numpy as np

import compiler as hd
from compiler.diagnostics import CompileError
from compiler.loop_ir.nodes import LoopKind
from compiler.patterns.meaning import MeaninglessError, UntoldError, evaluate
from compiler.patterns.program import check
from compiler.patterns.rules.laws import RULES
from compiler.patterns.rules.rule import sites
from compiler.patterns.rules.steps import begun, stepped
from compiler.patterns.syntax.parser import parse
from compiler.targets import target_named
from tests.fuzz.pattern_programs import PatternProgram

TRIED, MOST = 6, 3
UNITS = (LoopKind.SERIAL, *target_named("interpreter").units)


def check_steps(program: PatternProgram, seed: int) -> int:
    """How many steps were taken, and compared; 0 where the program or its arguments are refused.

    Raises:
        AssertionError: the rewritten program means or computes something else.
    """
    rng = random.Random(f"steps {seed}")
    try:
        state = begun(check(program.text, parse(program.text)))
        expected = evaluate(parse(program.text), program.arguments, program.sizes)
    except (CompileError, MeaninglessError, UntoldError):
        return 0
    taken: list[str] = []
    for _ in range(TRIED):
        places = list(sites(state.term))
        if not places or len(taken) == MOST:
            break
        place = rng.choice(places)
        rule = rng.choice([one for one in RULES.values() if one.family in ("", place.rstrip("0123456789"))])
        text = f"{rule.name}({', '.join((place, *(rng.choice('123') for _ in rule.takes)))})"
        try:
            state = stepped(state, text, len(taken), UNITS)
        except CompileError:
            continue
        taken.append(text)
    try:
        kernel = hd.compile(program.text, language="patterns", target="interpreter", schedule=taken)
        found = kernel(**program.arguments, **program.sizes).to_numpy().reshape(-1)
        meant = evaluate(state.program.term, program.arguments, program.sizes)
    except (CompileError, UntoldError):
        return 0
    np.testing.assert_array_equal(meant, expected, err_msg=f"{taken} of {program}")
    np.testing.assert_array_equal(found, expected, err_msg=f"{taken} of {program}")
    return len(taken)
