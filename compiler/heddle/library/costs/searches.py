"""How many binary searches a kernel makes on operands of known kinds: a search for each tile of each row, or for each
entry of another operand, may cost far more than the entries that it looks for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from heddle.iteration_graph.analysis.steps import fibre_lengths
from heddle.library.costs.steps import contents_of
from heddle.library.operand_kinds import OperandKind
from heddle.loop_ir.nodes import ArrayRole, Binary, Const, Expr, For, Function, Load, Search, SearchKind, Stmt, Var
from heddle.loop_ir.walk import all_statements, children
from heddle.result import CompileResult
from heddle.targets import C


@dataclass(frozen=True, slots=True)
class Searches:
    """Of an operand's coordinates: how often, and how many ``steps`` these searches take, each looking at the entries
    of one segment. ``variable`` is that of the innermost loop around them."""

    tensor: str
    variable: str
    times: float
    steps: float


def has_searches(result: CompileResult) -> bool:
    """Whether the kernel, one for the CPU, searches the coordinates of operands inside loops."""
    function = result.function
    if function is None or result.plan.target != C.name:
        return False
    return any(_is_counted(statement) for statement in all_statements(function))


def count_searches(result: CompileResult, kinds: Mapping[str, OperandKind]) -> tuple[Searches, ...]:
    """The searches of each operand, on operands of these kinds; loops whose length nobody knows count as one step, so
    that the numbers are lower bounds."""
    function, graph = result.function, result.lowered_graph
    if function is None or graph is None or not has_searches(result):
        return ()
    layouts = {name: tensor.format for name, tensor in graph.signature.tensors.items() if name in kinds}
    contents = contents_of(kinds)
    fibres = {name: fibre_lengths(layout, contents[name]) for name, layout in layouts.items()}
    lengths = _Lengths(_dimensions(function, kinds), fibres)
    together: dict[tuple[str, str], Searches] = {}
    for search, loops in _nested(function.body, ()):
        tensor = search.array.tensor
        if tensor not in fibres or not loops:
            continue
        times = math.prod(lengths.trips(loop) for loop in loops)
        before = together.get((tensor, loops[-1].variable), Searches(tensor, loops[-1].variable, 0.0, 0.0))
        steps = times * math.log2(2.0 + fibres[tensor][search.array.level - 1])
        together[tensor, loops[-1].variable] = Searches(
            tensor, loops[-1].variable, before.times + times, before.steps + steps
        )
    return tuple(together.values())


def _is_counted(statement: Stmt) -> bool:
    """A search in coordinates; galloping ones end where a merge would go on."""
    return (
        isinstance(statement, Search)
        and statement.kind is not SearchKind.GALLOP
        and statement.array.role is ArrayRole.CRD
    )


def _nested(statement: Stmt, loops: tuple[For, ...]) -> Iterator[tuple[Search, tuple[For, ...]]]:
    """Searches with the loops around them, the outermost first."""
    if isinstance(statement, Search):
        if _is_counted(statement):
            yield statement, loops
        return
    inside = (*loops, statement) if isinstance(statement, For) else loops
    for child in children(statement):
        yield from _nested(child, inside)


def _dimensions(function: Function, kinds: Mapping[str, OperandKind]) -> dict[str, float]:
    return {
        parameter.name: float(kinds[parameter.tensor].shape[parameter.dimension])
        for parameter in function.parameters
        if parameter.dimension is not None and parameter.tensor in kinds
    }


@dataclass(frozen=True, slots=True)
class _Lengths:
    """The mean number of iterations of loops: from ``dimensions`` by the name of their parameter, and ``fibres``, the
    entries of a segment by tensor and level."""

    dimensions: Mapping[str, float]
    fibres: Mapping[str, tuple[float, ...]]

    def trips(self, loop: For) -> float:
        """At least 1, where nothing is known."""
        lower, upper = loop.lower, loop.upper
        if isinstance(upper, Load) and upper.array.role is ArrayRole.POS:
            fibres = self.fibres.get(upper.array.tensor or "")
            segment = isinstance(lower, Load) and lower.array == upper.array
            return fibres[upper.array.level - 1] / loop.step if segment and fibres is not None else 1.0
        begin, end = self._value(lower), self._value(upper)
        return 1.0 if begin is None or end is None else max(end - begin, 0.0) / loop.step

    def _value(self, expression: Expr) -> float | None:
        match expression:
            case Const(value=int() | float() as value):
                return float(value)
            case Var(name=name):
                return self.dimensions.get(name)
            case Binary(operator=operator, left=left, right=right):
                first, second = self._value(left), self._value(right)
                return None if first is None or second is None else _computed(operator, first, second)
            case _:
                return None


def _computed(operator: str, left: float, right: float) -> float | None:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//" if right:
            return left // right
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case _:
            return None
