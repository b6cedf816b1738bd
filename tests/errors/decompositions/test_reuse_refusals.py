"""Trees of partial products that cannot be: the place in the text, or the node that does not fit."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.algorithms.document.reader import parse_algorithm
from tests.errors.expect import refusal

TENSOR = np.arange(1.0, 121).reshape(2, 3, 4, 5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("((0 1) 2", "reuse must have ( or a mode at character 8, found its end"),
        ("0", "reuse must have ( at character 0, found `0`"),
        ("((0) 1)", "the parentheses of reuse that end at character 3 need two parts or more"),
        ("((0 1) 2) 3", "reuse ends at character 10, but more follows: `3`"),
        ("((0 1) x)", "reuse has `x` at character 7; it is made of modes and parentheses"),
        ("(" * 20 + "0 1", "reuse must have ( or a mode at character 17, found `(`"),
    ],
)
def test_texts_that_are_no_tree(text: str, message: str) -> None:
    document = {"algorithm": "cp-als", "parameters": {"rank": 2, "reuse": text}}
    diagnostic = refusal(lambda: parse_algorithm(document))
    assert (diagnostic.code, diagnostic.message) == ("algorithm/reuse", message)
    assert diagnostic.location is not None
    assert diagnostic.location.path == "/parameters/reuse"


@pytest.mark.parametrize(
    ("text", "parameters", "why"),
    [
        ("((0 1) (1 3))", {}, "0, 1, 2, 3 from left to right, each once: mode 1 a second time at character 8; mode 2 "),
        ("((1 0) (2 3))", {}, "0, 1, 2, 3 from left to right, each once: found 1, 0, 2, 3"),
        ("((0 1) (2 3))", {"update": [0, 1, 3]}, "0, 1, 3 from left to right, each once: mode 2, which is not updated"),
        ("((0 1) (2 3))", {"order": [2, 3, 0, 1]}, "2, 3, 0, 1 from left to right, each once: found 0, 1, 2, 3"),
    ],
)
def test_leaves_that_are_not_the_modes(text: str, parameters: dict[str, object], why: str) -> None:
    diagnostic = refusal(lambda: hd.cp_als(TENSOR, 2, reuse=text, **parameters))
    assert diagnostic.code == "algorithm/reuse"
    assert diagnostic.message.startswith(f"reuse must have the modes {why}")


def test_partial_products_that_do_not_fit() -> None:
    diagnostic = refusal(lambda: hd.cp_als(TENSOR, 3, reuse="(0 (1 (2 3)))", memory=700))
    assert (diagnostic.code, diagnostic.message) == (
        "algorithm/tree-memory",
        "tree.1-2-3 holds 60 rows of rank 3, which take 1,440 bytes, more than the 700 that are allowed. The best that "
        "fits is ((0 1) (2 3)).",
    )
