"""The CPU schedules of the appendix of Senanayake et al. 2020 (docs/sources.toml A.1 to A.11), with its parameters, and
A.7 with threads in place of a GPU's: right, and what may follow them as well."""

from __future__ import annotations

import pytest

import heddle as hd
from benchmarks.codegen import APPENDIX
from heddle.schedule.legal import legal
from tests.differential.check import check


def commands(schedule: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in schedule.split(";"))))


def test_all_cpu_schedules_are_there() -> None:
    assert [name.split()[0] for name in APPENDIX] == ["A.1", "A.3", "A.5", "A.7", "A.10", "A.11"]


@pytest.mark.parametrize("name", APPENDIX)
def test_the_result_is_right(name: str) -> None:
    expression, formats, schedule = APPENDIX[name]
    check(expression, formats, "\n".join(commands(schedule)))


@pytest.mark.parametrize("name", APPENDIX)
def test_every_command_of_the_paper_is_offered_where_it_stands(name: str) -> None:
    """By its name: sizes, new names and the loops of a reorder are the person's to choose."""
    expression, formats, schedule = APPENDIX[name]
    steps = commands(schedule)
    for number, step in enumerate(steps):
        graph = hd.lower(expression, formats, steps[:number]).graph
        assert graph is not None
        found = {one.spec.name: one.candidates for one in legal(graph, steps[:number], ("CPUThread", "CPUVector"))}
        assert any(candidate.why_not is None for candidate in found[step.partition("(")[0]]), step
