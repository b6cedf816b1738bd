"""Requests that schemathesis draws from the committed API description: every answer is one that it promises.

HYPOTHESIS_PROFILE=deep draws thousands for each operation.
"""

from __future__ import annotations

import json
import os
import random
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from heddle_server.openapi import COMMITTED
from tests.backend.serving import OPERATOR, Server

if TYPE_CHECKING:
    from schemathesis import Case
    from schemathesis.schemas import BaseSchema

OF_FORM = frozenset(
    f"plan/{name}"
    for name in (
        "type", "choice", "unknown-key", "out-of-range", "version", "missing", "too-many-entries",
        "tensor-name", "too-many-sizes", "too-many-baselines", "option-value", "language",
    )
)  # fmt: skip
"""Codes of what a schema can say. A document that the description allows is never refused with one of them."""

ONE_IN = 6
FEW = 25
BOUNDS = "hypothesis_explicit_examples"
"""The attribute of a test of Hypothesis that has the cases which are not drawn."""

EXAMPLES = 1000 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 6
DESCRIPTION = json.loads(COMMITTED.read_text(encoding="utf-8"))
OPERATIONS = [f"{method.upper()} {path}" for path, methods in DESCRIPTION["paths"].items() for method in methods]


@cache
def api() -> BaseSchema:
    import schemathesis

    return schemathesis.openapi.from_dict(DESCRIPTION)


# Cases are made where a test runs: schemathesis' own plugin makes those of all operations in each process that
# collects tests, for ten seconds.
# The tests of each route send what people send; this sweep of what nobody would is long, and half of it a commit.
@pytest.mark.combinations(2)
@pytest.mark.parametrize("label", OPERATIONS)
def test_every_answer_is_a_promised_one(label: str, server: Server, request: pytest.FixtureRequest) -> None:
    from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test

    method, _, path = label.partition(" ")
    operation = api()[path][method]

    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def answers(case: Case) -> None:
        answer_is_a_promised_one(case, server)

    config = HypothesisTestConfig(
        project=api().config,
        modes=list(HypothesisTestMode),
        settings=api().config.get_hypothesis_settings(operation=operation, phase="fuzzing"),
    )
    test = create_test(operation=operation, test_func=answers, config=config)
    bounds = getattr(test, BOUNDS)
    setattr(test, BOUNDS, sample(bounds, label, request.config.getoption("combination_seed")))
    test()


def sample(bounds: tuple[object, ...], label: str, seed: str | None) -> tuple[object, ...]:
    """One in so many of the cases at the bounds of a description, or a few, drawn by the seed
    (tests/sampling/combinations.py): twenty operations take a plan, and have the same hundreds of it."""
    if seed is None:
        return bounds
    drawn = random.Random(f"{seed} {label}")
    return tuple(drawn.sample(bounds, min(len(bounds), max(FEW, -(-len(bounds) // ONE_IN)))))


def answer_is_a_promised_one(case: Case, server: Server) -> None:
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import (
        allow_header_conformance,
        negative_data_rejection,
        positive_data_acceptance,
    )

    excluded = [positive_data_acceptance]
    if case.operation.path == "/api/v1/runs/measured":
        # GET and DELETE of this address are those of a run with the id "measured", and so they are allowed.
        excluded.append(allow_header_conformance)
    # Some of it is for the operator alone.
    answer = case.call(base_url=server.url, timeout=60, headers={"Authorization": f"Bearer {OPERATOR}"})
    if answer.status_code == 415 and answer.json()["type"] == "urn:heddle:problem:unsupported-media-type":
        assert case.method == "POST"  # A page of another site might have sent it: no operation has seen it.
        return
    if answer.status_code == 431:  # An address too long to be read: no operation has seen it.
        assert answer.json()["type"] == "urn:heddle:problem:request-header-fields-too-large"
        return
    if answer.status_code == 413:
        excluded.append(negative_data_rejection)  # It does not know that a list may be too long to be read at all.
    # What a schema allows may still be no valid plan: "y = " is a text. It is refused, but for what it means.
    case.validate_response(answer, excluded_checks=excluded)
    # What parameters and kernels an algorithm takes depends on which it is: its reader says, the schema does not.
    named = case.body.get("plan", case.body) if isinstance(case.body, dict) else None
    algorithm = isinstance(named, dict) and "algorithm" in named
    positive = case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE
    if positive and not algorithm and answer.status_code == 400:
        found = answer.json().get("diagnostics") or []
        # It does not say how large a number may be that JSON has in two forms, nor what each source of values takes.
        meant = re.compile(r".*/fill|/inputs/.*|/input(/.*)?")
        refused = {one["code"] for one in found if not meant.fullmatch((one["location"] or {}).get("path") or "")}
        assert not refused & OF_FORM, (case.body, answer.json())
