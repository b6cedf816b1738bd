"""The JSON text of a decomposition: whole, to the last bit, in small pieces."""

from __future__ import annotations

import json

import numpy as np
import pytest

from heddle.algorithms.kruskal import Kruskal
from heddle_server.services.decompositions import report as reports


def test_the_pieces_are_one_text_with_all_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "PIECE", 6)
    random = np.random.default_rng(3)
    model = Kruskal(np.array([2.0, 1.0]), [random.standard_normal((size, 2)) for size in (7, 1, 3)])
    result = {"fit": 0.25, "weights": [2.0, 1.0], "state": {"artifact": None}, "strips": [], "sandbox": {}}
    pieces = list(reports.report(result, model))
    found = json.loads("".join(pieces))
    assert list(found) == ["fit", "weights", "factors"]
    assert all(
        np.array_equal(np.array(rows), factor) for rows, factor in zip(found["factors"], model.factors, strict=True)
    )
    # 3 rows of 2 numbers at a time: 3 + 1 + 1 pieces of numbers, one beginning and one end for each mode and for all.
    assert len(pieces) == 5 + 2 * 3 + 2
