"""Small problems for the baselines, and whether a baseline solves one: without what a machine with a GPU may lack."""

from __future__ import annotations

import re

import numpy as np

from heddle.measuring.contender import Contender, Operand, Problem, Unavailable
from heddle.measuring.verification.reference import evaluate
from heddle.notation.parser import parse
from heddle.pipeline import lower
from heddle.plan import parse_plan
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.signature import Signature

SIZES = {"i": 12, "j": 9, "k": 5, "l": 3}


def problem(text: str, formats: dict[str, str], dtype: str = "float64", sizes: dict[str, int] | None = None) -> Problem:
    sizes = sizes or SIZES
    names = {access.name for access in _signature(text, formats, dtype).operands}
    tensors = _signature(text, formats, dtype)
    rng = np.random.default_rng(0)
    operands: dict[str, Operand] = {}
    for name in sorted(names):
        shape = tuple(sizes[index] for index in tensors.tensors[name].indices)
        array = np.where(rng.random(shape) < 0.4, rng.random(shape), 0).astype(dtype)
        columns = np.nonzero(array)
        entries = sort_and_sum(Entries(shape, columns, array[columns]), tuple(range(len(shape))))
        operands[name] = entries if name in formats else array
    return Problem(parse(text), tensors, operands, sizes, 2, None)


def _signature(text: str, formats: dict[str, str], dtype: str) -> Signature:
    names = {name: {"format": format} for name, format in formats.items()}
    for name in "ABCDSWXYxyz":
        if re.search(rf"\b{name}\(", text):
            names.setdefault(name, {})["dtype"] = dtype
    result = lower(parse_plan({"version": 1, "expression": text, "tensors": names}))
    assert result.signature is not None
    return result.signature


def check(made: Contender | Unavailable, given: Problem) -> None:
    assert isinstance(made, Contender), made
    made.call()
    expected = evaluate(given.assignment, given.operands, given.sizes, given.dtype)
    np.testing.assert_allclose(made.result(), expected.values, rtol=1e-5 if given.dtype == "float32" else 1e-12)
    assert made.result().shape == expected.values.shape
