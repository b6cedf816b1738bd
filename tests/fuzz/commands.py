"""Draws one schedule command of the registry that mostly fits the loops of a graph."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import (
    assignments,
    is_position,
    loop_variables,
    operand_accesses,
    variables,
)
from heddle.notation.nodes import Access, Binary, Call, Expression, Unary, operands_of
from heddle.notation.printer import to_text
from heddle.schedule.command import CommandSpec, Parameter
from heddle.schedule.registry import COMMANDS
from heddle.schedule.scopes import outermost_names, scopes

SIZES = (1, 2, 3, 4, 5, 7, 8, 16)
UNITS = ("CPUThread", "CPUThread", "CPUThread", "CPUVector", "CPUVector", "NotParallel", "GPUBlock")
RACES = ("NoRaces", "NoRaces", "Atomics", "Atomics", "IgnoreRaces", "ParallelReduction", "Temporary")
LIKED = (
    *("split", "split", "divide", "bound", "fuse", "reorder", "reorder", "pos", "pos", "coord", "mergeby"),
    *("parallelize", "parallelize", "unroll", "precompute", "precompute", "precompute", "assemble", "balance"),
    "prefetch",
)
"""Names of commands, those that are drawn more often several times."""
OF_STATEMENTS = ("inline", "together", "apart")
"""Of several statements, which the programs here seldom have; ``comprehension_programs.py`` draws them."""
DRAWN = (*LIKED, *(name for name in COMMANDS if name not in (*LIKED, *OF_STATEMENTS)))


def draw_command(rng: random.Random, graph: IterationGraph, number: int) -> str:
    """The text of a command; ``number`` makes its new names. For an operand that is a sum of parts it is often for
    several of them."""
    if graph.signature.sum is not None and rng.random() < 0.7:
        return _for_parts(rng, graph, number)
    return _command(rng, graph, number)


def _for_parts(rng: random.Random, graph: IterationGraph, number: int) -> str:
    """A command in the names of one scope of the program, or one that makes one loop of several parts."""
    summed, scope = graph.signature.sum, rng.choice(scopes(graph))
    assert summed is not None
    outermost = outermost_names(graph)
    if outermost and rng.random() < 0.3:
        few = len(summed.parts) > 1 and rng.random() < 0.3
        first, last = sorted(rng.sample(range(len(summed.parts)), 2)) if few else (0, 99)
        parts = f"{summed.tensor}[{f'{first}..{last}' if last < 99 else '*'}]"
        return rng.choice((f"share({rng.choice(outermost)}, {parts})", f"concat(v{number}, {parts})"))
    text = scope.shown(_command(rng, scope.graph, number))
    size = rng.choice(("2 * (widest / width)", "parts - part", "max(width, 3)"))
    return scope.selector + (
        re.sub(r"\b[0-9]+\)$", f"{size})", text) if scope.selector and rng.random() < 0.3 else text
    )


def _command(rng: random.Random, graph: IterationGraph, number: int) -> str:
    loops = loop_variables(graph.statement)
    tensors = [t.name for t in graph.signature.operands if t.order]
    known = variables(graph)
    fresh = [name for name in (f"v{number}", f"w{number}") if name not in known]
    pick = rng.choice(loops) if loops else "i"
    match rng.choice(DRAWN):
        case "split":
            return f"split({pick}, {fresh[0]}, {fresh[1]}, {rng.choice(SIZES)})"
        case "divide":
            return f"divide({pick}, {fresh[0]}, {fresh[1]}, {rng.choice(SIZES)})"
        case "balance":
            weights = f", {rng.choice(tensors)}" if rng.random() < 0.3 else ""
            return (
                f"balance({pick}, {fresh[0]}, {fresh[1]}, {rng.choice(tensors)}, {rng.choice((1, 2, 3, 8))}{weights})"
            )
        case "bound":
            claim = rng.choice(("MinExact", "MinConstraint", "MaxConstraint", "MaxConstraint"))
            return f"bound({pick}, {fresh[0]}, {0 if claim.startswith('Min') else 64}, {claim})"
        case "fuse":
            at = rng.randrange(max(1, len(loops) - 1))
            pair = [*loops[at : at + 2], pick][:2] if rng.random() < 0.9 else [pick, rng.choice(loops or ["i"])]
            return f"fuse({pair[0]}, {pair[-1]}, {fresh[0]})"
        case "reorder":
            some = rng.sample(loops, rng.randint(min(1, len(loops)), len(loops))) if loops else ["i"]
            return f"reorder({', '.join(some)})"
        case "pos":
            return f"pos({pick}, {fresh[0]}, {rng.choice(tensors)})"
        case "coord":
            positions = [loop for loop in loops if is_position(graph, loop)]
            return f"coord({rng.choice(positions or [pick])}, {fresh[0]})"
        case "mergeby":
            return f"mergeby({pick}, {rng.choice(('TwoFinger', 'Gallop', 'Minimum'))})"
        case "parallelize":
            return f"parallelize({pick}, {rng.choice(UNITS)}, {rng.choice(RACES)})"
        case "precompute":
            return _precompute(rng, graph, number, pick)
        case "assemble":
            separate = rng.choice(("", ", true", ", false"))
            return f"assemble({graph.signature.result.name}, {rng.choice(('Append', 'Insert'))}{separate})"
        case "prefetch":
            return f"prefetch({to_text(rng.choice(operand_accesses(graph, graph.statement)))}, {rng.choice((1, 8))})"
        case "unroll":
            return f"unroll({pick}, {rng.choice((2, 4))})"
        case name:
            return by_its_parameters(rng, graph, COMMANDS[name], fresh)


def by_its_parameters(rng: random.Random, graph: IterationGraph, spec: CommandSpec, fresh: list[str]) -> str:
    """A command of which nothing is known but what the registry says: an argument of the right kind for each parameter,
    optional ones now and then."""
    loops = loop_variables(graph.statement) or ["i"]
    names = iter(fresh)
    words: list[str] = []
    for parameter in spec.parameters:
        if parameter.optional and rng.random() < 0.5:
            break
        words.append(_argument(rng, graph, parameter, loops, names))
    return f"{spec.name}({', '.join(words)})"


def _argument(
    rng: random.Random, graph: IterationGraph, parameter: Parameter, loops: Sequence[str], fresh: Iterator[str]
) -> str:
    match parameter.kind:
        case "variable":
            return rng.choice(loops)
        case "variables" | "variable-set":
            some = rng.sample(loops, rng.randint(1, len(loops)))
            return ", ".join(some) if parameter.kind == "variables" else _set(some)
        case "new-variable" | "new-variable-set" | "new-tensor":
            return next(fresh, "v")
        case "integer":
            numbers = [suggestion for suggestion in parameter.suggestions if isinstance(suggestion, int)]
            return str(rng.choice((*SIZES, *numbers)))
        case "tensor":
            return rng.choice([tensor.name for tensor in graph.signature.tensors.values()])
        case "temporary":
            return rng.choice([*graph.signature.temporaries, graph.signature.result.name])
        case "parts":
            summed = graph.signature.sum
            return f"{'A' if summed is None else summed.tensor}[*]"
        case "expression":
            return to_text(rng.choice(operand_accesses(graph, graph.statement)))
        case "enumeration":
            return rng.choice(parameter.choices)
        case _:
            raise TypeError(f"unexpected parameter {parameter!r}")


def _precompute(rng: random.Random, graph: IterationGraph, number: int, pick: str) -> str:
    """A part of one assignment, over a few of the loops around it."""
    path, assign = rng.choice(list(assignments(graph.statement)))
    part = rng.choice(_parts(assign.expression))
    over = [pick]
    if path:
        wanted = rng.choice((1, 1, 1, 2, 2, 3))
        over = list(path[-wanted:]) if rng.random() < 0.6 else rng.sample(path, min(wanted, len(path)))
    copies = over if rng.random() < 0.3 else [f"c{number}_{place}" for place in range(len(over))]
    workspace = "" if rng.random() < 0.5 else f", ws{number}"
    return f"precompute({to_text(part)}, {_set(over)}, {_set(copies)}{workspace})"


def _set(names: list[str]) -> str:
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"


def _parts(expression: Expression) -> list[Expression]:
    """The expression, and everything in it that has its own value; the whole most often."""
    match expression:
        case Access():
            return [expression]
        case Binary(operator="*" | "+", left=left, right=Binary(operator=inner, left=middle) as right) if (
            inner == expression.operator
        ):
            across = Binary(expression.operator, left, middle)
            return [expression, expression, across, *_parts(left), *_parts(right)]
        case Binary() | Call() | Unary():
            return [expression, expression, *(part for operand in operands_of(expression) for part in _parts(operand))]
        case _:
            return [expression]
