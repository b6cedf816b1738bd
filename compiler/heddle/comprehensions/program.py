"""A tensor comprehension with names and ranges: what is lowered, evaluated and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from heddle.comprehensions.checks.problems import Problems
from heddle.comprehensions.checks.resolve import resolve
from heddle.comprehensions.checks.resolved import Resolved
from heddle.comprehensions.language.nodes import Name, Source
from heddle.comprehensions.ranges.inference import infer
from heddle.comprehensions.ranges.nodes import Found
from heddle.comprehensions.ranges.products import note_products
from heddle.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from heddle.notation.program import SizeSource


@dataclass(frozen=True, slots=True)
class Comprehension:
    """``source`` is what was parsed, ``names`` and ``inferred`` what the checks made of it; ``fixed`` are the sizes and
    integers that are known, ``sizes`` says where each of the others comes from."""

    source: Source
    names: Resolved
    inferred: Found
    fixed: Mapping[str, int]
    sizes: Mapping[str, SizeSource]
    notes: tuple[Diagnostic, ...] = field(default=())


def check(source: Source, sizes: Mapping[str, int] | None = None) -> Comprehension:
    """The program with its ranges. ``sizes`` fixes sizes and integer parameters.

    Raises CompileError with every problem (codes ``tc/…``)."""
    fixed = dict(sizes or {})
    names = resolve(source)
    problems = Problems(source.text)
    known = (*names.sizes, *names.integers)
    for name in fixed:
        if name not in known:
            raise CompileError(
                Diagnostic(
                    "tc/unknown-size",
                    f"sizes fixes {name}, which is neither a size nor an integer parameter of {names.definition.name}",
                    Location(Part.PLAN, path=f"/sizes/{name}"),
                    expected="one of " + ", ".join(known) if known else "no sizes",
                    actual=name,
                    candidates=nearest(name, known),
                )
            )
    inference = infer(names, fixed, problems)
    note_products(names, fixed, problems)
    return Comprehension(source, names, inference, fixed, _sources(names, fixed), (*names.notes, *problems.notes))


def _sources(names: Resolved, fixed: Mapping[str, int]) -> dict[str, SizeSource]:
    sources: dict[str, SizeSource] = {}
    for tensor, type in names.parameters.items():
        for dimension, size in enumerate(type.dimensions):
            if isinstance(size, Name) and size.name not in fixed:
                sources.setdefault(size.name, (tensor, dimension))
    for version, base in names.initial.items():
        for dimension in range(names.orders[version]):
            sources[f"{base}.{dimension}"] = (version, dimension)
    sources.update({name: (name, -1) for name in names.integers if name not in fixed})
    return sources
