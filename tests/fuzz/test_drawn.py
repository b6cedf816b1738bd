"""What the fuzzers draw: every level kind and every command of the registries, those too of which they know nothing."""

from __future__ import annotations

import random

import pytest

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.parser import parse_format
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments
from heddle.schedule.registry import COMMANDS
from heddle.schedule.syntax.parser import parse_command
from tests.fuzz.commands import OF_STATEMENTS, by_its_parameters, draw_command
from tests.fuzz.formats import draw_formats

SEEDS = 1500


def test_formats_have_levels_of_every_kind() -> None:
    drawn = {
        level.kind
        for expression, order in (("C(i,j) = A(i,j) + B(i,j)", 2), ("C(i,j,k) = A(i,j,k)", 3))
        for seed in range(SEEDS)
        for level in parse_format(draw_formats(random.Random(seed), expression)["A"], order, "A").levels
    }
    assert drawn == set(LEVEL_KINDS)


def test_schedules_have_every_command() -> None:
    graph = lower(plan_from_arguments("y(i) = A(i,j) * x(j)", {"A": "csr"})).graphs[-1]
    texts = [draw_command(random.Random(seed), graph, seed) for seed in range(SEEDS)]
    assert {text.partition("(")[0] for text in texts} == set(COMMANDS) - set(OF_STATEMENTS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_drawn_by_its_parameters_alone(name: str) -> None:
    graph = lower(plan_from_arguments("y(i) = A(i,j) * x(j)", {"A": "csr"})).graphs[-1]
    for seed in range(20):
        text = by_its_parameters(random.Random(seed), graph, COMMANDS[name], ["v", "w"])
        assert parse_command(text, 0).spec is COMMANDS[name]
