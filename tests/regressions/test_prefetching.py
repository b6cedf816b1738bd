"""Prefetches behind what is no coordinate."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd


@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_the_start_of_a_part_is_no_coordinate_to_look_ahead_from(target: str) -> None:
    """A loop over parts reads where their rows begin: behind the last part, or without entries, there is nothing."""
    formats = {"A": "parts(3, even), compressed(nonunique), padded(2) : 0,0,1 where slot == 2 + coo"}
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats, "prefetch(x(j_levels), 1)", target=target)
    x = np.arange(5.0)
    for matrix in (np.zeros((7, 5)), np.ones((7, 5)), np.eye(7, 5)):
        np.testing.assert_array_equal(kernel(A=matrix, x=x).to_numpy(), matrix @ x)
