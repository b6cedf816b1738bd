"""What is done when a kernel of a program is called: sizes from shapes, and every condition that was not proved
(docs/sources.toml C5, C18)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.comprehensions.language.nodes import Apply, Name
from heddle.comprehensions.meaning.numbers import Interval, UndecidedError, first_outside, interval
from heddle.comprehensions.program import Comprehension
from heddle.comprehensions.ranges.magnitude import MOST, denominators, largest
from heddle.comprehensions.ranges.nodes import Computed, Condition, Constraint, Range
from heddle.comprehensions.ranges.text import text
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.symbolic.evaluate import number_of
from heddle.symbolic.nodes import Length
from heddle.symbolic.walk import free_names

Shape = tuple[int, ...]

HINTS: Mapping[str, str] = {
    "runtime/empty-range": "Pass operands whose sizes leave something in the range.",
    "runtime/sizes-differ": "Pass operands whose sizes agree.",
    "runtime/shape-mismatch": "Pass operands whose sizes agree.",
    "runtime/index-range": "Correct the index: the first element is 0.",
    "runtime/precondition": "Pass larger operands, or give the index variables smaller ranges with where.",
    "runtime/integer-range": "Pass smaller operands, or compute the formula with float.",
}


@dataclass(frozen=True, slots=True)
class AtCall:
    """The checks of one program."""

    program: Comprehension

    @property
    def indices(self) -> tuple[str, ...]:
        """Operands that are nothing but indices of others."""
        operand_names = dict.fromkeys(read.name for _, read in self._plain_gathers())
        return tuple(operand_names)

    def shapes(self, shape: Mapping[str, Shape], integers: Mapping[str, int]) -> dict[str, Shape]:
        program = self.program
        sizes = self._sizes(shape, integers)
        for step, ranges in zip(program.names.steps, program.inferred.ranges, strict=True):
            for variable, range in ranges.items():
                lower, upper = _number(range.lower, sizes), _number(range.upper, sizes)
                if upper < lower:
                    raise _refusal(
                        "runtime/empty-range",
                        f"{variable} in statement {step.number + 1} ({step.base}) would run over [{lower}, {upper}), "
                        f"which is {text(range.lower)}:{text(range.upper)} for {_print_range(range, sizes)}.",
                        expected=f"sizes for which {text(range.lower)} <= {text(range.upper)}",
                        actual=f"[{lower}, {upper})",
                    )
        for same in program.inferred.same:
            left, right = _number(same.left, sizes), _number(same.right, sizes)
            if left != right:
                raise _refusal(
                    "runtime/sizes-differ",
                    f"{text(same.left)} is {left} and {text(same.right)} is {right}, but must be equal: {same.text}.",
                    expected=f"{text(same.left)} = {text(same.right)}",
                    actual=f"{left} and {right}",
                )
        shapes = {
            name: tuple(_number(dimension.extent, sizes) for dimension in dimensions)
            for name, dimensions in program.inferred.dimensions.items()
        }
        for version, base in program.names.initial.items():
            if shape.get(version, shapes[version]) != shapes[version]:
                raise _refusal(
                    "runtime/shape-mismatch",
                    f"{version} is passed as {_times(shape[version])}, but the program makes {base} "
                    f"{_times(shapes[version])}.",
                    tensor=version,
                    expected=_times(shapes[version]),
                    actual=_times(shape[version]),
                )
        for formula in program.inferred.computed:
            _look_at(formula, sizes)
        for condition in program.inferred.conditions:
            self._condition(condition, sizes)
        return shapes

    def limits(self, shape: Mapping[str, Shape]) -> dict[str, tuple[int, int]]:
        sizes = self._sizes(shape, dict.fromkeys(self.program.names.integers, 0))
        limits: dict[str, tuple[int, int]] = {}
        for gather, read in self._plain_gathers():
            low, high = limits.get(read.name, (-(2**31), 2**31))
            limits[read.name] = (
                max(low, _number(gather.lower, sizes)),
                min(high, _number(gather.upper, sizes)),
            )
        return limits

    def check(self, operands: Mapping[str, NDArray[Any]], shape: Mapping[str, Shape]) -> None:
        """Says which index lies outside; others than plain ones are checked where they are computed."""
        integers = dict.fromkeys(self.program.names.integers, 0)
        sizes = self._sizes(shape, integers)
        for gather, read in self._plain_gathers():
            values = operands[read.name]
            lower, upper = _number(gather.lower, sizes), _number(gather.upper, sizes)
            outside = (values < lower) | (values >= upper)
            if values.size and outside.any():
                place = tuple(int(coordinates[0]) for coordinates in np.nonzero(outside))
                spelled = f"{read.name}[{', '.join(map(str, place))}]" if place else read.name
                allowed = f"{lower} … {upper - 1}" if upper > lower else "none"
                verb = "are" if upper > lower else "is"
                raise _refusal(
                    "runtime/index-range",
                    f"{spelled} = {int(values[place])} is an index into dimension {gather.dimension} of "
                    f"{self._name_read(gather)}, which has {upper - lower} elements: {allowed} {verb} allowed.",
                    tensor=read.name,
                    expected=allowed,
                    actual=str(int(values[place])),
                )

    def _name_read(self, constraint: Constraint) -> str:
        """The tensor that is read, as the program calls all of its versions."""
        return self.program.names.bases.get(constraint.tensor, constraint.tensor)

    def _plain_gathers(self) -> list[tuple[Constraint, Apply]]:
        """Gathers by an operand that is read at every place, without a condition."""
        plain_gathers: list[tuple[Constraint, Apply]] = []
        for gather in self.program.inferred.gathers:
            read, dimensions = gather.node, self.program.inferred.dimensions
            if not isinstance(read, Apply) or read.name not in self.program.names.parameters or gather.under:
                continue
            ranges = self.program.inferred.ranges[self._place(gather.step)]
            plain = [
                argument.name for argument in read.arguments if isinstance(argument, Name) and argument.name in ranges
            ]
            whole = [ranges[name] for name in plain] == list(dimensions[read.name])
            if len(plain) == len(read.arguments) and len(set(plain)) == len(plain) and whole and self._runs(gather):
                plain_gathers.append((gather, read))
        return plain_gathers

    def _runs(self, gather: Constraint) -> bool:
        """Whether sizes alone say where the tensor that is read ends."""
        signed = set(self.program.names.integers)
        return not (free_names(gather.lower) | free_names(gather.upper)) & signed

    def _place(self, number: int) -> int:
        return next(place for place, step in enumerate(self.program.names.steps) if step.number == number)

    def _sizes(self, shape: Mapping[str, Shape], integers: Mapping[str, int]) -> dict[str, int]:
        names = self.program.names
        sizes: dict[str, int] = {**self.program.fixed, **integers}
        first: dict[str, str] = dict.fromkeys(self.program.fixed, "sizes")
        for tensor, type in names.parameters.items():
            if tensor not in shape:
                continue
            for dimension, (declared, size) in enumerate(zip(type.dimensions, shape[tensor], strict=True)):
                if not isinstance(declared, Name):
                    if declared.value != size:
                        raise _mismatch(tensor, dimension, size, f"the program says {declared.value}")
                    continue
                known = sizes.setdefault(declared.name, size)
                origin = first.setdefault(declared.name, f"{tensor}, dimension {dimension}")
                if known != size:
                    raise _mismatch(tensor, dimension, size, f"{declared.name} is {known} from {origin}")
        for version, base in names.initial.items():
            if version in shape:
                sizes.update({f"{base}.{dimension}": size for dimension, size in enumerate(shape[version])})
        return sizes

    def _condition(self, condition: Condition, sizes: Mapping[str, int]) -> None:
        constraint = condition.constraint
        ranges = _intervals(condition.ranges, sizes)
        used = free_names(constraint.subscript).union(*(free_names(guard.difference) for guard in constraint.guards))
        if any(last < first for name, (first, last) in ranges.items() if name in used):
            return  # nothing is read
        lower, upper = _number(constraint.lower, sizes), _number(constraint.upper, sizes)
        values = {**{name: (size, size) for name, size in sizes.items()}, **ranges}
        try:
            low, high = interval(constraint.subscript, values)
            if lower <= low and high < upper:
                return
        except UndecidedError:
            pass
        try:
            violation = first_outside(constraint.subscript, constraint.guards, lower, upper, ranges, sizes)
        except UndecidedError:
            raise _refusal(
                "runtime/precondition",
                f"whether {constraint.access} stays inside of {self._name_read(constraint)} cannot be decided for "
                f"these sizes: its ranges have too many points to look at each.",
                expected="smaller ranges, or a subscript that is a sum of multiples of index variables",
            ) from None
        if violation is None:
            return
        point, value = violation
        at = ", ".join(f"{name} = {number}" for name, number in point.items())
        raise _refusal(
            "runtime/precondition",
            f"{constraint.access} would read {value} in dimension {constraint.dimension} of "
            f"{self._name_read(constraint)} {f'at {at}, ' if at else ''}but {lower} … {upper - 1} are there.",
            expected=f"{lower} <= {text(constraint.subscript)} < {upper} for all index variables",
            actual=f"{value}{f' at {at}' if at else ''}",
        )


def _intervals(ranges: Mapping[str, Range], sizes: Mapping[str, int]) -> dict[str, Interval]:
    return {name: (_number(bounds.lower, sizes), _number(bounds.upper, sizes) - 1) for name, bounds in ranges.items()}


def _look_at(formula: Computed, sizes: Mapping[str, int]) -> None:
    """A formula is computed with 64 bits, and divides by what is positive: else nothing that was proved of it holds."""
    names = free_names(formula.whole)
    ranges = _intervals({name: bounds for name, bounds in formula.ranges.items() if name in names}, sizes)
    if any(last < first for first, last in ranges.values()):
        return  # nothing is computed
    values = {**{name: (size, size) for name, size in sizes.items()}, **ranges}
    most = largest(formula.whole, {name: max(abs(first), abs(last)) for name, (first, last) in values.items()})
    if most >= MOST:
        raise _refusal(
            "runtime/integer-range",
            f"{formula.shown} may be as large as {most} on the way for {_print_sizes(names, sizes)}, but formulas of "
            f"sizes and "
            f"index variables are computed with 64 bits.",
            expected=f"sizes for which it stays below {MOST}",
            actual=str(most),
        )
    for denominator in denominators(formula.whole):
        least = interval(denominator, values)[0]
        if least < 1:
            raise _refusal(
                "runtime/precondition",
                f"{formula.shown} divides by {text(denominator)}, which may be {least} for {_print_sizes(names, sizes)}"
                f"; formulas of sizes and index variables divide by positive numbers only.",
                expected=f"{text(denominator)} >= 1",
                actual=str(least),
            )


def _print_sizes(names: frozenset[str], sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {sizes[name]}" for name in sorted(names) if name in sizes) or "these ranges"


def _number(length: Length, sizes: Mapping[str, int]) -> int:
    try:
        return number_of(length, sizes)
    except ZeroDivisionError:
        raise _refusal("runtime/empty-range", f"{text(length)} divides by 0.") from None


def _print_range(range: Range, sizes: Mapping[str, int]) -> str:
    names = sorted(free_names(range.lower) | free_names(range.upper))
    return ", ".join(f"{name} = {sizes[name]}" for name in names) or "these sizes"


def _mismatch(tensor: str, dimension: int, size: int, known: str) -> OperandError:
    return _refusal(
        "runtime/shape-mismatch",
        f"{tensor} has {size} in dimension {dimension}, but {known}.",
        tensor=tensor,
        expected=known,
        actual=str(size),
    )


def _refusal(
    code: str, message: str, *, tensor: str | None = None, expected: str | None = None, actual: str | None = None
) -> OperandError:
    place = Location(Part.INPUT, tensor=tensor)
    return OperandError(Diagnostic(code, message, place, expected=expected, actual=actual, hint=HINTS[code]))


def _times(shape: Shape) -> str:
    return " × ".join(map(str, shape)) or "a scalar"
