"""Range inference in rounds (docs/sources.md C5): each index variable gets the largest range for which all reads are
inside of their tensors, statement by statement, and of each range it is known why.

In a round, every access in which exactly one variable is not resolved yet holds that variable to an interval; the
resolved ones beside it are eliminated, each by the end of its range that is worst. Variables found in a round are known
behind it, so that the order of variables does not matter. What does not follow from the ranges that were found is an
error, or, where ranges were given, a condition that is checked at the call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from compiler.comprehensions.checks.problems import Problems
from compiler.comprehensions.checks.resolved import Resolved, Step
from compiler.comprehensions.language.nodes import Apply, Node, Statement
from compiler.comprehensions.language.nodes import Name as Written
from compiler.comprehensions.ranges.nodes import Condition, Constraint, Found, Range, Round, Same
from compiler.comprehensions.ranges.prove import follows, guarded_alone
from compiler.comprehensions.ranges.reads import reads
from compiler.comprehensions.ranges.refusals import ambiguous, conflicting, empty, unresolved
from compiler.comprehensions.ranges.subscripts import as_length, coefficients, is_opaque
from compiler.comprehensions.ranges.text import text
from compiler.lengths.build import ceil_div, floor_div, maximum, minimum
from compiler.lengths.facts import Facts, Interval
from compiler.lengths.nodes import ZERO, Length, length
from compiler.lengths.walk import free_names

Ends = tuple[Length, Length]


def infer(program: Resolved, fixed: Mapping[str, int], problems: Problems) -> Found:
    """The ranges of all index variables; problems go to ``problems`` (codes ``tc/…``). ``fixed`` are sizes and integer
    parameters that are known."""
    inference = _Inference(program, fixed, problems)
    for step in program.steps:
        inference.statement(step)
    return inference.found()


@dataclass(slots=True)
class _Inference:
    program: Resolved
    fixed: Mapping[str, int]
    problems: Problems
    ranges: dict[int, dict[str, Range]] = field(default_factory=dict)
    dimensions: dict[str, list[Range | None]] = field(default_factory=dict)
    rounds: list[Round] = field(default_factory=list)
    deferred: list[tuple[Step, str, int]] = field(default_factory=list)
    constraints: dict[int, list[Constraint]] = field(default_factory=dict)
    used: set[tuple[int, int, int, str]] = field(default_factory=set)
    """The constraints that a range was found from, which it fulfils."""
    same: list[Same] = field(default_factory=list)
    facts: Facts = field(init=False)

    def __post_init__(self) -> None:
        integers = [name for name in self.program.integers if name not in self.fixed]
        self.facts = Facts({name: Interval(None, None) for name in integers})
        for name, type in self.program.parameters.items():
            self.dimensions[name] = [
                Range(ZERO, self._size(d.name) if isinstance(d, Written) else length(int(d.value)))
                for d in type.dimensions
            ]
        for version in self.program.initial:
            self.dimensions[version] = [None] * self.program.orders[version]

    def _size(self, name: str) -> Length:
        return length(self.fixed[name]) if name in self.fixed else length(name)

    def _length(self, node: Node) -> Length:
        return as_length(node, self.fixed, self._extent, self._spelled)

    def _spelled(self, node: Node | Statement) -> str:
        return self.problems.text[node.span.start : node.span.end]

    def _extent(self, tensor: str, dimension: int) -> Length:
        known = self.dimensions[tensor][dimension]
        return known.extent if known is not None else length(f"{self.program.bases[tensor]}.{dimension}")

    # ---------------------------------------------------------------------------------------- one statement

    def statement(self, step: Step) -> None:
        known: dict[str, Range] = {}
        self.ranges[step.number] = known
        for name, clause in step.explicit.items():
            known[name] = Range(self._length(clause.lower), self._length(clause.upper))
            self._note(
                step, 0, name, "where", self._spelled(step.source), self._spelled_clause(step, name), (), known[name]
            )
        self.constraints[step.number] = self._constraints(step)
        number = 0
        while any(variable not in known for variable in step.variables):
            number += 1
            found = self._round(step, known, number)
            if not found:
                found = self._without_reads(step, known, number)
            if not found:
                break
            known.update(found)
        waiting = [variable for variable in step.variables if variable not in known]
        for variable in list(waiting):
            if variable in step.indices and self._assigned_later(step):
                self.deferred.append((step, variable, step.indices.index(variable)))
                waiting.remove(variable)
        if waiting:
            unresolved(step, waiting, self.constraints[step.number], known, self.problems)
            for variable in waiting:
                known[variable] = Range(ZERO, length(f"{variable}'s size"))
        self.dimensions[step.target] = [known.get(variable) for variable in step.indices]
        self._complete_deferred(step)
        self._agree(step)

    def _spelled_clause(self, step: Step, name: str) -> str:
        return self.problems.text[step.explicit[name].span.start : step.explicit[name].span.end]

    def _assigned_later(self, step: Step) -> bool:
        return any(other.base == step.base and other.number > step.number for other in self.program.steps)

    def _constraints(self, step: Step) -> list[Constraint]:
        found: list[Constraint] = []
        tensors = frozenset(self.program.types)
        nodes: list[Node] = [step.expression, *step.exists]
        for node in nodes:
            for access, guards, _ in reads(node, tensors):
                found += self._of_access(step, access, guards)
        return found

    def _of_access(self, step: Step, access: Apply, guards: tuple[Node, ...]) -> list[Constraint]:
        found: list[Constraint] = []
        for dimension, argument in enumerate(access.arguments):
            known = self.dimensions[access.name][dimension]
            subscript = self._length(argument)
            factors = coefficients(subscript, step.variables)
            if known is None:
                continue
            found.append(
                Constraint(
                    step.number,
                    access.name,
                    dimension,
                    self._spelled(access),
                    subscript,
                    argument,
                    factors,
                    known.lower,
                    known.upper,
                    guards,
                    access.span,
                )
            )
        return found

    def _round(self, step: Step, known: dict[str, Range], number: int) -> dict[str, Range]:
        """What one round finds."""
        held: dict[str, list[Ends]] = {}
        for constraint in self.constraints[step.number]:
            if constraint.factors is None:
                continue
            waiting = [variable for variable in constraint.factors if variable not in known]
            if len(waiting) != 1:
                continue
            (variable,) = waiting
            ends = self._interval(constraint, variable, known)
            held.setdefault(variable, []).append(ends)
            self.used.add(_key(constraint))
            shown = f"{text(constraint.lower)} <= {text(constraint.subscript)} < {text(constraint.upper)}"
            others = tuple(
                f"{other} in {text(known[other].lower)}:{text(known[other].upper)}"
                for other in constraint.factors
                if other != variable
            )
            self._note(step, number, variable, "access", constraint.access, shown, others, Range(*ends))
        return {
            variable: Range(
                maximum(0, *(lower for lower, _ in ends), facts=self.facts),
                minimum(*(upper for _, upper in ends), facts=self.facts),
            )
            for variable, ends in held.items()
        }

    def _interval(self, constraint: Constraint, variable: str, known: Mapping[str, Range]) -> Ends:
        """What is left for ``variable`` when the others take the worst values of their ranges."""
        assert constraint.factors is not None
        rest = constraint.subscript - length(variable) * constraint.factors[variable]
        low, high = rest, rest
        for other, factor in constraint.factors.items():
            if other == variable:
                continue
            first, last = known[other].lower * factor, (known[other].upper - 1) * factor
            own = length(other) * factor
            least, most = (first, last) if factor > 0 else (last, first)
            low, high = low - own + least, high - own + most
        factor = constraint.factors[variable]
        above, below = constraint.lower - low, constraint.upper - 1 - high
        if factor > 0:
            return ceil_div(above, factor, self.facts), floor_div(below, factor, self.facts) + 1
        return ceil_div(-below, -factor, self.facts), floor_div(-above, -factor, self.facts) + 1

    def _without_reads(self, step: Step, known: dict[str, Range], number: int) -> dict[str, Range]:
        """Where no read says more: the range of the dimension that is assigned, as far as it is known otherwise."""
        free = [variable for variable in step.indices if variable not in known]
        for how in ("earlier", "declared", "passed"):
            if how == "passed" and self._assigned_later(step):
                continue
            found = {v: r for v in free if (r := self._dimension(step, step.indices.index(v), how)) is not None}
            for variable, range in found.items():
                place = step.indices.index(variable)
                self._note(step, number, variable, how, f"{step.base}, dimension {place}", "", (), range)
            if found:
                return found
        return {}

    def _dimension(self, step: Step, dimension: int, how: str) -> Range | None:
        match how:
            case "earlier":
                for other in reversed(self.program.steps):
                    if other.base == step.base and other.number < step.number:
                        known = self.dimensions[other.target][dimension]
                        if known is not None:
                            return known
                return None
            case "declared":
                declared = self._declared(step.base)
                if declared is None or dimension >= len(declared):
                    return None
                size = declared[dimension]
                bound = {
                    d.name for t in self.program.parameters.values() for d in t.dimensions if isinstance(d, Written)
                }
                if isinstance(size, Written) and size.name not in bound and size.name not in self.fixed:
                    return None
                return Range(ZERO, self._length(size))
            case _:
                passed = step.base in self.program.initial.values()
                return Range(ZERO, length(f"{step.base}.{dimension}")) if passed else None

    def _declared(self, base: str) -> tuple[Node, ...] | None:
        found = next((one for one in self.program.definition.returns if one.name == base), None)
        return None if found is None or found.type is None else found.type.dimensions

    # ---------------------------------------------------------------------------------- between statements

    def _complete_deferred(self, step: Step) -> None:
        """Earlier statements that assign the same tensor and waited for this one."""
        for waiting in list(self.deferred):
            earlier, variable, dimension = waiting
            found = (
                self.dimensions[step.target][dimension] if earlier.base == step.base and earlier is not step else None
            )
            if found is None:
                continue
            self.deferred.remove(waiting)
            self.ranges[earlier.number][variable] = found
            self.dimensions[earlier.target][dimension] = found
            self._note(earlier, 0, variable, "later", f"{step.base}, dimension {dimension}", "", (), found)

    def _agree(self, step: Step) -> None:
        """All statements that assign a tensor have one range for each of its dimensions."""
        for other in self.program.steps:
            if other.base != step.base or other.number >= step.number:
                continue
            for dimension, (one, two) in enumerate(
                zip(self.dimensions[other.target], self.dimensions[step.target], strict=True)
            ):
                if one is None or two is None or one == two:
                    continue
                explicit = step.explicit.keys() | other.explicit.keys()
                reason = f"{step.base} has one size in dimension {dimension} for all statements that assign it"
                undecided = all(d.constant is None for d in (one.lower - two.lower, one.upper - two.upper) if d.terms)
                if explicit and undecided:
                    self.same += [Same(one.lower, two.lower, reason), Same(one.upper, two.upper, reason)]
                else:
                    conflicting(step, other, dimension, one, two, self.problems)
                    return

    def _note(
        self,
        step: Step,
        number: int,
        variable: str,
        how: str,
        access: str,
        constraint: str,
        eliminated: tuple[str, ...],
        range: Range,
    ) -> None:
        self.rounds.append(
            Round(
                step.number, number, variable, how, access, constraint, eliminated, text(range.lower), text(range.upper)
            )
        )

    # -------------------------------------------------------------------------------------------- the end

    def found(self) -> Found:
        for step, variable, _ in self.deferred:
            unresolved(step, [variable], self.constraints[step.number], self.ranges[step.number], self.problems)
        self.problems.check()
        conditions: list[Condition] = []
        gathers: list[Constraint] = []
        guarded: set[tuple[int, str]] = set()
        for step in self.program.steps:
            known = self.ranges[step.number]
            for variable, range in known.items():
                extent = range.extent.constant
                if extent is not None and extent < 0:
                    empty(step, variable, range, self.problems)
            for constraint in self._constraints(step):
                facts = self._within(step)
                if is_opaque(constraint.subscript):
                    gathers.append(constraint)
                    continue
                if _key(constraint) in self.used:
                    continue
                if follows(constraint, facts, self._length):
                    if guarded_alone(constraint, facts):
                        guarded.add((step.number, constraint.access))
                    continue
                if not free_names(constraint.subscript) & set(step.variables):
                    # Sizes alone decide it: no range is to blame, and no condition is asked.
                    conditions.append(Condition(replace(constraint, guards=()), known))
                    continue
                if not step.explicit:
                    ambiguous(step, constraint, known, self.problems)
                conditions.append(Condition(constraint, known))
                if constraint.guards:
                    guarded.add((step.number, constraint.access))
        self._returned()
        for agreement in self.program.agreements:
            left, right = self._length(agreement.left), self._length(agreement.right)
            if left != right:
                self.same.append(Same(left, right, agreement.text))
        self.problems.check()
        ranges = tuple(self.ranges[step.number] for step in self.program.steps)
        whole = {name: tuple(one for one in dims if one is not None) for name, dims in self.dimensions.items()}
        for version, base in self.program.initial.items():
            whole[version] = whole[self.program.results[base]]
        return Found(
            ranges, whole, tuple(self.rounds), tuple(conditions), tuple(gathers), tuple(self.same), frozenset(guarded)
        )

    def _within(self, step: Step) -> Facts:
        """What is known where the statement reads: its variables are in their ranges, of which none is empty."""
        facts = self.facts
        for variable, range in self.ranges[step.number].items():
            facts = facts.within(variable, range.lower, range.upper - 1).assuming(range.extent - 1)
        return facts

    def _returned(self) -> None:
        """What results are declared to have must be what they get."""
        bound = {d.name for t in self.program.parameters.values() for d in t.dimensions if isinstance(d, Written)}
        for one in self.program.definition.returns:
            dimensions = one.type.dimensions if one.type is not None else ()
            for number, declared in enumerate(dimensions):
                if isinstance(declared, Written) and declared.name not in bound and declared.name not in self.fixed:
                    continue
                wanted = self._length(declared)
                known = self.dimensions[self.program.results[one.name]][number]
                if known is not None and known.extent != wanted:
                    self.same.append(
                        Same(
                            known.extent,
                            wanted,
                            f"{one.name} is declared with {text(wanted)} elements in dimension {number}",
                        )
                    )


def _key(constraint: Constraint) -> tuple[int, int, int, str]:
    return constraint.step, constraint.span.start, constraint.dimension, constraint.access
