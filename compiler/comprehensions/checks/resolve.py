"""Names: which are sizes, tensors and index variables, and which version of a tensor each statement reads
(docs/sources.md C2, C3, C8, C9). Every problem is found, not only the first."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from compiler.comprehensions.checks.calls import Expanded, expand
from compiler.comprehensions.checks.names import check_names, unknown_function
from compiler.comprehensions.checks.problems import Problems
from compiler.comprehensions.checks.resolved import Resolved, Step
from compiler.comprehensions.checks.typing import Typed, Weak, met, settled, type_of
from compiler.comprehensions.language.builtins import builtin
from compiler.comprehensions.language.limits import MAX_STATEMENT_VARIABLES, MAX_VARIABLES
from compiler.comprehensions.language.nodes import (
    Apply,
    Exists,
    Extent,
    In,
    Let,
    Name,
    Node,
    Source,
    Statement,
    children,
    walk,
    with_children,
)
from compiler.comprehensions.language.scalars import is_float, is_integer, narrows, word
from compiler.diagnostics import Severity
from compiler.names import Names
from compiler.notation.nodes import Span


def resolve(source: Source) -> Resolved:
    """The last definition with all names resolved.

    Raises CompileError with every problem (codes ``tc/…``)."""
    problems = Problems(source.text)
    expanded = expand(source, problems)
    problems.check()
    check_names(expanded, problems)
    problems.check()
    resolver = _Resolver(expanded, problems)
    resolved = resolver.program()
    problems.check()
    return resolved


@dataclass(slots=True)
class _Resolver:
    expanded: Expanded
    problems: Problems
    sizes: dict[str, None] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    """The latest version of each tensor."""
    bases: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    orders: dict[str, int] = field(default_factory=dict)
    initial: dict[str, str] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)
    """The type of each tensor's first statement."""

    def program(self) -> Resolved:
        definition, problems = self.expanded.definition, self.problems
        parameters = {parameter.name: parameter.type for parameter in definition.parameters}
        for name, type in parameters.items():
            self.versions[name] = self.bases[name] = name
            self.types[name], self.orders[name] = type.dtype, len(type.dimensions)
            self.sizes.update(dict.fromkeys(d.name for d in type.dimensions if isinstance(d, Name)))
        for one in definition.returns:
            if one.type is not None:
                self.sizes.update(dict.fromkeys(d.name for d in one.type.dimensions if isinstance(d, Name)))
                self.first[one.name] = one.type.dtype
        statements = self.expanded.statements
        total = {name: sum(s.target == name for s in statements) for name in {s.target for s in statements}}
        taken = Names({*parameters, *total, *(r.name for r in definition.returns), *self.sizes, *_written(statements)})
        count: dict[str, int] = {}
        steps: list[Step] = []
        for number, statement in enumerate(statements):
            base = statement.target
            if base in parameters:
                problems.add(
                    "tc/input-assigned",
                    f"{base} is an input, and inputs are not written",
                    statement.target_span,
                    expected="a result or a name of its own",
                    found=base,
                    hint=f"assign to another name, and return that; what {base} holds may be read",
                )
                continue
            count[base] = count.get(base, 0) + 1
            name = base if count[base] == total[base] else taken.fresh(f"{base}_{count[base]}")
            step = self._step(number, statement, name)
            if step is not None:
                steps.append(step)
                self.versions[base], self.bases[name] = name, base
                self.types[name], self.orders[name] = step.dtype, len(step.indices)
        for one in definition.returns:
            if one.name not in total:
                problems.add(
                    "tc/unassigned-return",
                    f"{one.name} is a result, but no statement assigns it",
                    one.span,
                    expected=f"a statement that assigns {one.name}",
                    found="none",
                    candidates=tuple(sorted(set(total) - {r.name for r in definition.returns})),
                )
        if sum(len(step.variables) for step in steps) > MAX_VARIABLES:
            problems.add(
                "tc/too-many-variables",
                f"the program has more than {MAX_VARIABLES} index variables",
                definition.span,
                expected=f"at most {MAX_VARIABLES} index variables",
                found=str(sum(len(step.variables) for step in steps)),
            )
        problems.check()
        kept = self._live(steps)
        integers = [n for n, type in parameters.items() if not type.dimensions and is_integer(type.dtype)]
        return Resolved(
            definition,
            parameters,
            tuple(kept),
            dict(self.initial),
            self.bases,
            self.types,
            self.orders,
            {one.name: self.versions[one.name] for one in definition.returns},
            tuple(self.sizes),
            tuple(integers),
            tuple(self.expanded.agreements),
            tuple(problems.notes),
        )

    def _live(self, steps: list[Step]) -> list[Step]:
        """The statements that a result needs; the others are left out with a warning."""
        needed = {self.versions[one.name] for one in self.expanded.definition.returns}
        kept: list[Step] = []
        for step in reversed(steps):
            if step.target not in needed:
                self.problems.note(
                    "tc/unused",
                    f"nothing reads {step.base} behind this statement, and it is no result: it is not computed",
                    step.source.span,
                    Severity.WARNING,
                )
                continue
            kept.insert(0, step)
            needed |= _reads(step)
        return kept

    def _step(self, number: int, statement: Statement, target: str) -> Step | None:
        problems, base = self.problems, statement.target
        lets = {clause.name: clause.expression for clause in statement.where if isinstance(clause, Let)}
        explicit = {clause.variable: clause for clause in statement.where if isinstance(clause, In)}
        indices = tuple(index.name for index in statement.indices)
        for place, index in enumerate(statement.indices):
            if index.name in indices[:place]:
                problems.add(
                    "tc/repeated-index",
                    f"{base} has the index variable {index.name} twice on the left, which assigns its diagonal alone",
                    index.span,
                    expected="different index variables on the left",
                    found=f"{index.name} again",
                )
        expression = self._node(_inlined(statement.expression, lets), base, indices, statement)
        exists = [
            self._node(_inlined(c.access, lets), base, indices, statement)
            for c in statement.where
            if isinstance(c, Exists)
        ]
        bounds = [self._bound(clause, base) for clause in explicit.values()]
        explicit = {clause.variable: clause for clause in bounds}
        variables = dict.fromkeys(indices)
        for node in (expression, *exists):
            for part in walk(node):
                if isinstance(part, Name) and self._is_variable(part.name):
                    variables.setdefault(part.name)
        for name, clause in explicit.items():
            if not self._is_variable(name):
                problems.add("tc/name-conflict", f"{name} is not an index variable", clause.span)
            elif name not in variables:
                variables.setdefault(name)
        if len(variables) > MAX_STATEMENT_VARIABLES:
            problems.add(
                "tc/too-many-variables",
                f"the statement has {len(variables)} index variables, the limit is {MAX_STATEMENT_VARIABLES}",
                statement.span,
                expected=f"at most {MAX_STATEMENT_VARIABLES} index variables",
                found=str(len(variables)),
            )
        reduced = [variable for variable in variables if variable not in indices]
        if statement.operator == "=" and reduced:
            self._no_reduction(statement, reduced)
            return None
        keeps = None
        if statement.operator != "=" and not statement.fresh:
            keeps = self._version(base, statement.target_span, statement)
        known = self.orders.get(self.versions.get(base, ""), len(indices))
        if known != len(indices):
            self._order(base, len(indices), known, statement.target_span)
        if isinstance(expression, Apply) and expression.name in self.types and not self.orders.get(expression.name, 1):
            problems.check()
        typed = type_of(expression, self.types)
        computed = settled(self._with_later(base, number, typed) if isinstance(typed, Weak) else typed)
        dtype = self.first.setdefault(base, computed)
        if narrows(computed, dtype):
            problems.add(
                "tc/narrowing",
                f"the statement computes {word(computed)} values, which {base} of type {word(dtype)} cannot hold "
                f"without loss",
                statement.span,
                expected=f"{word(dtype)} values",
                found=word(computed),
                hint=f"write the cast: {word(dtype)}(…)",
                fixes=[
                    problems.replaced(
                        f"Cast to {word(dtype)}",
                        statement.expression.span,
                        f"{word(dtype)}({self._spelled(statement.expression)})",
                    )
                ],
            )
        operator = "=" if statement.operator != "=" and statement.fresh and not reduced else statement.operator
        found = tuple(one for one in exists if isinstance(one, Apply))
        return Step(
            number,
            target,
            base,
            indices,
            operator,
            keeps,
            expression,
            tuple(variables),
            statement,
            explicit,
            found,
            dtype,
        )

    def _with_later(self, base: str, number: int, typed: Typed) -> Typed:
        """The type of a tensor whose first statement is a written number: that of the next one."""
        for later in self.expanded.statements[number + 1 :]:
            if later.target == base and base not in self.first:
                typed = met(typed, type_of(later.expression, {base: "bool", **self.types}))
        return typed

    def _is_variable(self, name: str) -> bool:
        return name not in self.sizes and name not in self.types and name not in self.versions

    def _bound(self, clause: In, base: str) -> In:
        """The bounds of a range with sizes, numbers and integer parameters alone."""
        for bound in (clause.lower, clause.upper):
            for part in walk(bound):
                plain = isinstance(part, Name) and part.name not in self.sizes
                if isinstance(part, Name) and plain and self.types.get(part.name, "").startswith(("int", "uint")):
                    plain = self.bases.get(part.name) != part.name or self.orders.get(part.name) != 0
                if plain or (isinstance(part, Apply) and builtin(part.name) is None) or _floating(part):
                    self.problems.add(
                        "tc/where-bound",
                        f"the range of {clause.variable} must be known before the loops start: sizes, numbers and "
                        f"integer parameters alone can stand in it",
                        part.span,
                        expected="sizes, numbers and integer parameters",
                        found=self._spelled(part),
                        hint="pass it as an integer parameter, or fix it in sizes",
                    )
        return clause

    def _node(
        self, node: Node, base: str, indices: tuple[str, ...], statement: Statement, subscript: bool = False
    ) -> Node:
        match node:
            case Name(name=name, span=span):
                if (
                    name in self.versions
                    or (name == base and not indices)
                    or name in {r.name for r in self.expanded.definition.returns}
                ):
                    version = self._version(name, span, statement)
                    if version is not None and self.orders.get(version, 0):
                        self._order(name, 0, self.orders[version], span)
                    return Name(version or name, span)
                return node
            case Extent(tensor=tensor, dimension=dimension, span=span):
                version = self.versions.get(tensor)
                if version is None or dimension >= self.orders[version]:
                    self.problems.add(
                        "tc/size",
                        f"there is no {tensor}.{dimension}: "
                        + (
                            f"{tensor} is no tensor"
                            if version is None
                            else f"{tensor} has {_dimensions(self.orders[version])}"
                        ),
                        span,
                        expected="a dimension of a tensor, counted from 0",
                        found=f"{tensor}.{dimension}",
                    )
                    return node
                return Extent(version, dimension, span)
            case Apply(name=name, arguments=arguments):
                inner = tuple(self._node(one, base, indices, statement) for one in arguments)
                returns = {one.name for one in self.expanded.definition.returns}
                known = builtin(name)
                assigned = returns | {one.target for one in self.expanded.statements}
                if name in self.versions or name == base or (name in assigned and known is None):
                    return self._access(replace(node, arguments=inner), base, indices, statement)
                if known is None:
                    unknown_function(node, tuple(self.versions), self.problems)
                elif len(arguments) != known.arity:
                    self.problems.add(
                        "tc/arguments",
                        f"{name} takes {known.arity} argument{'s' * (known.arity > 1)}, found {len(arguments)}",
                        node.span,
                        expected=str(known.arity),
                        found=str(len(arguments)),
                    )
                return replace(node, arguments=inner)
            case _:
                return with_children(node, [self._node(one, base, indices, statement) for one in children(node)])

    def _access(self, node: Apply, base: str, indices: tuple[str, ...], statement: Statement) -> Node:
        if node.name == base:
            own = tuple(one.name if isinstance(one, Name) else "" for one in node.arguments)
            if own != indices:
                self.problems.add(
                    "tc/in-place",
                    f"{base} is assigned here and read at other indices: each element would depend on whether others "
                    f"are written already",
                    node.span,
                    expected=f"{base}({','.join(indices)}), or another tensor",
                    found=self._spelled(node),
                    hint=f"give the result another name, or write {base}2({','.join(indices)}) = "
                    f"{base}({','.join(indices)}) in front and read {base}2",
                )
        version = self._version(node.name, node.name_span, statement)
        if version is None:
            return node
        known = self.orders.setdefault(version, len(node.arguments))
        if known != len(node.arguments):
            self._order(node.name, len(node.arguments), known, node.span)
        for argument in node.arguments:
            for part in walk(argument):
                if not isinstance(part, Apply) and _floating(part):
                    self.problems.add(
                        "tc/index-type",
                        f"an index of {node.name} is no integer",
                        part.span,
                        expected="an integer",
                        found=self._spelled(part),
                        hint="write int(…) where it should be rounded",
                    )
            if is_float(settled(type_of(argument, self.types))) and not any(_floating(p) for p in walk(argument)):
                self.problems.add(
                    "tc/index-type",
                    f"an index of {node.name} is no integer",
                    argument.span,
                    expected="an integer",
                    found=word(settled(type_of(argument, self.types))),
                    hint="write int(…) where it should be rounded",
                )
        return replace(node, name=version)

    def _version(self, name: str, span: Span, statement: Statement) -> str | None:
        """What ``name`` is when the statement reads it: of a result without an assignment so far what is passed."""
        if name in self.versions:
            return self.versions[name]
        returned = next((one for one in self.expanded.definition.returns if one.name == name), None)
        if returned is None:
            self.problems.add(
                "tc/read-before",
                f"{name} is read here, but no statement in front assigns it, and it is no input",
                span,
                expected=f"a statement that assigns {name} in front, or {name} among the results or inputs",
                found="neither",
                hint="write +=! to begin with what is neutral"
                if statement.target == name and statement.operator != "="
                else None,
            )
            return None
        version = f"{name}_0"
        while version in self.types:
            version += "_"
        self.initial[version] = name
        self.versions[name], self.bases[version] = version, name
        first = returned.type.dtype if returned.type is not None else settled(type_of(statement.expression, self.types))
        self.first[name] = self.types[version] = first
        self.orders[version] = len(statement.indices)
        begin = ""
        if statement.operator != "=" and not statement.fresh:
            begin = f" To begin with what is neutral, write {statement.operator}!"
        self.problems.note(
            "tc/in-out",
            f"{name} is read before it is assigned, so the caller passes it: kernel(…, {name}=…).{begin}",
            span,
            Severity.NOTE,
        )
        return version

    def _spelled(self, node: Node) -> str:
        return self.problems.text[node.span.start : node.span.end]

    def _order(self, name: str, found: int, known: int, span: Span) -> None:
        here = ["no index", "1 index"][found] if found < 2 else f"{found} indices"
        self.problems.add(
            "tc/order-conflict",
            f"{name} has {_dimensions(known)}, but {here} here",
            span,
            expected=_dimensions(known),
            found=str(found),
        )

    def _no_reduction(self, statement: Statement, reduced: list[str]) -> None:
        names = " and ".join(reduced)
        self.problems.add(
            "tc/no-reduction",
            f"{names} {'is' if len(reduced) == 1 else 'are'} on the right alone: say how the values are combined",
            statement.operator_span,
            expected="+=! or another reduction",
            found="=",
            hint="+=! adds them up, max=! takes the greatest",
            fixes=[self.problems.replaced("Add them up with +=!", statement.operator_span, "+=!")],
        )


def _written(statements: list[Statement]) -> set[str]:
    return {part.name for s in statements for part in walk(s.expression) if isinstance(part, Name)} | {
        index.name for s in statements for index in s.indices
    }


def _reads(step: Step) -> set[str]:
    found = {part.name for part in walk(step.expression) if isinstance(part, Name | Apply)}
    found |= {access.name for access in step.exists}
    found |= {part.tensor for part in walk(step.expression) if isinstance(part, Extent)}
    for clause in step.explicit.values():
        for bound in (clause.lower, clause.upper):
            found |= {part.tensor for part in walk(bound) if isinstance(part, Extent)}
    return found | ({step.keeps} if step.keeps is not None else set())


def _floating(node: Node) -> bool:
    from compiler.comprehensions.language.nodes import Number

    return isinstance(node, Number) and isinstance(node.value, float)


def _inlined(node: Node, lets: dict[str, Node]) -> Node:
    if isinstance(node, Name) and node.name in lets:
        return _inlined(lets[node.name], {name: one for name, one in lets.items() if name != node.name})
    return with_children(node, [_inlined(one, lets) for one in children(node)])


def _dimensions(order: int) -> str:
    return "no dimensions" if order == 0 else "1 dimension" if order == 1 else f"{order} dimensions"
