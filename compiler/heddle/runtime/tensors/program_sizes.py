"""The sizes that a program names, and how far its loops run, from what is passed."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.notation.integers import program_integer
from heddle.notation.program import Program

Shape = tuple[int, ...]


def named_sizes(program: Program, shapes: Mapping[str, Shape]) -> dict[str, int]:
    """Sizes by name, those that are fixed and those that ``shapes`` of operands tell."""
    sizes = dict(program.fixed)
    for name, operand in program.operands.items():
        shape = shapes.get(name, ())
        sizes.update({size: number for size, number in zip(operand, shape, strict=False) if isinstance(size, str)})
    return sizes


def read_integers(program: Program) -> tuple[str, ...]:
    """The operands whose value is a size: integer parameters that are not fixed."""
    names = [source[0] for source in program.sizes.values() if not isinstance(source, int) and source[1] < 0]
    return tuple(dict.fromkeys(names))


def extents(program: Program, shapes: Mapping[str, Shape], integers: Mapping[str, int]) -> dict[str, int]:
    """The number of iterations of each index variable. ``shapes`` are of all operands, also of those that the caller
    passes under the name of a result."""
    initial = {
        f"{base}.{dimension}": size
        for name, base in program.initial.items()
        for dimension, size in enumerate(shapes.get(name, ()))
    }
    known = {**named_sizes(program, shapes), **integers, **initial}
    return {variable: program_integer(formula, known) for variable, formula in program.extents.items()}
