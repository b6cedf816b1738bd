"""In which order the factors of a product are multiplied: all in one kernel, or some into an intermediate first.

The cost is the number of loop steps by the operands' statistics, entries counting as spread evenly. An intermediate
pays only where it saves half of the steps or more: ``S(i,j) * A(i,k) * B(k,j)`` stays one kernel over the entries of S,
while ``A(i,j) * X(j,k) * W(k,f)`` multiplies the dense factors first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

MOST_FACTORS = 6
"""Up to here all orders are looked at; of more factors pairs are taken greedily."""
_GAIN = 0.5
_SPARSE_STORE = 8.0
"""What storing an entry of a sparse intermediate takes, in loop steps."""


@dataclass(frozen=True, slots=True)
class Factor:
    """A tensor of the product: its index variables and the share of its elements that is stored."""

    name: str
    variables: tuple[str, ...]
    density: float = 1.0

    @property
    def sparse(self) -> bool:
        return self.density < 1.0


@dataclass(frozen=True, slots=True)
class Contraction:
    """One kernel: the product of ``factors`` by name, divided by each of ``divisors``, summed into ``result``."""

    factors: tuple[Factor, ...]
    result: Factor
    steps: float
    divisors: tuple[Factor, ...] = ()

    @property
    def operands(self) -> tuple[Factor, ...]:
        """All that it reads."""
        return self.factors + self.divisors

    @property
    def expression(self) -> str:
        """In index notation."""
        divided = "".join(f" / {_spell(divisor)}" for divisor in self.divisors)
        return f"{_spell(self.result)} = {' * '.join(map(_spell, self.factors))}{divided}"


def cheapest_order(
    factors: Sequence[Factor], result: Factor, sizes: Mapping[str, int], prefix: str
) -> tuple[Contraction, ...]:
    """The contractions, in their order; one alone where no intermediate saves enough.

    Parameters
    ----------
    factors
        of the whole product, in its order.
    result
        its result.
    sizes
        of all index variables.
    prefix
        what names of intermediates begin with.
    """
    fused = _contract(factors, result, sizes)
    if len(factors) < 3:
        return (fused,)
    contractions = _search(tuple(factors), result, sizes, prefix, {})
    return contractions if _total(contractions) < _GAIN * fused.steps else (fused,)


def _search(
    factors: tuple[Factor, ...],
    result: Factor,
    sizes: Mapping[str, int],
    prefix: str,
    known: dict[tuple[Factor, ...], tuple[Contraction, ...]],
) -> tuple[Contraction, ...]:
    if factors in known:
        return known[factors]
    best: tuple[Contraction, ...] = (_contract(factors, result, sizes),)
    first_steps = _first_steps(factors, result, sizes, f"{prefix}{len(factors)}")
    if len(factors) > MOST_FACTORS:
        first_steps = iter([min(first_steps, key=lambda pair: (pair[0].steps, pair[0].result.variables))])
    for step, rest in first_steps:
        candidate = (step, *_search(rest, result, sizes, prefix, known))
        if _total(candidate) < _total(best):
            best = candidate
    known[factors] = best
    return best


def _first_steps(
    factors: tuple[Factor, ...], result: Factor, sizes: Mapping[str, int], name: str
) -> Iterator[tuple[Contraction, tuple[Factor, ...]]]:
    """Every way to multiply some, but not all, of the factors first, with the factors of the rest."""
    largest = 2 if len(factors) > MOST_FACTORS else len(factors) - 1
    for count in range(2, largest + 1):
        for numbers in combinations(range(len(factors)), count):
            chosen = tuple(factors[number] for number in numbers)
            others = [factor for number, factor in enumerate(factors) if number not in numbers]
            needed = {*_variables(others), *result.variables}
            variables = tuple(v for v in dict.fromkeys(_variables(chosen)) if v in needed)
            intermediate = Factor(name, variables, _density(chosen, variables, sizes))
            # It stands where the first of its factors stood, so that products stay in their order.
            others.insert(numbers[0], intermediate)
            yield _contract(chosen, intermediate, sizes), tuple(others)


def _contract(factors: Sequence[Factor], result: Factor, sizes: Mapping[str, int]) -> Contraction:
    variables = dict.fromkeys(_variables(factors))
    steps = math.prod(sizes[variable] for variable in variables) * math.prod(factor.density for factor in factors)
    elements = math.prod(sizes[variable] for variable in result.variables)
    stored = elements * result.density * (_SPARSE_STORE if result.sparse else 1.0)
    return Contraction(tuple(factors), result, max(steps, 1.0) + stored)


def _density(factors: Sequence[Factor], variables: tuple[str, ...], sizes: Mapping[str, int]) -> float:
    """Of the intermediate; 1 for one that is stored dense, since a variable of it belongs to dense factors alone."""
    covered = {variable for factor in factors if factor.sparse for variable in factor.variables}
    if not variables or not set(variables) <= covered:
        return 1.0
    summed = math.prod(sizes[variable] for variable in set(_variables(factors)) - set(variables))
    share = math.prod(factor.density for factor in factors)
    return min(1.0, -math.expm1(-summed * share))


def _total(contractions: Sequence[Contraction]) -> float:
    return sum(contraction.steps for contraction in contractions)


def _variables(factors: Sequence[Factor]) -> list[str]:
    return [variable for factor in factors for variable in factor.variables]


def _spell(factor: Factor) -> str:
    return f"{factor.name}({','.join(factor.variables)})" if factor.variables else factor.name
