"""The plan as a command line of public TACO, as far as that knows what the plan says; what it does not is a comment."""

from __future__ import annotations

import shlex

from heddle.diagnostics import CompileError, Diagnostic, InternalError, Location, Part
from heddle.formats.format import Format
from heddle.formats.vocabulary import LETTERS
from heddle.frontends.table import DEFAULT_LANGUAGE, front_end_of
from heddle.iteration_graph.graph.nodes import IterationGraph, Series
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.targets import CUDA, DEFAULT_TARGET
from heddle_server.imports.taco_command import DTYPES

TACO_COMMANDS = (
    "split", "divide", "pos", "fuse", "reorder", "precompute", "bound", "unroll", "parallelize", "assemble", "mergeby",
)  # fmt: skip
"""Those of ours that public TACO has; it ignores others silently."""

TYPES = {dtype: name for name, dtype in reversed(DTYPES.items())}
"""By the plan's names; of TACO's names for one type the shortest."""


def taco_command(plan: Plan) -> str:
    """``taco "y(i) = …" -f=A:ds -s="split(…)"``.

    Raises
    ------
    CompileError
        the plan does not compile; ``export/taco-language`` for a language that TACO does not read.
    """
    if plan.language != DEFAULT_LANGUAGE:
        raise CompileError(
            Diagnostic(
                "export/taco-language",
                f"TACO reads index notation, and the language of this program is {front_end_of(plan.language).title}.",
                Location(Part.PLAN, path="/language"),
                expected=DEFAULT_LANGUAGE,
                actual=plan.language,
                hint="Export the plan, its code or a program in Python instead.",
            )
        )
    result = lower(plan)
    result.raise_errors()
    if result.signature is None:
        raise InternalError("A compile without errors has no signature")
    words, notes = ["taco", plan.expression], []
    for tensor in result.signature.tensors.values():
        letters = letters_of(tensor.format)
        if letters is None:
            notes.append(f"# {tensor.name}: TACO has no letters for its format")
        elif letters.strip("d"):
            words.append(f"-f={tensor.name}:{letters}")
        if tensor.dtype != DTYPES["double"]:
            words.append(f"-t={tensor.name}:{TYPES[tensor.dtype]}")
    for command in (*_to_start_order(result.graphs[0]), *plan.schedule):
        if command.partition("(")[0].strip() in TACO_COMMANDS:
            words.append(f"-s={command.replace(' ', '')}")
        else:
            notes.append(f"# TACO does not know {command}")
    notes += [f"# {name}: TACO fills with 0, not with {spec.fill}" for name, spec in plan.tensors.items() if spec.fill]
    if plan.target == CUDA.name:
        words.append("-cuda")
    elif plan.target != DEFAULT_TARGET:
        notes.append(f"# TACO does not know the target {plan.target}")
    return "\n".join([*notes, " ".join(shlex.quote(word) for word in words)]) + "\n"


def _to_start_order(graph: IterationGraph) -> tuple[str, ...]:
    """TACO starts with the result first and sums inside: the command that makes of those loops the plan's."""
    if isinstance(graph.statement, Series):
        return ()  # loops of parts, which TACO does not have
    orders = [order for order in graph.started if order.loops != order.result_first]
    return tuple(f"reorder({', '.join(order.loops)})" for order in orders if {*order.loops} <= {*graph.underived})


def letters_of(format: Format) -> str | None:
    """``ds`` or ``ds:1,0``; None where a level has no letter."""
    if format.composition is not None:
        return None
    by_level = {level: letter for letter, level in LETTERS.items()}
    letters = [by_level.get(level) for level in format.levels]
    if any(letter is None for letter in letters):
        return None
    text = "".join(letter for letter in letters if letter is not None)
    return text if format.order == tuple(range(len(format.levels))) else f"{text}:{','.join(map(str, format.order))}"
