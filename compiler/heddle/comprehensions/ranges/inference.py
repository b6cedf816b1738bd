"""Range inference in rounds (docs/sources.toml C5): each index variable gets the largest range for which all reads are
inside of their tensors, statement by statement, and of each range it is known why.

In a round, every access in which exactly one variable is not resolved yet holds that variable to an interval; the
resolved ones beside it are eliminated, each by the end of its range that is worst. What does not follow from the ranges
that were found is an error, or, where ranges were given, a condition that is checked at the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.resolved import Resolved, Step
from heddle.comprehensions.checks.typing import COMPARISONS, LOGICAL
from heddle.comprehensions.language.nodes import Binary, Choice, Node, Unary, walk
from heddle.comprehensions.language.nodes import Name as Written
from heddle.comprehensions.ranges.magnitude import needs_a_look
from heddle.comprehensions.ranges.nodes import Computed, Condition, Constraint, Found, Range, Same
from heddle.comprehensions.ranges.prove import follows, guarded_alone
from heddle.comprehensions.ranges.refusals import ambiguous, conflicting, empty, refuse_unresolved
from heddle.comprehensions.ranges.search import (
    Known,
    assigned_later,
    bound_sizes,
    constraints_of,
    key_of,
    search,
    what_is_known,
)
from heddle.comprehensions.ranges.subscripts import formula
from heddle.comprehensions.ranges.text import text
from heddle.comprehensions.ranges.unneeded_guards import note_unneeded_guards
from heddle.diagnostics import CompileError
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import ZERO, Length, length
from heddle.symbolic.walk import free_names


def explore(program: Resolved, fixed: Mapping[str, int], problems: Problems) -> tuple[Known, Found | None]:
    """What is found also where the program is refused: as far as inference comes, and all that it finds if it comes to
    the end."""
    inference = _Inference(what_is_known(program, dict(fixed), problems))
    try:
        for step in program.steps:
            inference.statement(step)
        return inference.known, inference.collect()
    except CompileError:
        return inference.known, None


def infer(program: Resolved, fixed: Mapping[str, int], problems: Problems) -> Found:
    """The ranges of all index variables; problems go to ``problems`` (codes ``tc/…``). ``fixed`` are sizes and integer
    parameters that are known."""
    inference = _Inference(what_is_known(program, dict(fixed), problems))
    for step in program.steps:
        inference.statement(step)
    return inference.collect()


@dataclass(slots=True)
class _Inference:
    known: Known
    deferred: list[tuple[Step, str, int]] = field(default_factory=list)
    """Variables that wait for a later statement of the same tensor, with their dimension."""
    same: list[Same] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    gathers: list[Constraint] = field(default_factory=list)
    guarded: set[tuple[int, str]] = field(default_factory=set)

    def statement(self, step: Step) -> None:
        known = self.known
        waiting = search(step, known)
        ranges = known.ranges[step.number]
        for variable in list(waiting):
            if variable in step.indices and assigned_later(step, known.program):
                self.deferred.append((step, variable, step.indices.index(variable)))
                waiting.remove(variable)
        if waiting:
            refuse_unresolved(step, waiting, known.constraints[step.number], ranges, known.facts, known.problems)
            for variable in waiting:
                ranges[variable] = Range(ZERO, length(f"{variable}'s size"))
                known.unresolved.add((step.number, variable))
        known.dimensions[step.target] = [ranges.get(variable) for variable in step.indices]
        self._complete_deferred(step)
        self._agree(step)

    # ---------------------------------------------------------------------------------- between statements

    def _complete_deferred(self, step: Step) -> None:
        """Earlier statements that assign the same tensor and waited for this one."""
        known = self.known
        for waiting in list(self.deferred):
            earlier, variable, dimension = waiting
            same = earlier.base == step.base and earlier is not step
            size_range = known.dimensions[step.target][dimension] if same else None
            if size_range is None:
                continue
            self.deferred.remove(waiting)
            known.ranges[earlier.number][variable] = size_range
            known.dimensions[earlier.target][dimension] = size_range
            known.note(earlier, 0, variable, "later", f"{step.base}, dimension {dimension}", size_range)

    def _agree(self, step: Step) -> None:
        """All statements that assign a tensor have one range for each of its dimensions."""
        known = self.known
        for other in known.program.steps:
            if other.base != step.base or other.number >= step.number:
                continue
            for dimension, (other_range, two) in enumerate(
                zip(known.dimensions[other.target], known.dimensions[step.target], strict=True)
            ):
                if other_range is None or two is None or other_range == two:
                    continue
                explicit = step.explicit.keys() | other.explicit.keys()
                reason = f"{step.base} has one size in dimension {dimension} for all statements that assign it"
                undecided = all(
                    d.constant is None
                    for d in (other_range.lower - two.lower, other_range.upper - two.upper)
                    if d.terms
                )
                if explicit and undecided:
                    self.same += [
                        Same(other_range.lower, two.lower, reason),
                        Same(other_range.upper, two.upper, reason),
                    ]
                else:
                    conflicting(step, other, dimension, other_range, two, known.problems)
                    return

    # -------------------------------------------------------------------------------------------- the end

    def collect(self) -> Found:
        known = self.known
        for step, variable, _ in self.deferred:
            known.unresolved.add((step.number, variable))
            step_ranges = known.ranges[step.number]
            refuse_unresolved(
                step, [variable], known.constraints[step.number], step_ranges, known.facts, known.problems
            )
        known.problems.check()
        computed: list[Computed] = []
        for step in known.program.steps:
            for variable, range in known.ranges[step.number].items():
                extent = range.extent.constant
                if extent is not None and extent < 0:
                    empty(step, variable, range, known.problems)
            told = step.number in known.told
            constraints = known.constraints[step.number] if told else constraints_of(step, known)
            open_ones = any(constraint.exact and key_of(constraint) not in known.used for constraint in constraints)
            facts = self._assume_ranges(step) if open_ones else known.facts
            for constraint in constraints:
                self._check(step, constraint, facts)
            computed += _find_formulas(step, constraints, known)
            if any(constraint.guards for constraint in constraints):
                note_unneeded_guards(step, known, self._assume_ranges(step))
        self._check_returned()
        for agreement in known.program.agreements:
            left, right = known.length(agreement.left), known.length(agreement.right)
            if left != right:
                self.same.append(Same(left, right, agreement.text))
        known.problems.check()
        ranges = tuple(known.ranges[step.number] for step in known.program.steps)
        whole = {
            name: tuple(size_range for size_range in dims if size_range is not None)
            for name, dims in known.dimensions.items()
        }
        for version, base in known.program.initial.items():
            whole[version] = whole[known.program.results[base]]
        return Found(
            ranges,
            whole,
            tuple(known.rounds),
            tuple(self.conditions),
            tuple(self.gathers),
            tuple(self.same),
            frozenset(self.guarded),
            tuple(computed),
        )

    def _check(self, step: Step, constraint: Constraint, facts: Facts) -> None:
        """A read is proved, is a condition at the call, or is refused. ``facts`` are those of the statement."""
        known = self.known
        if not constraint.exact:
            self.gathers.append(constraint)
        elif key_of(constraint) in known.used:
            return
        elif follows(constraint, facts):
            if guarded_alone(constraint, facts):
                self.guarded.add((step.number, constraint.access))
        elif not free_names(constraint.subscript) & set(step.variables):
            # Sizes alone decide it: no range is to blame, and no condition is asked.
            self.conditions.append(Condition(replace(constraint, guards=()), known.ranges[step.number]))
        else:
            if not step.explicit:
                ambiguous(step, constraint, known.ranges[step.number], known.problems)
            self.conditions.append(Condition(constraint, known.ranges[step.number]))
            if constraint.under:
                self.guarded.add((step.number, constraint.access))

    def _assume_ranges(self, step: Step) -> Facts:
        """What is known where the statement reads: its variables are in their ranges, of which none is empty."""
        facts = self.known.facts
        for variable, range in self.known.ranges[step.number].items():
            facts = facts.assume_range(variable, range.lower, range.upper - 1).assuming(range.extent - 1)
        return facts

    def _check_returned(self) -> None:
        """What results are declared to have must be what they get."""
        known = self.known
        bound = bound_sizes(known.program) | known.terms.fixed.keys()
        for result in known.program.definition.returns:
            for number, declared in enumerate(result.type.dimensions if result.type is not None else ()):
                if isinstance(declared, Written) and declared.name not in bound:
                    continue
                wanted = known.length(declared)
                range = known.dimensions[known.program.results[result.name]][number]
                if range is not None and range.extent != wanted:
                    reason = f"{result.name} is declared with {text(wanted)} elements in dimension {number}"
                    self.same.append(Same(range.extent, wanted, reason))


def _find_formulas(step: Step, constraints: list[Constraint], known: Known) -> list[Computed]:
    """The formulas of a statement that may leave 64 bits or divide by what is not positive."""
    ranges = known.ranges[step.number]
    wide = [name for name in known.terms.integers if known.terms.types[name] in ("int64", "uint64")]
    lengths: dict[Length, str] = {}
    for variable, range in ranges.items():
        lengths.setdefault(range.lower, f"the lower end of {variable}")
        lengths.setdefault(range.upper, f"the upper end of {variable}")
    for constraint in constraints:
        if constraint.exact:
            lengths.setdefault(constraint.subscript, known.spell(constraint.node))
    for node in (step.expression, *step.exists):
        for tested in _find_tested(node):
            subscript = formula(tested, known.terms)
            if subscript.exact:
                lengths.setdefault(subscript.whole, known.spell(tested))
    return [
        Computed(whole, step.number, shown, ranges) for whole, shown in lengths.items() if needs_a_look(whole, wide)
    ]


def _find_tested(node: Node) -> Iterator[Node]:
    """What conditions compare, and what they take as true or false."""
    for part in walk(node):
        match part:
            case Binary(operator=operator, left=left, right=right) if operator in (*COMPARISONS, *LOGICAL):
                yield from (left, right)
            case Choice(condition=condition):
                yield condition
            case Unary(operator="!", operand=operand):
                yield operand
            case _:
                pass
