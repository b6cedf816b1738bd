"""What the process of a slice says is believed only when it is what a slice writes."""

from __future__ import annotations

from typing import Any

import pytest

from heddle_server.tuning.slice_result import read_slice
from tests.backend.fake_search import final, generation

SLICE = {"finished": True, "number": 4, "lines": [generation(0), final()], "sandbox": {}}


def test_a_slice_is_read() -> None:
    found = read_slice(SLICE)
    assert (found.finished, found.number) == (True, 4)
    assert found.lines == SLICE["lines"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"finished": 1}, "whether the search has finished should be true or false, and is 1"),
        ({"number": -1}, "the number of its first line should be a count, and is -1"),
        ({"number": True}, "the number of its first line should be a count, and is True"),
        ({"lines": []}, "its lines should be a list with at least one line, and are \\[]"),
        ({"lines": None}, "its lines should be a list with at least one line, and are None"),
        ({"number": 0}, "line 1 should be a header"),
        ({"lines": [generation(0), {"event": "slice", "seconds": float("inf")}]}, "line 6 should be .* finite numbers"),
        ({"lines": [{"event": "known", "known": {"version": 99}}]}, "version 99"),
    ],
)
def test_anything_else_is_refused_with_what_it_should_be(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_slice({**SLICE, **changed})
