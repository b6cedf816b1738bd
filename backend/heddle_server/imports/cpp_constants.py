"""Numbers of a C++ program: constants that it defines, and those that the scheduling paper leaves to the reader."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

_DEFINED = re.compile(
    r"(?:\b(?:const|constexpr|static)\s+)*\b(?:int|size_t|unsigned|long|auto)\s+(\w+)\s*=\s*([\w\s*+/()-]+);"
    r"|^\s*#define\s+(\w+)\s+([\w*+/()-]+)\s*$",
    re.MULTILINE,
)
_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda dividend, other: dividend // other,
}
LARGEST = 2**31 - 1

USUAL = {
    "CHUNK_SIZE": "16",
    "UNROLL_FACTOR": "8",
    "WARP_SIZE": "32",
    "BLOCK_SIZE": "256",
    "ROWS_PER_TB": "256",
    "NNZ_PER_THREAD": "8",
    "NNZ_PER_WARP": "8",
    "NNZ_PER_TB": "NNZ_PER_WARP * (BLOCK_SIZE / WARP_SIZE)",
}
"""Of the paper's experiments (docs/sources.toml A.1 to A.11). NNZ_PER_WARP is NNZ_PER_THREAD for each of its lanes in a
program that shares its entries out to threads as well."""


class Constants:
    """Names to numbers. ``assumed`` holds what the text left open and the paper's experiments answer."""

    def __init__(self, text: str) -> None:
        self._defined = {groups[0] or groups[2]: groups[1] or groups[3] for groups in _DEFINED.findall(text)}
        self._usual = dict(USUAL)
        if "NNZ_PER_THREAD" in text:
            self._usual["NNZ_PER_WARP"] = "NNZ_PER_THREAD * WARP_SIZE"
        self.assumed: dict[str, int] = {}

    def value(self, text: str) -> int | None:
        """The number that an expression of integers and constants is; None where a name in it is unknown."""
        try:
            number = self._evaluate(ast.parse(text.strip(), mode="eval").body, 0)
        except (SyntaxError, ValueError, ZeroDivisionError, RecursionError):
            return None
        return number if abs(number) <= LARGEST else None

    def _evaluate(self, node: ast.expr, depth: int) -> int:
        match node:
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                return value
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                result = _OPERATORS[type(op)](self._evaluate(left, depth), self._evaluate(right, depth))
                if abs(result) > LARGEST:
                    raise ValueError("too large")
                return result
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._evaluate(operand, depth)
            case ast.Name(id=name) if depth < len(USUAL) + 8:
                return self._name(name, depth + 1)
            case _:
                raise ValueError("no number")

    def _name(self, name: str, depth: int) -> int:
        if name in self._defined:
            return self._evaluate(ast.parse(self._defined[name].strip(), mode="eval").body, depth)
        if name not in self._usual:
            raise ValueError(f"unknown {name}")
        self.assumed[name] = self._evaluate(ast.parse(self._usual[name], mode="eval").body, depth)
        return self.assumed[name]
