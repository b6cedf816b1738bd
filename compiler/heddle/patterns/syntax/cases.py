"""How long the work on a program in patterns will take, told from the text before any is done, in the cases of loops
over statements (``compiler/heddle/notation/cases.py``).

A name of ``let`` stands for its term wherever it is used: ten names of which each uses the one before it twice are a
thousand terms. What lies deep inside of functions has longer types.
"""

from __future__ import annotations

from collections.abc import Mapping

from heddle.patterns.syntax.nodes import Lambda, Let, NatLambda, Term, Variable, children

OF_A_TERM = 1 / 40
"""Cases that take as long as one term outside of all functions."""


def cases(term: Term, sparse: Mapping[str, int]) -> float:
    """Programs have no formats: ``sparse`` has nothing to say."""
    return OF_A_TERM * _weight(term, {}, 1)


def _weight(term: Term, named: Mapping[str, float], depth: int) -> float:
    match term:
        case Variable(name=name):
            return named.get(name, float(depth))
        case Let(name=name, value=value, body=body):
            return depth + _weight(body, {**named, name: depth + _weight(value, named, depth)}, depth)
        case Lambda(parameter=parameter, body=body) | NatLambda(parameter=parameter, body=body):
            inner = {variable: weight for variable, weight in named.items() if variable != parameter}
            return depth + _weight(body, inner, depth + 1)
        case _:
            return depth + sum(_weight(part, named, depth) for part in children(term))
