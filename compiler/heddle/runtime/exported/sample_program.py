"""``main.c``: calls an exported function on small data, and compares what it gives with what Heddle got."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.loop_ir.nodes import ParameterKind
from heddle.runtime.exported.arguments import Argument
from heddle.runtime.exported.sample import Sample
from heddle.runtime.tensors.tensor import Tensor

_PER_LINE = 12
_HEADERS = ("math.h", "stdbool.h", "stdint.h", "stdio.h", "stdlib.h")


def program_text(name: str, arguments: Sequence[Argument], sample: Sample) -> str:
    """The text of the program, whose exit status is 0 where all elements agree."""
    expected = sample.result.arrays()
    declarations: list[str] = []
    passed: list[str] = []
    checks: list[str] = []
    for argument in arguments:
        declared, value = _pass(argument, sample)
        declarations += declared
        passed.append(value)
        parameter = argument.parameter
        if parameter.array is not None and (parameter.output or parameter.allocated):
            array = expected[parameter.array.role.value, parameter.array.level]
            declarations.append(_array(f"expected_{argument.name}", argument.c_type, array, "static const "))
            checks += _compare(_variable(argument), argument, array.size)
    lines = [
        f'#include "{name}.h"',
        "",
        *(["#include <complex.h>"] if any("complex" in argument.c_type for argument in arguments) else []),
        *(f"#include <{header}>" for header in _HEADERS),
        "",
        f"// Calls {name} on small data. Exit status 0: every element is what Heddle computed.",
        *declarations,
        "",
        "int main(void) {",
        f"  int32_t status = {name}({', '.join(passed)});",
        "  if (status != 0) {",
        f'    fprintf(stderr, "{name} returned %d\\n", (int)status);',
        "    return 1;",
        "  }",
        "  int64_t wrong = 0;",
        *checks,
        f'  printf("{name}: %lld of the elements differ\\n", (long long)wrong);',
        "  return wrong != 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _variable(argument: Argument) -> str:
    return argument.name.removesuffix("_result") if argument.parameter.allocated else argument.name


def _pass(argument: Argument, sample: Sample) -> tuple[list[str], str]:
    """What is declared for an argument, and the expression that is passed."""
    parameter, variable = argument.parameter, _variable(argument)
    tensor = sample.operands.get(parameter.tensor, sample.result)
    match parameter.kind:
        case ParameterKind.DIMENSION:
            assert parameter.dimension is not None
            return [], str(tensor.shape[parameter.dimension])
        case ParameterKind.SCALAR:
            return [], _literal(np.dtype(parameter.dtype).type(tensor.item()))
        case ParameterKind.ARRAY:
            assert parameter.array is not None
            if parameter.allocated:
                return [f"static {argument.c_type}* {variable};"], f"&{variable}"
            slot = (parameter.array.role.value, parameter.array.level)
            if not parameter.output:
                return [_array(variable, argument.c_type, tensor.arrays()[slot], "static const ")], variable
            before: Tensor | None = sample.initial
            if before is not None:
                return [_array(variable, argument.c_type, before.arrays()[slot], "static ")], variable
            return [f"static {argument.c_type} {variable}[{max(1, tensor.arrays()[slot].size)}];"], variable
        case _:
            raise TypeError(f"unexpected parameter {parameter!r}")


def _array(name: str, c_type: str, array: NDArray[Any], qualifiers: str) -> str:
    literals = [_literal(value) for value in array.reshape(-1)] or ["0"]
    rows = (", ".join(literals[start : start + _PER_LINE]) for start in range(0, len(literals), _PER_LINE))
    return f"{qualifiers}{c_type} {name}[{len(literals)}] = {{" + ",\n    ".join(rows) + "};"


def _literal(value: np.generic[Any]) -> str:
    number = value.item()
    match number:
        case bool():
            return str(number).lower()
        case int():
            return "INT64_MIN" if number == -(2**63) else f"{number}u" if number >= 2**31 else str(number)
        case float():
            if np.isnan(number):
                return "NAN"
            return ("-" if number < 0 else "") + "INFINITY" if np.isinf(number) else repr(number)
        case complex():
            real, imaginary = _literal(np.float64(number.real)), _literal(np.float64(number.imag))
            return f"({real} + {imaginary} * I)"
        case _:
            raise TypeError(f"unexpected value {value!r}")


def _compare(variable: str, argument: Argument, count: int) -> Iterator[str]:
    expected, c_type = f"expected_{argument.name}", argument.c_type
    magnitude = {"float": "fabsf", "double": "fabs", "float complex": "cabsf", "double complex": "cabs"}.get(c_type)
    same = f"{variable}[p] == {expected}[p]"
    if magnitude is not None:
        tolerance = "1e-5" if c_type.startswith("float") else "1e-12"
        distance = f"{magnitude}({variable}[p] - {expected}[p])"
        bothers = f"({variable}[p] != {variable}[p] && {expected}[p] != {expected}[p])"
        same = f"{same} || {bothers} || {distance} <= {tolerance} * {magnitude}({expected}[p])"
    yield f"  for (int64_t p = 0; p < {count}; p++) {{"
    yield f"    if (!({same})) wrong++;"
    yield "  }"
    if argument.parameter.allocated:
        yield f"  free({variable});"
