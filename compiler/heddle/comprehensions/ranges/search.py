"""The rounds of one statement: in each, every access in which exactly one variable is not resolved yet holds that
variable to an interval. Variables found in a round are known behind it, so that their order does not matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from heddle.comprehensions.checks.expressions import bad_bound
from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.resolved import Resolved, Step
from heddle.comprehensions.language.nodes import Apply, Extent, Node, Statement, walk
from heddle.comprehensions.language.nodes import Name as Written
from heddle.comprehensions.ranges.by_cases import ALL, NEVER, left_by_cases
from heddle.comprehensions.ranges.eliminate import interval_of
from heddle.comprehensions.ranges.nodes import Constraint, Range, Round
from heddle.comprehensions.ranges.reads import reads
from heddle.comprehensions.ranges.subscripts import Terms, as_length, coefficients, formula, imply
from heddle.symbolic.build import maximum, minimum
from heddle.symbolic.facts import Facts, Interval
from heddle.symbolic.nodes import ZERO, Length, length
from heddle.symbolic.walk import free_names


@dataclass(slots=True)
class Known:
    """What is known so far. ``ranges`` by statement, ``dimensions`` of each version; ``used`` are the constraints that
    a range was found from, which it fulfils."""

    program: Resolved
    problems: Problems
    terms: Terms
    facts: Facts
    ranges: dict[int, dict[str, Range]] = field(default_factory=dict)
    dimensions: dict[str, list[Range | None]] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    constraints: dict[int, list[Constraint]] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)
    """Statements whose constraints are complete."""
    used: set[tuple[int, int, int, str]] = field(default_factory=set)
    unresolved: set[tuple[int, str]] = field(default_factory=set)
    """Statements and variables of which no range follows."""

    def length(self, node: Node) -> Length:
        return as_length(node, self.terms)

    def spell(self, node: Node | Statement) -> str:
        return self.problems.text[node.span.start : node.span.end]

    def note(self, step: Step, number: int, variable: str, how: str, access: str, range: Range) -> None:
        """A range that no access gave."""
        self.rounds.append(Round(step.number, number, variable, how, access, "", (), range))


def what_is_known(program: Resolved, fixed: dict[str, int], problems: Problems) -> Known:
    """Nothing yet but the sizes of the operands."""
    dimensions: dict[str, list[Range | None]] = {}

    def extent(tensor: str, dimension: int) -> Length:
        known = dimensions[tensor][dimension]
        return known.extent if known is not None else length(f"{program.bases[tensor]}.{dimension}")

    def spell(node: Node) -> str:
        return problems.text[node.span.start : node.span.end]

    integers = [name for name in program.integers if name not in fixed]
    terms = Terms(fixed, program.types, frozenset(program.integers), extent, spell)
    facts = Facts({name: Interval(None, None) for name in integers})
    for name, type in program.parameters.items():
        dimensions[name] = [Range(ZERO, as_length(declared, terms)) for declared in type.dimensions]
    for version in program.initial:
        dimensions[version] = [None] * program.orders[version]
    return Known(program, problems, terms, facts, dimensions=dimensions)


def search(step: Step, known: Known) -> list[str]:
    """Finds the ranges of the statement as far as its own reads and earlier statements tell; gives the variables that
    are left."""
    ranges = known.ranges[step.number] = {}
    for name, clause in step.explicit.items():
        for bound in (clause.lower, clause.upper):
            if not formula(bound, known.terms).exact:
                bad_bound(clause, bound, known.problems)
        known.problems.check()
        ranges[name] = Range(known.length(clause.lower), known.length(clause.upper))
        spelled = known.problems.text[clause.span.start : clause.span.end]
        whole = known.spell(step.source)
        known.rounds.append(Round(step.number, 0, name, "where", whole, spelled, (), ranges[name]))
    known.constraints[step.number] = constraints_of(step, known)
    if _is_told(step, known):
        known.told.add(step.number)
    number = 0
    while any(variable not in ranges for variable in step.variables):
        number += 1
        new_ranges = _round(step, known, number) or _without_reads(step, known, number)
        if not new_ranges:
            break
        ranges.update(new_ranges)
    return [variable for variable in step.variables if variable not in ranges]


def _is_told(step: Step, known: Known) -> bool:
    """Whether the sizes of all tensors that the statement names are known: later statements say no more of its
    reads."""
    parts = [part for node in (step.expression, *step.exists) for part in walk(node)]
    named = {part.name for part in parts if isinstance(part, Apply)}
    named |= {part.tensor for part in parts if isinstance(part, Extent)}
    return all(None not in known.dimensions.get(name, (None,)) for name in named & known.program.types.keys())


def assigned_later(step: Step, program: Resolved) -> bool:
    return any(other.base == step.base and other.number > step.number for other in program.steps)


def constraints_of(step: Step, known: Known) -> list[Constraint]:
    """What the reads of a statement say, in the dimensions whose size is known."""
    tensors = frozenset(known.program.types)
    nodes: list[Node] = [step.expression, *step.exists]
    return [
        constraint
        for node in nodes
        for access, under in reads(node, tensors)
        for constraint in _of_access(step, access, under, known)
    ]


def _of_access(step: Step, access: Apply, under: tuple[Node, ...], known: Known) -> list[Constraint]:
    constraints: list[Constraint] = []
    guards = tuple(test for condition in under for test in imply(condition, known.terms))
    for dimension, argument in enumerate(access.arguments):
        whole = known.dimensions[access.name][dimension]
        if whole is None:
            continue
        subscript = formula(argument, known.terms)
        constraints.append(
            Constraint(
                step.number,
                access.name,
                dimension,
                known.spell(access),
                subscript.whole,
                argument,
                coefficients(subscript.whole, step.variables) if subscript.exact else None,
                whole.lower,
                whole.upper,
                subscript.exact,
                under,
                guards,
                access.span,
            )
        )
    return constraints


def key_of(constraint: Constraint) -> tuple[int, int, int, str]:
    return constraint.step, constraint.span.start, constraint.dimension, constraint.access


def _round(step: Step, known: Known, number: int) -> dict[str, Range]:
    """What one round finds."""
    ranges = known.ranges[step.number]
    held: dict[str, list[tuple[Constraint, Length, Length | None]]] = {}
    for constraint in known.constraints[step.number]:
        if not constraint.exact:
            continue
        waiting = [variable for variable in variables_of(constraint, step) if variable not in ranges]
        if len(waiting) != 1:
            continue
        (variable,) = waiting
        if constraint.factors is not None:
            held.setdefault(variable, []).append((constraint, *interval_of(constraint, variable, ranges, known.facts)))
            continue
        left = left_by_cases(constraint, variable, ranges, step.variables, known.facts)
        if left is not None and left not in (ALL, NEVER):
            upper = None if left.upper is None else left.upper + 1
            held.setdefault(variable, []).append((constraint, left.lower or ZERO, upper))
    return {
        variable: _resolve(step, known, number, variable, ends)
        for variable, ends in held.items()
        if any(upper is not None for _, _, upper in ends)
    }


def _resolve(
    step: Step,
    known: Known,
    number: int,
    variable: str,
    held: Sequence[tuple[Constraint, Length, Length | None]],
) -> Range:
    """The range that all of ``held`` leave; it fulfils them."""
    ranges = known.ranges[step.number]
    whole = Range(
        maximum(0, *(lower for _, lower, _ in held), facts=known.facts),
        minimum(*(upper for _, _, upper in held if upper is not None), facts=known.facts),
    )
    for constraint, lower, upper in held:
        known.used.add(key_of(constraint))
        others = tuple(f"{o} in {ranges[o].shown}" for o in variables_of(constraint, step) if o != variable)
        left = Range(lower, whole.upper if upper is None else upper)
        known.rounds.append(
            Round(step.number, number, variable, "access", constraint.access, constraint.shown, others, left)
        )
    return whole


def variables_of(constraint: Constraint, step: Step) -> tuple[str, ...]:
    """The index variables of the subscript."""
    if constraint.factors is not None:
        return tuple(constraint.factors)
    names = free_names(constraint.subscript)
    return tuple(variable for variable in step.variables if variable in names)


def _without_reads(step: Step, known: Known, number: int) -> dict[str, Range]:
    """Where no read says more: the range of the dimension that is assigned, as far as it is known otherwise."""
    ranges = known.ranges[step.number]
    free = [variable for variable in step.indices if variable not in ranges]
    for how in ("earlier", "declared", "passed"):
        if how == "passed" and assigned_later(step, known.program):
            continue
        places = {variable: step.indices.index(variable) for variable in free}
        new_ranges = {v: r for v, place in places.items() if (r := _dimension(step, place, how, known)) is not None}
        for variable, range in new_ranges.items():
            known.note(step, number, variable, how, f"{step.base}, dimension {places[variable]}", range)
        if new_ranges:
            return new_ranges
    return {}


def _dimension(step: Step, dimension: int, how: str, known: Known) -> Range | None:
    program = known.program
    match how:
        case "earlier":
            for other in reversed(program.steps):
                if other.base == step.base and other.number < step.number:
                    earlier = known.dimensions[other.target][dimension]
                    if earlier is not None:
                        return earlier
            return None
        case "declared":
            declared = next((result for result in program.definition.returns if result.name == step.base), None)
            if declared is None or declared.type is None or dimension >= len(declared.type.dimensions):
                return None
            size = declared.type.dimensions[dimension]
            bound = isinstance(size, Written) and (size.name in bound_sizes(program) or size.name in known.terms.fixed)
            return Range(ZERO, known.length(size)) if bound or not isinstance(size, Written) else None
        case "passed":
            passed = step.base in program.initial.values()
            return Range(ZERO, length(f"{step.base}.{dimension}")) if passed else None
        case _:
            raise ValueError(f"unexpected way {how!r}")


def bound_sizes(program: Resolved) -> set[str]:
    """The sizes that operands have."""
    return {d.name for type in program.parameters.values() for d in type.dimensions if isinstance(d, Written)}
