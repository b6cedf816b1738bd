"""What names may be called: no two meanings, no words of the generated text, no functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heddle.comprehensions.checks.calls import Expanded
from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.language.builtins import NAMES, builtin
from heddle.comprehensions.language.limits import MAX_NAME, MAX_ORDER
from heddle.comprehensions.language.nodes import Apply, Name, Parameter, Return
from heddle.comprehensions.language.scalars import SCALARS, type_hint
from heddle.diagnostics import Fix, nearest
from heddle.notation.nodes import Span

RENAME = "rename one of the two"

_TYPE = re.compile(r"(complex|u?int|float)\d*|long|short|char")
"""Names of types in other languages, called like a cast."""


def check_names(expanded: Expanded, problems: Problems) -> None:
    """Adds ``tc/name-conflict``, ``tc/half`` and limits."""
    definition = expanded.definition
    tensors: dict[str, Span] = {}
    for parameter in definition.parameters:
        if parameter.name in tensors:
            problems.add(
                "tc/name-conflict",
                f"{parameter.name} is a parameter twice",
                parameter.span,
                expected="different names",
                actual=parameter.name,
                hint=RENAME,
            )
        tensors[parameter.name] = parameter.span
    for result in definition.returns:
        if result.name in tensors:
            problems.add(
                "tc/name-conflict",
                f"{result.name} is an input and a result: a result that is read before it is assigned is passed by the "
                f"caller as well, and is not a parameter",
                result.span,
                expected="another name, or no parameter",
                actual=result.name,
                hint=f"leave {result.name} out of the parameters: the caller passes it by its name",
                fixes=[
                    _as_result(parameter, result, problems.text)
                    for parameter in definition.parameters
                    if parameter.name == result.name and result.type is None
                ],
            )
        tensors.setdefault(result.name, result.span)
    for statement in expanded.statements:
        tensors.setdefault(statement.target, statement.target_span)
    sizes: dict[str, Span] = {}
    for type in [p.type for p in definition.parameters] + [r.type for r in definition.returns if r.type is not None]:
        if type.dtype == "float16":
            problems.add(
                "tc/half",
                f"{type.scalar} has 16 bits, which no kernel computes with",
                type.span,
                expected="float",
                actual=type.scalar,
                fixes=[
                    problems.replacement(
                        "Use float", Span(type.span.start, type.span.start + len(type.scalar)), "float"
                    )
                ],
            )
        if len(type.dimensions) > MAX_ORDER:
            problems.add("tc/too-many-dimensions", f"a tensor has at most {MAX_ORDER} dimensions", type.span)
        for dimension in type.dimensions:
            if isinstance(dimension, Name):
                sizes.setdefault(dimension.name, dimension.span)
    for name, span in sizes.items():
        if name in tensors:
            problems.add(
                "tc/name-conflict",
                f"{name} is a size and a tensor",
                span,
                expected="different names",
                actual=name,
                hint=RENAME,
            )
    for name, span in [*tensors.items(), *sizes.items(), *_indices(expanded)]:
        if builtin(name) is not None or name in SCALARS:
            problems.add(
                "tc/name-conflict",
                f"{name} is {'a type' if name in SCALARS else 'a function'} of the language, and names nothing else",
                span,
                expected="another name",
                actual=name,
                hint=f"write {name}_, or any name that the language does not have",
            )
        if name[0].isdigit():
            problems.add(
                "tc/name",
                f"{name} begins with a digit, as only the names of definitions may",
                span,
                expected="a letter or an underscore first",
                actual=name,
                hint=f"write _{name}",
            )
        if len(name) > MAX_NAME:
            problems.add("tc/name-too-long", f"the name {name[:MAX_NAME]}... has more than {MAX_NAME} characters", span)
    for name, span in _indices(expanded):
        what = "a size" if name in sizes else "a tensor" if name in tensors else None
        if what is not None:
            problems.add(
                "tc/name-conflict",
                f"{name} is {what}, and cannot be an index variable as well",
                span,
                expected="another name for the index variable",
                actual=name,
                hint="index variables are those names that are neither sizes nor tensors",
            )


def _indices(expanded: Expanded) -> Iterator[tuple[str, Span]]:
    for statement in expanded.statements:
        yield from ((index.name, index.span) for index in statement.indices)


def unknown_function(node: Apply, tensors: tuple[str, ...], problems: Problems) -> None:
    """Nothing is called so: candidates are functions and tensors."""
    cast = len(node.arguments) == 1 and _TYPE.fullmatch(node.name) is not None
    near = () if cast else nearest(node.name, (*NAMES, *tensors))
    meant = builtin(near[0]) if near else None
    fits = meant is not None and meant.arity == len(node.arguments)
    problems.add(
        "tc/unknown-function",
        f"{node.name} is neither a tensor that was assigned earlier nor a function",
        node.name_span,
        expected="a tensor or a function",
        actual=node.name,
        candidates=near,
        hint=type_hint(node.name) if cast else None,
        fixes=[problems.replacement(f"Write {near[0]}", node.name_span, near[0])] if fits else (),
    )


def _as_result(parameter: Parameter, result: Return, text: str) -> Fix:
    """The declaration of the parameter in the place of the result, which the caller passes by its name."""
    start, depth = parameter.span.end, 0
    while start > 0 and (depth > 0 or text[start - 1] not in "(,"):
        start -= 1
        depth += {")": 1, "(": -1}.get(text[start], 0)
    end = parameter.span.end
    declaration = text[start:end].strip()
    if text[start - 1] == ",":
        start -= 1
    else:
        rest = text[end:]
        end += len(rest) - len(rest.lstrip().removeprefix(",").lstrip())
    between, behind = text[end : result.span.start], text[result.span.end :]
    return Fix(f"Make {parameter.name} a result alone", expression=text[:start] + between + declaration + behind)
