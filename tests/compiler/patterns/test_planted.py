"""A length that is off by one is found by the checked interpreter, whichever loop of a program has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir import build
from heddle.loop_ir.interpreter.faults import Fault
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import For, Function, Stmt
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.walk import statements
from heddle.runtime.patterns.kernel import PatternKernel
from tests.compiler.patterns.programs import CASES


def planted(function: Function) -> Iterator[tuple[str, Function]]:
    """``function`` with one more iteration in one of its loops, each in turn."""
    for loop in [one for one in statements(function.body) if isinstance(one, For)]:

        def longer(statement: Stmt, variable: str = loop.variable) -> Stmt:
            made = map_children(statement, longer)
            if isinstance(made, For) and made.variable == variable:
                return replace(made, upper=build.add(made.upper, build.index(1)))
            return made

        yield loop.variable, replace(function, body=longer(function.body))


def outcome(kernel: PatternKernel, function: Function, n: int) -> str:
    """``fault``, ``other`` for another result or one that is not whole, ``same``."""
    arguments, expected = CASES_OF[kernel.result.plan.expression].make(np.random.default_rng(4), n)
    call = kernel.prepare(arguments)
    values = {
        parameter.name: call.arguments[parameter.tensor].item()
        if parameter.array is None
        else call.arguments[parameter.tensor].vals
        for parameter in function.parameters
    }
    try:
        done = interpret(function, values)
    except Fault:
        return "fault"
    found = call.output.to_numpy().reshape(-1)
    return "same" if np.array_equal(found, expected) and not any(done.unwritten.values()) else "other"


CASES_OF = {case.text: case for case in CASES.values()}


@pytest.mark.parametrize("name", ["P1", "P2", "P3", "P4", "P5", "P7", "P8", "P11", "P12", "P13"])
def test_one_more_iteration_of_any_loop_is_found(name: str) -> None:
    kernel = hd.compile(CASES[name].text, language="patterns", target="interpreter")
    assert isinstance(kernel, PatternKernel)
    function = kernel.result.function
    assert function is not None
    assert outcome(kernel, function, 9) == "same"
    found = {variable: outcome(kernel, wrong, 9) for variable, wrong in planted(function)}
    assert found
    assert "same" not in found.values(), found
    assert "fault" in found.values(), found
