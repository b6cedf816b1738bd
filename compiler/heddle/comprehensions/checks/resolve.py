"""Names: which are sizes, tensors and index variables, and which version of a tensor each statement reads
(docs/sources.toml C2, C3, C8, C9). Every problem is found, not only the first."""

from __future__ import annotations

from heddle.comprehensions.checks.calls import expand
from heddle.comprehensions.checks.names import check_names
from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.resolved import Resolved, Step
from heddle.comprehensions.checks.scope import Scope
from heddle.comprehensions.checks.statements import step_of
from heddle.comprehensions.language.limits import MAX_VARIABLES
from heddle.comprehensions.language.nodes import Apply, Definition, Extent, Name, Source, Statement, walk
from heddle.comprehensions.language.scalars import is_integer
from heddle.diagnostics import Severity
from heddle.names import Names


def resolve(source: Source) -> Resolved:
    """The last definition with all names resolved.

    Raises CompileError with every problem (codes ``tc/…``)."""
    problems = Problems(source.text)
    expanded = expand(source, problems)
    problems.check()
    check_names(expanded, problems)
    problems.check()
    scope = Scope(expanded, problems)
    _declare(expanded.definition, scope)
    steps = _steps(scope)
    _check_whole(steps, scope)
    problems.check()
    live_steps = _live(steps, scope)
    definition = expanded.definition
    parameters = {parameter.name: parameter.type for parameter in definition.parameters}
    integers = [n for n, type in parameters.items() if not type.dimensions and is_integer(type.dtype)]
    return Resolved(
        definition,
        parameters,
        tuple(live_steps),
        dict(scope.initial),
        scope.bases,
        scope.types,
        scope.orders,
        {result.name: scope.versions[result.name] for result in definition.returns},
        tuple(scope.sizes),
        tuple(integers),
        tuple(expanded.agreements),
        tuple(problems.notes),
    )


def _declare(definition: Definition, scope: Scope) -> None:
    """The parameters, and what is said of the results."""
    for parameter in definition.parameters:
        name, type = parameter.name, parameter.type
        scope.versions[name] = scope.bases[name] = name
        scope.types[name], scope.orders[name] = type.dtype, len(type.dimensions)
        scope.sizes.update(dict.fromkeys(d.name for d in type.dimensions if isinstance(d, Name)))
    for result in definition.returns:
        if result.type is not None:
            scope.sizes.update(dict.fromkeys(d.name for d in result.type.dimensions if isinstance(d, Name)))
            scope.first[result.name] = result.type.dtype


def _steps(scope: Scope) -> list[Step]:
    """All statements in order, each with the version of its tensor that it makes."""
    definition, statements = scope.expanded.definition, scope.expanded.statements
    parameters = [parameter.name for parameter in definition.parameters]
    total = {name: sum(s.target == name for s in statements) for name in {s.target for s in statements}}
    names = Names(
        {*parameters, *total, *(r.name for r in definition.returns), *scope.sizes, *_find_written(statements)}
    )
    count: dict[str, int] = {}
    steps: list[Step] = []
    for number, statement in enumerate(statements):
        base = statement.target
        if base in parameters:
            scope.problems.add(
                "tc/input-assigned",
                f"{base} is an input, and inputs are not written",
                statement.target_span,
                expected="a result or a name of its own",
                actual=base,
                hint=f"assign to another name, and return that; what {base} holds may be read",
            )
            continue
        count[base] = count.get(base, 0) + 1
        name = base if count[base] == total[base] else names.fresh(f"{base}_{count[base]}")
        step = step_of(number, statement, name, scope)
        if step is not None:
            steps.append(step)
            scope.versions[base], scope.bases[name] = name, base
            scope.types[name], scope.orders[name] = step.dtype, len(step.indices)
    return steps


def _check_whole(steps: list[Step], scope: Scope) -> None:
    definition = scope.expanded.definition
    returned = {result.name for result in definition.returns}
    targets = {statement.target for statement in scope.expanded.statements}
    for result in definition.returns:
        if result.name not in targets:
            scope.problems.add(
                "tc/unassigned-return",
                f"{result.name} is a result, but no statement assigns it",
                result.span,
                expected=f"a statement that assigns {result.name}",
                actual="none",
                candidates=tuple(sorted(targets - returned)),
                hint=f"write {result.name}(…) = …, or leave it out of the results",
            )
    variables = sum(len(step.variables) for step in steps)
    if variables > MAX_VARIABLES:
        scope.problems.add(
            "tc/too-many-variables",
            f"the program has more than {MAX_VARIABLES} index variables",
            definition.span,
            expected=f"at most {MAX_VARIABLES} index variables",
            actual=str(variables),
        )


def _live(steps: list[Step], scope: Scope) -> list[Step]:
    """The statements that a result needs; the others are left out with a warning."""
    needed = {scope.versions[result.name] for result in scope.expanded.definition.returns}
    live_steps: list[Step] = []
    for step in reversed(steps):
        if step.target not in needed:
            scope.problems.note(
                "tc/unused",
                f"nothing reads {step.base} after this statement, and it is not a result: it is not computed",
                step.source.span,
                Severity.WARNING,
            )
            continue
        live_steps.insert(0, step)
        needed |= _reads(step)
    return live_steps


def _find_written(statements: list[Statement]) -> set[str]:
    return {part.name for s in statements for part in walk(s.expression) if isinstance(part, Name)} | {
        index.name for s in statements for index in s.indices
    }


def _reads(step: Step) -> set[str]:
    read_names = {part.name for part in walk(step.expression) if isinstance(part, Name | Apply)}
    read_names |= {access.name for access in step.exists}
    read_names |= {part.tensor for part in walk(step.expression) if isinstance(part, Extent)}
    for clause in step.explicit.values():
        for bound in (clause.lower, clause.upper):
            read_names |= {part.tensor for part in walk(bound) if isinstance(part, Extent)}
    return read_names | ({step.keeps} if step.keeps is not None else set())
