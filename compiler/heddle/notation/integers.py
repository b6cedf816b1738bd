"""Integer formulas of sizes as numbers."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.notation.nodes import Binary, Call, Expression, Literal, Select, SizeValue, Unary


def program_integer(formula: Expression, sizes: Mapping[str, int]) -> int:
    """The value of a formula without index variables and reads."""
    match formula:
        case Literal(value=value):
            return int(value.real)
        case SizeValue(name=name):
            return sizes[name]
        case Unary(operand=operand):
            return -program_integer(operand, sizes)
        case Binary(operator=operator, left=left, right=right):
            integer, two = program_integer(left, sizes), program_integer(right, sizes)
            match operator:
                case "+":
                    return integer + two
                case "-":
                    return integer - two
                case "*":
                    return integer * two
                case "//":
                    return integer // two if two else 0
                case "%":
                    return integer % two if two else 0
                case "<":
                    return int(integer < two)
                case ">=":
                    return int(integer >= two)
                case "==":
                    return int(integer == two)
                case "!=":
                    return int(integer != two)
                case _:
                    raise TypeError(f"unexpected operator {operator!r}")
        case Call(function="min" | "max" as function, arguments=arguments):
            values = [program_integer(argument, sizes) for argument in arguments]
            return min(values) if function == "min" else max(values)
        case Select(condition=condition, then=then, otherwise=otherwise):
            return program_integer(then if program_integer(condition, sizes) else otherwise, sizes)
        case _:
            raise TypeError(f"unexpected node {formula!r}")
