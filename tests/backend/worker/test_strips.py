"""The columns of factors as pictures: what each group of rows is, and which rows weigh most."""

from __future__ import annotations

import numpy as np

from heddle.algorithms.kruskal import Kruskal
from heddle_server.worker.decomposition.strips import BINS, COMPONENTS, strips_of


def test_each_group_of_rows_is_its_entry_of_the_largest_magnitude() -> None:
    column = np.zeros((2 * BINS, 1))
    column[:4, 0] = [0.25, -0.5, 0.75, 0.125]
    short = np.array([[-1.0], [0.0]])
    found = strips_of(Kruskal(np.ones(1), [column, short]))
    assert [(one["component"], one["mode"]) for one in found] == [(0, 0), (0, 1)]
    assert found[0]["bins"] == [-0.5, 0.75, *[0.0] * (BINS - 2)]
    assert found[0]["top"] == [{"row": 2, "value": 0.75}, {"row": 1, "value": -0.5}, {"row": 0, "value": 0.25}]
    assert found[1] == {"component": 0, "mode": 1, "bins": [-1.0, 0.0], "top": [{"row": 0, "value": -1.0}]}


def test_groups_have_every_row_once() -> None:
    size = 3 * BINS + 7
    for row in (0, size // 2, size - 1):
        column = np.zeros((size, 1))
        column[row] = 1
        (strip,) = strips_of(Kruskal(np.ones(1), [column]))
        assert strip["bins"].count(1.0) == 1
        assert len(strip["bins"]) == BINS
        assert strip["bins"].index(1.0) == max(place for place in range(BINS) if place * size // BINS <= row), (
            "groups begin where their number says"
        )


def test_many_components_are_cut_off() -> None:
    factor = np.ones((2, COMPONENTS + 3))
    found = strips_of(Kruskal(np.ones(COMPONENTS + 3), [factor, factor]))
    assert len(found) == 2 * COMPONENTS


def test_a_component_that_died_and_a_mode_without_rows() -> None:
    found = strips_of(Kruskal(np.zeros(1), [np.zeros((3, 1)), np.zeros((0, 1))]))
    assert [(one["bins"], one["top"]) for one in found] == [([0.0, 0.0, 0.0], []), ([], [])]
