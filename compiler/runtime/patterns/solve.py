"""The sizes of a program from the shapes of its arguments: one linear equation each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from compiler.lengths.evaluate import evaluate
from compiler.lengths.nodes import At, Name, in_powers, length
from compiler.lengths.printer import to_text as length_text
from compiler.lengths.rewrite import substitute
from compiler.lengths.walk import all_atoms, free_names
from compiler.runtime.patterns.flat import Told
from compiler.runtime.patterns.refused import refused


def solved(
    sizes: Sequence[str], given: Mapping[str, int], told: Sequence[Told], arrays: Mapping[str, NDArray[Any]]
) -> dict[str, int]:
    """The value of each of ``sizes``.

    Raises:
        CompileError: ``runtime/unknown-size``, ``runtime/size-mismatch`` or ``runtime/ragged-size``.
    """
    known = dict(given)
    source: dict[str, str] = {}
    progress = True
    while progress:
        progress = False
        for one in told:
            unknown = sorted(free_names(one.length) & (set(sizes) - known.keys()))
            if len(unknown) != 1 or any(isinstance(atom, At) for atom in all_atoms(one.length)):
                continue
            value = _solution(one, unknown[0], known)
            if value is not None:
                known[unknown[0]] = value
                source[unknown[0]] = one.name
                progress = True
    for size in sizes:
        if size not in known:
            raise refused(
                "unknown-size",
                f"No argument tells how much {size} is.",
                size,
                expected=f"a number for {size}",
                hint=f"Pass it by name: kernel({size}=…).",
            )
    for one in told:
        _check(one, known, source, arrays)
    return {size: known[size] for size in sizes}


def _solution(one: Told, size: str, known: Mapping[str, int]) -> int | None:
    left = substitute(one.length, {name: length(value) for name, value in known.items()}) - one.number
    powers = in_powers(left, Name(size))
    slope, rest = powers.get(1, length(0)).constant, powers.get(0, length(0)).constant
    if max(powers) == 1 and slope and rest is not None:
        quotient = -rest / slope
        return int(quotient) if quotient == int(quotient) and quotient >= 0 else None
    # A total that grows with the size, such as n*(n + 1)/2: halving finds it.
    try:
        low, high = 0, one.number + 1
        while low < high:
            middle = (low + high) // 2
            if evaluate(left, {size: middle}) < 0:
                low = middle + 1
            else:
                high = middle
        return low if evaluate(left, {size: low}) == 0 else None
    except KeyError:
        return None


def _check(one: Told, known: Mapping[str, int], source: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]) -> None:
    try:
        expected = evaluate(one.length, dict(known), arrays)
    except IndexError:
        return  # what offsets are wrong for is told by the claims
    if expected == one.number:
        return
    ragged = any(isinstance(atom, At) for atom in all_atoms(one.length))
    sizes = ", ".join(
        f"{name} = {known[name]}" + (f" from {source[name]}" if name in source else "")
        for name in sorted(free_names(one.length))
        if name in known
    )
    names = sorted(free_names(one.length))
    own = None if ragged or len(names) != 1 else _solution(one, names[0], {})
    raise refused(
        "ragged-size" if ragged else "size-mismatch",
        f"{one.name} has {one.number} in {one.what}, and its type says {length_text(one.length)}"
        + (f" with {sizes}" if sizes else "")
        + f": {expected}."
        + (f" {names[0]} = {own} from {one.name}." if own is not None else ""),
        one.name,
        expected=str(expected),
        found=str(one.number),
    )
