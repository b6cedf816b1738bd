"""What a slice of a search came to: read from its process, and believed only when it is what a slice writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heddle.diagnostics import CompileError
from heddle.tuning.known.entry import read_known
from heddle.tuning.session.log import Line, require_log


@dataclass(frozen=True, slots=True)
class SliceResult:
    """``lines`` are new; ``number`` is how many the log had before them."""

    finished: bool
    number: int
    lines: list[Line]


def read_slice(result: Mapping[str, Any]) -> SliceResult:
    """Raises ValueError for anything else, with what was expected and found."""
    finished, number, lines = (result.get(name) for name in ("finished", "number", "lines"))
    if not isinstance(finished, bool):
        raise ValueError(f"whether the search has finished should be true or false, and is {str(finished)[:40]}")
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise ValueError(f"the number of its first line should be a count, and is {str(number)[:40]}")
    return SliceResult(finished, number, read_lines(number, lines))


def read_lines(number: int, lines: object) -> list[Line]:
    """New lines of a log that has so many; no slice is without any. Raises ValueError as :func:`read_slice`."""
    if not isinstance(lines, list) or not lines:
        raise ValueError(f"its lines should be a list with at least one line, and are {str(lines)[:40]}")
    try:
        require_log(lines, number)
        for line in lines:
            if line["event"] == "known":
                read_known(line["known"])
    except CompileError as error:
        raise ValueError(error.diagnostics[0].message) from error
    return lines
