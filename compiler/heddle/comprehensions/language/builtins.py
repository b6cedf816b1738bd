"""The functions of the language in one table: their names and arity, and the functions of index notation that they
become (docs/sources.toml C7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heddle.notation.nodes import Binary, Call, Expression, Literal

Made = Callable[..., Expression]


@dataclass(frozen=True, slots=True)
class Builtin:
    """``make`` is the expression on converted arguments; ``keeps`` says that integers stay integers, where others take
    float alone; ``numpy`` names the function of the reference."""

    name: str
    arity: int
    make: Made
    numpy: str
    keeps: bool = False


def _call(name: str) -> Made:
    return lambda *arguments: Call(name, arguments)


def _rsqrt(x: Expression) -> Expression:
    return Binary("/", Literal(1.0), Call("sqrt", (x,)))


def _trunc(x: Expression) -> Expression:
    from heddle.notation.nodes import Select

    return Select(Binary("<", x, Literal(0)), Call("ceil", (x,)), Call("floor", (x,)))


_UNARY = ("exp", "log", "log1p", "expm1", "sqrt", "tanh", "sin", "cos", "tan", "floor", "ceil")

BUILTINS: dict[str, Builtin] = {
    **{name: Builtin(name, 1, _call(name), name) for name in _UNARY},
    "sigmoid": Builtin("sigmoid", 1, _call("sigmoid"), "sigmoid"),
    "rsqrt": Builtin("rsqrt", 1, _rsqrt, "rsqrt"),
    "trunc": Builtin("trunc", 1, _trunc, "trunc"),
    "fabs": Builtin("fabs", 1, _call("abs"), "abs"),
    "abs": Builtin("abs", 1, _call("abs"), "abs", keeps=True),
    "pow": Builtin("pow", 2, _call("pow"), "power"),
    "fmax": Builtin("fmax", 2, _call("max"), "maximum"),
    "fmin": Builtin("fmin", 2, _call("min"), "minimum"),
    "max": Builtin("max", 2, _call("max"), "maximum", keeps=True),
    "min": Builtin("min", 2, _call("min"), "minimum", keeps=True),
}


def builtin(name: str) -> Builtin | None:
    """The function called ``name``; C's names for float, with an ``f`` behind, are the same functions."""
    if name in BUILTINS:
        return BUILTINS[name]
    return BUILTINS.get(name[:-1]) if name.endswith("f") else None


NAMES = tuple(sorted({*BUILTINS, *(f"{name}f" for name in BUILTINS)}))
