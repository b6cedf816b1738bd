"""The sizes of a program from the shapes of its arguments: linear equations, then totals that only one size gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from heddle.runtime.patterns.flat import Told
from heddle.runtime.patterns.refused import refusal
from heddle.symbolic.evaluate import evaluate
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import At, Atom, Length, Max, Min, Name, Sum, in_powers, length, of_atom
from heddle.symbolic.printer import to_text as length_text
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.rewrite import substitute
from heddle.symbolic.walk import all_atoms, arrays_of, free_names


def solve_sizes(
    sizes: Sequence[str],
    passed_sizes: Mapping[str, int],
    told: Sequence[Told],
    arrays: Mapping[str, NDArray[Any]],
    moved: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """The value of each of ``sizes``. ``moved`` are arrays from all of whose elements so much was taken away.

    Raises
    ------
    CompileError
        ``runtime/unknown-size``, ``runtime/size-mismatch`` or ``runtime/ragged-size``.
    """
    known = dict(passed_sizes)
    source: dict[str, str] = {}
    while (solution := _next(sizes, known, told)) is not None:
        size, value, name = solution
        known[size] = value
        source[size] = name
    for size in sizes:
        if size not in known:
            raise refusal(
                "unknown-size",
                f"No argument tells how much {size} is.",
                size,
                expected=f"a number for {size}",
                hint=f"Pass it by name: kernel({size}=…).",
            )
    for fact in told:
        _check(fact, known, source, arrays, moved or {})
    return {size: known[size] for size in sizes}


def solved_so_far(sizes: Sequence[str], passed_sizes: Mapping[str, int], told: Sequence[Told]) -> dict[str, int]:
    """The value of each of ``sizes`` that ``told`` is enough for."""
    known = dict(passed_sizes)
    while (solution := _next(sizes, known, told)) is not None:
        known[solution[0]] = solution[1]
    return {size: known[size] for size in sizes if size in known}


def _next(sizes: Sequence[str], known: Mapping[str, int], told: Sequence[Told]) -> tuple[str, int, str] | None:
    """One more size, its value and the argument that tells it: from a linear equation while there is one."""
    for solve in (_linear, _search):
        for fact in told:
            unknown = sorted(free_names(fact.length) & (set(sizes) - known.keys()))
            if len(unknown) != 1 or any(isinstance(atom, At) for atom in all_atoms(fact.length)):
                continue
            try:
                value = solve(fact, unknown[0], known)
            except (ValueError, ZeroDivisionError):
                continue  # it divides by what is not positive, which the claims tell
            if value is not None:
                return unknown[0], value, fact.name
    return None


def _difference(fact: Told, known: Mapping[str, int]) -> Length:
    return substitute(fact.length, {name: length(value) for name, value in known.items()}) - fact.number


def _linear(fact: Told, size: str, known: Mapping[str, int]) -> int | None:
    powers = in_powers(_difference(fact, known), Name(size))
    slope, rest = powers.get(1, length(0)).constant, powers.get(0, length(0)).constant
    if not powers or max(powers) != 1 or not slope or rest is None:
        return None
    quotient = -rest / slope
    return int(quotient) if quotient == int(quotient) and quotient >= 0 else None


def _search(fact: Told, size: str, known: Mapping[str, int]) -> int | None:
    """The only size that gives the total, such as n*(n + 1)/2, by halving: of totals that never fall."""
    left = _difference(fact, known)
    if free_names(left) != {size} or not _never_falls(left, size):
        return None
    low, high = 0, fact.number + 1
    while low < high:
        middle = (low + high) // 2
        if evaluate(left, {size: middle}) < 0:
            low = middle + 1
        else:
            high = middle
    return low if evaluate(left, {size: low}) == 0 and evaluate(left, {size: low + 1}) > 0 else None


def _never_falls(whole: Length, size: str) -> bool:
    more = substitute(whole, {size: length(size) + 1})
    return nonnegative(more - whole, Facts()) or all(
        coefficient > 0 and len(monomial) == 1 and monomial[0][1] == 1 and _atom_never_falls(monomial[0][0], size)
        for monomial, coefficient in whole.terms
        if size in set().union(*(free_names(of_atom(atom)) for atom, _ in monomial))
    )


def _atom_never_falls(atom: Atom, size: str) -> bool:
    match atom:
        case Name():
            return True
        case Min(operands=operands) | Max(operands=operands):
            return all(_never_falls(operand, size) for operand in operands)
        case Sum(variable=variable, lower=lower, upper=upper, body=body):
            # A longer range adds summands, and those must not be negative.
            inside = Facts().assume_range(variable, lower, upper - 1)
            ranges = size not in free_names(lower) and _never_falls(upper, size)
            return ranges and nonnegative(body, inside) and _never_falls(body, size)
        case _:
            return False


def _check(
    fact: Told,
    known: Mapping[str, int],
    source: Mapping[str, str],
    arrays: Mapping[str, NDArray[Any]],
    moved: Mapping[str, int],
) -> None:
    try:
        expected = evaluate(fact.length, dict(known), arrays)
    except (IndexError, ZeroDivisionError):
        return  # what offsets and divisors are wrong for is told by the claims
    if expected == fact.number:
        return
    ragged = any(isinstance(atom, At) for atom in all_atoms(fact.length))
    sizes = ", ".join(
        f"{name} = {known[name]}" + (f" from {source[name]}" if name in source else "")
        for name in sorted(free_names(fact.length))
        if name in known
    )
    notes = [
        f"{name} is counted from its first element, {moved[name]}."
        for name in sorted(arrays_of(fact.length))
        if name in moved
    ]
    names = sorted(free_names(fact.length))
    solution = None if ragged or len(names) != 1 else _linear(fact, names[0], {}) or _search(fact, names[0], {})
    raise refusal(
        "ragged-size" if ragged else "size-mismatch",
        f"{fact.name} has {fact.number} in {fact.what}, and its type says {length_text(fact.length)}"
        + (f" with {sizes}" if sizes else "")
        + f": {expected}."
        + (f" {names[0]} = {solution} from {fact.name}." if solution is not None else ""),
        fact.name,
        expected=str(expected),
        actual=str(fact.number),
        hint=" ".join(notes) or None,
    )
