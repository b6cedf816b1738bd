"""The canonical form of a program: the same for every spelling of it, another one for every other program
(Vasilache et al. 2018, compilation cache).

Tensors become ``o0`` (the result), ``t0…`` (temporaries, in order of assignment) and ``p0…`` (operands, in order of
first occurrence); index variables ``v0…``, statement by statement those of the target first. What no name can change
stays as it is: operators, functions, literals with their type, and the shape of the tree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.frontends.table import assignment_of, front_end_of
from heddle.iteration_graph.graph.provenance import variables
from heddle.notation.nodes import Assignment, index_variables, operand_accesses, statements
from heddle.notation.printer import to_text
from heddle.notation.program import Program
from heddle.notation.rename import rename_all
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.tuning.known.resolved import resolve_sizes


@dataclass(frozen=True, slots=True)
class Canonical:
    """``text`` and its SHA-256 ``digest``; ``expression`` is the program in its language and in canonical names, for
    people and for compiling it again. ``tensors`` and ``variables`` map the program's names to canonical ones."""

    text: str
    digest: str
    expression: str
    tensors: Mapping[str, str]
    variables: Mapping[str, str]

    @property
    def names(self) -> dict[str, str]:
        return {**self.variables, **self.tensors}


def canonical_of(plan: Plan) -> Canonical:
    """The canonical form of what ``plan`` computes, whatever its formats and its schedule, and whether its sizes or the
    shapes of its operands say how large these are.

    Raises
    ------
    CompileError
        the text is wrong, its language has no statements, or ``tuned/no-form`` where it has no canonical form.
    """
    return as_written(resolve_sizes(plan))


def as_written(plan: Plan) -> Canonical:
    """The same with the sizes of ``plan`` as numbers in the text.

    Raises
    ------
    CompileError
        as :func:`canonical_of`.
    """
    assignment = assignment_of(plan.language, plan.expression, plan.sizes)
    if assignment.program is not None:
        return _of_program(plan, assignment, assignment.program)
    tensors, loops = _tensors(assignment), {name: f"v{n}" for n, name in enumerate(index_variables(assignment))}
    text = "\n".join(_write(statement, tensors, loops) for statement in statements(assignment))
    spelled = to_text(rename_all(assignment, tensors, loops))
    return Canonical(text, _digest(text), spelled, tensors, loops)


def _of_program(plan: Plan, assignment: Assignment, said: Program) -> Canonical:
    """The form is the text that the language gives. Compiled again, the loops and tensors of that text come in the
    order of the program's own, which no name decides."""
    front_end = front_end_of(plan.language)
    if front_end.canonical is None:
        raise CompileError(
            Diagnostic(
                "tuned/no-form",
                f"What is found for this program is not kept: programs in {front_end.title} have no canonical form.",
                Location(Part.PLAN, path="/language"),
                expected="a language with a canonical form",
                actual=plan.language,
            )
        )
    text = front_end.canonical(front_end.read(plan.expression, plan.sizes))
    other = assignment_of(plan.language, text)
    assert other.program is not None
    tensors = dict(zip(said.operands, other.program.operands, strict=True))
    for statement, two in zip(statements(assignment), statements(other), strict=True):
        tensors[statement.target.tensor] = two.target.tensor
    return Canonical(text, _digest(text), text, tensors, dict(zip(said.extents, other.program.extents, strict=True)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def with_derived_loops(canonical: Canonical, plan: Plan) -> Canonical:
    """With names ``u0…`` for the loops that formats make before any command: rows of blocks, positions of slices.

    Commands may name these. They come in the order in which the compiler makes them, which no name decides.
    """
    graphs = lower(replace(plan, schedule=())).graphs
    new_loops = [name for name in (variables(graphs[0]) if graphs else ()) if name not in canonical.variables]
    short_names = {name: f"u{number}" for number, name in enumerate(new_loops)}
    return replace(canonical, variables={**canonical.variables, **short_names})


def _tensors(assignment: Assignment) -> dict[str, str]:
    temporaries = {temporary.target.tensor: f"t{number}" for number, temporary in enumerate(assignment.temporaries)}
    named = {assignment.target.tensor: "o0", **temporaries}
    operands = dict.fromkeys(access.tensor for access in operand_accesses(assignment))
    fresh = [name for name in operands if name not in named]
    return {**named, **{name: f"p{number}" for number, name in enumerate(fresh)}}


def _write(node: object, tensors: Mapping[str, str], loops: Mapping[str, str]) -> str:
    """A node as nested parentheses: its class, then its fields in order. Parentheses that a person wrote are in the
    shape of the tree; spaces and comments are nowhere."""
    if isinstance(node, tuple):
        return f"[{' '.join(_write(element, tensors, loops) for element in node)}]"
    if not is_dataclass(node) or isinstance(node, type):
        return f"{type(node).__name__}:{node!r}"
    words = [type(node).__name__]
    for field in fields(node):
        value = getattr(node, field.name)
        if not field.compare or field.name == "span" or (isinstance(node, Assignment) and field.name == "temporaries"):
            continue  # where something stands, what a later stage has found out, and statements written before
        if field.name == "tensor":
            words.append(tensors[value])
        elif field.name in ("variable", "indices"):
            listed = value if isinstance(value, tuple) else (value,)
            words.append(",".join(loops.get(loop, loop) for loop in listed))
        elif field.default is MISSING:
            words.append(_write(value, tensors, loops))
        elif value != field.default:  # what a later version adds to a node changes no form of before
            words.append(f"{field.name}={_write(value, tensors, loops)}")
    return f"({' '.join(words)})"
