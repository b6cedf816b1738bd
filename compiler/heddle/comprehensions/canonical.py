"""A program under canonical names (docs/sources.toml C20): whoever calls its sizes, tensors and index variables
otherwise, or writes calls, names for expressions or comments, gets the same text."""

from __future__ import annotations

from dataclasses import replace

from heddle.comprehensions.checks.resolved import Step
from heddle.comprehensions.language.nodes import (
    Apply,
    Clause,
    Definition,
    Exists,
    Extent,
    In,
    Name,
    Node,
    Number,
    Parameter,
    Return,
    Statement,
    Type,
    Unary,
    children,
    with_children,
)
from heddle.comprehensions.language.printer import definition_text
from heddle.comprehensions.program import Comprehension


def canonical_text(program: Comprehension) -> str:
    """The definition with sizes ``s0…``, tensors ``p0…``, ``o0…`` and ``t0…``, in the order of the signature and of
    assignment, and index variables ``v0…``, statement by statement those of the target first. Sizes and integers that
    are known stand as numbers. What calls hold sizes to decides no loop, and is left out."""
    return definition_text(_Canonical(program).definition())


class _Canonical:
    def __init__(self, program: Comprehension) -> None:
        self.names, self.fixed = program.names, program.fixed
        definition = self.names.definition
        parameters = [parameter for parameter in definition.parameters if parameter.name not in self.fixed]
        self.tensors = {parameter.name: f"p{number}" for number, parameter in enumerate(parameters)}
        self.tensors |= {result.name: f"o{number}" for number, result in enumerate(definition.returns)}
        others = dict.fromkeys(step.base for step in self.names.steps if step.base not in self.tensors)
        self.tensors |= {name: f"t{number}" for number, name in enumerate(others)}
        self.sizes: dict[str, str] = {}
        types = [
            *(parameter.type for parameter in parameters),
            *(result.type for result in definition.returns if result.type is not None),
        ]
        for type in types:
            for size in type.dimensions:
                if isinstance(size, Name) and size.name not in self.fixed:
                    self.sizes.setdefault(size.name, f"s{len(self.sizes)}")
        self.parameters = tuple(
            Parameter(self.type(parameter.type), self.tensors[parameter.name]) for parameter in parameters
        )
        self.loops = 0

    def definition(self) -> Definition:
        returns = tuple(
            Return(self.tensors[result.name], None if result.type is None else self.type(result.type))
            for result in self.names.definition.returns
        )
        statements = tuple(self.statement(step) for step in self.names.steps)
        return Definition("f", self.parameters, returns, statements)

    def type(self, type: Type) -> Type:
        sizes = tuple(self.node(size, {}) for size in type.dimensions)
        return replace(type, dimensions=tuple(size for size in sizes if isinstance(size, Name | Number)))

    def statement(self, step: Step) -> Statement:
        loops = {variable: f"v{self.loops + number}" for number, variable in enumerate(step.variables)}
        self.loops += len(loops)
        where: list[Clause] = []
        for variable in step.variables:
            if variable in step.explicit:
                bounds = step.explicit[variable]
                where.append(In(loops[variable], self.node(bounds.lower, {}), self.node(bounds.upper, {})))
        for access in step.exists:
            read = self.node(access, loops)
            assert isinstance(read, Apply)
            where.append(Exists(read))
        return Statement(
            self.tensors[step.base],
            tuple(Name(loops[index]) for index in step.indices),
            step.operator,
            step.operator != "=" and step.keeps is None,
            self.node(step.expression, loops),
            tuple(where),
        )

    def node(self, node: Node, loops: dict[str, str]) -> Node:
        match node:
            case Name(name=name) if name in self.fixed:
                value = self.fixed[name]
                return Number(value) if value >= 0 else Unary("-", Number(-value))
            case Name(name=name):
                return Name(loops.get(name) or self.sizes.get(name) or self.tensor(name))
            case Extent(tensor=tensor, dimension=dimension):
                return Extent(self.tensor(tensor), dimension)
            case Apply(name=name, arguments=arguments):
                return Apply(self.tensor(name), tuple(self.node(argument, loops) for argument in arguments))
            case _:
                return with_children(node, [self.node(child, loops) for child in children(node)])

    def tensor(self, name: str) -> str:
        """Of a version, that of its tensor; functions keep their names."""
        return self.tensors.get(self.names.bases.get(name, name), name)
