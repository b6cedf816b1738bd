"""A program as statements of index notation, in front of the iteration graph, so that formats and schedules apply.

Every statement gets loops of its own, from 0; where a range begins elsewhere, what the text calls ``i`` is
``i + lower``. Each version of a tensor is a tensor, reductions are explicit, and a coordinate that is not the index
variable of its whole dimension is a formula (``Program.computed``), which loops do not run over. Casts stand where the
language promotes otherwise than NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from heddle.comprehensions.checks.resolved import Step
from heddle.comprehensions.language.nodes import Name
from heddle.comprehensions.meaning.at_call import AtCall
from heddle.comprehensions.meaning.formulas import expression_of
from heddle.comprehensions.meaning.values import Scope, Translation, cast, index_of, truth_of
from heddle.comprehensions.program import Comprehension
from heddle.comprehensions.ranges.nodes import Constraint, Range
from heddle.comprehensions.ranges.text import text
from heddle.names import Names
from heddle.notation import nodes as n
from heddle.notation.program import Program
from heddle.notation.reserved import RESERVED

_COMBINED = {"+=": "+", "*=": "*", "min=": "min", "max=": "max"}


def statements_of(program: Comprehension) -> n.Assignment:
    """The last statement, with those in front as its temporaries."""
    names = program.names
    translation = Translation(program, Names({*names.types, *names.sizes, *RESERVED}))
    writer = _Statements(translation)
    assignments: list[n.Assignment] = []
    for step, ranges in zip(names.steps, program.inferred.ranges, strict=True):
        assignments += writer.statement(step, ranges)
    results = tuple(names.results.values())
    last = assignments[-1].target.tensor
    initial = dict(names.initial)
    said = Program(
        computed=translation.computed,
        extents=writer.extents,
        sizes=dict(program.sizes),
        dtypes={**names.types, **writer.dtypes},
        operands={
            **{
                name: tuple(d.name if isinstance(d, Name) else int(d.value) for d in type.dimensions)
                for name, type in names.parameters.items()
                if name not in program.fixed
            },
            **{v: tuple(f"{base}.{d}" for d in range(names.orders[v])) for v, base in initial.items()},
        },
        exported=tuple(name for name in results if name != last),
        results=results,
        initial=initial,
        checks=writer.checks,
        lazy=frozenset(translation.lazy),
        fixed=dict(program.fixed),
        call=AtCall(program),
    )
    return replace(assignments[-1], temporaries=tuple(assignments[:-1]), program=said)


@dataclass(slots=True)
class _Statements:
    translation: Translation
    extents: dict[str, n.Expression] = field(default_factory=dict)
    dtypes: dict[str, str] = field(default_factory=dict)
    checks: dict[str, str] = field(default_factory=dict)

    def statement(self, step: Step, ranges: Mapping[str, Range]) -> list[n.Assignment]:
        """The statement, behind the checks of its gathers."""
        translation = self.translation
        loops: dict[str, str] = {}
        for variable in step.variables:
            loops[variable] = translation.names.fresh(variable)
            self.extents[loops[variable]] = expression_of(ranges[variable].extent, {})
        scope = Scope(loops, ranges, step.number)
        gathers = [gather for gather in translation.program.inferred.gathers if gather.step == step.number]
        before = [self._check(gather, scope) for gather in gathers]
        body = cast(step.expression, scope, step.dtype, translation)
        indices = tuple(loops[index] for index in step.indices)
        if step.operator != "=":
            operator = _COMBINED[step.operator]
            for variable in reversed(step.reduced):
                body = n.Reduce(operator, loops[variable], body)
            if step.keeps is not None:
                access = n.Access(step.keeps, indices)
                body = (
                    n.Call(operator, (access, body)) if operator in ("min", "max") else n.Binary(operator, access, body)
                )
        return [*before, n.Assignment(n.Access(step.target, indices), "=", body)]

    def _check(self, gather: Constraint, around: Scope) -> n.Assignment:
        """How often the indices of a gather lie outside of the tensor, a temporary that must be 0."""
        translation = self.translation
        loops: dict[str, str] = {}
        for variable in around.loops:
            loops[variable] = translation.names.fresh(variable)
            self.extents[loops[variable]] = self.extents[around.loops[variable]]
        scope = Scope(loops, around.ranges, around.step)
        tests: list[n.Expression] = []
        for condition in gather.under:
            tests.append(truth_of(condition, scope, translation))
            scope.guarded += 1
        index = _plain(index_of(gather.node, scope, translation))
        low, high = expression_of(gather.lower, {}), expression_of(gather.upper, {})
        outside: n.Expression = n.Binary("||", n.Binary("<", index, low), n.Binary(">=", index, high))
        for test in reversed(tests):
            outside = n.Binary("&&", test, outside)
        body: n.Expression = n.Select(outside, n.Call("int64", (n.Literal(1),)), n.Call("int64", (n.Literal(0),)))
        draft = Program(computed=translation.computed)
        used = n.variables_in(body, draft)
        for loop in (loop for loop in loops.values() if loop not in used):  # where it is empty, nothing is read
            runs = n.Binary(">", self.extents[loop], n.Literal(0))
            body = n.Select(runs, body, n.Call("int64", (n.Literal(0),)))
        for variable in reversed([loop for loop in loops.values() if loop in used]):
            body = n.Reduce("+", variable, body)
        name = translation.names.fresh(f"{gather.tensor}_outside")
        self.dtypes[name] = "int64"
        self.checks[name] = (
            f"{gather.access} reads outside of {gather.tensor}: an index in dimension {gather.dimension} is not in "
            f"{text(gather.lower)}:{text(gather.upper)}"
        )
        return n.Assignment(n.Access(name, ()), "=", body)


def _plain(index: n.Expression) -> n.Expression:
    """An index as a value with 64 bits."""
    return n.Call("int64", (index,)) if isinstance(index, n.Access) else index
