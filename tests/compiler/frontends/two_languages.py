"""Two languages that are none of Heddle's: one whose programs become statements, one that makes its loops itself.

``twice x`` doubles a vector, and ``thrice x`` is a program that parses and means nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.frontends.front_end import FrontEnd, Loops, Made, Statements
from heddle.loop_ir.nodes import (
    Allocate,
    Array,
    ArrayRole,
    Binary,
    Block,
    Const,
    For,
    Function,
    Load,
    LoopKind,
    Parameter,
    ParameterKind,
    Store,
    Var,
)
from heddle.notation.nodes import Assignment
from heddle.notation.parser import parse as parse_notation
from heddle.origin import Origin, Role
from heddle.targets import Target
from heddle.trace import Trace

HERE = Origin(Role.COMPUTE)
LONGEST = 80
UNITS = {"threads": LoopKind.CPU_THREAD, "blocks": LoopKind.GPU_BLOCK}
"""The commands of the language that makes loops; a block has a workspace of as many elements as the vector."""


def _check_length(text: str) -> None:
    if len(text) > LONGEST:
        raise _refused("expression/too-long", f"more than {LONGEST} characters")


def _parse(text: str) -> tuple[str, str]:
    words = text.split()
    if len(words) != 2:
        raise _refused("expression/syntax", f"two words, found {len(words)}")
    return words[0], words[1]


def _check(words: tuple[str, str]) -> str:
    if words[0] != "twice":
        raise _refused("expression/unknown-function", f"nothing is called {words[0]}")
    return words[1]


def _refused(code: str, message: str) -> CompileError:
    return CompileError(Diagnostic(code, message, Location(Part.EXPRESSION)))


def _statements(operand: str) -> Assignment:
    return parse_notation(f"y(i) = 2 * {operand}(i)")


def _loops(operand: str, schedule: tuple[str, ...], target: Target, trace: Trace) -> Made:
    with trace.step("places", "Where each value lies") as step:
        x, y = (Array(f"{name}_vals", "float64", ArrayRole.VALS, name) for name in (operand, "y"))
        step.text = f"y[i] = 2 * {operand}[i]"
    size = f"{operand}1_dimension"
    kind = UNITS[schedule[0]] if schedule else LoopKind.SERIAL
    product = Binary("*", Const(2.0, "float64"), Load(x, Var("i")), "float64")
    workspace = Allocate(Array("w", "float64", ArrayRole.WORKSPACE), Var(size), HERE)
    store = Store(y, Var("i"), product, HERE)
    body = Block((workspace, For("t", Const(0), Const(32), store, HERE, LoopKind.GPU_THREAD)))
    loop = For("i", Const(0), Var(size), body if schedule == ("blocks",) else store, HERE, kind)
    parameters = (
        Parameter(ParameterKind.ARRAY, "y_vals", "float64", "y", y, output=True),
        Parameter(ParameterKind.DIMENSION, size, "int64", operand, dimension=0),
        Parameter(ParameterKind.ARRAY, f"{operand}_vals", "float64", operand, x),
    )
    return Made(Function("kernel", parameters, Block((loop,))))


def _reference(
    operand: str, operands: Mapping[str, NDArray[Any] | float], sizes: Mapping[str, int]
) -> dict[str, NDArray[Any]]:
    values = operands[operand]
    assert not isinstance(values, float)
    return {"y": values + values}


def _front_end(name: str, entry: Statements[str] | Loops[str]) -> FrontEnd[tuple[str, str], str]:
    return FrontEnd(
        name=name,
        title="Words",
        example="twice x",
        editor="plain",
        check_length=_check_length,
        parse=_parse,
        tensors=lambda words: {"y": 1, words[1]: 1},
        computed=lambda text: (text.find(" ") + 1, len(text)),
        check=_check,
        to_text=lambda operand: f"twice {operand}",
        reference=_reference,
        entry=entry,
        cases=lambda tree, sparse: 1.0,
    )


WITH_STATEMENTS = _front_end("words", Statements(_statements))
WITH_LOOPS = _front_end("loop-words", Loops(_loops))
