"""Compiles take turns by what they will cost and by who asks; one visitor uses up neither the queue nor the day."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient

from backend.http.asker import Asker, asked_by, asker, note_asker
from backend.http.visitor import COOKIE, Identities
from backend.http.visitor_layer import Visitors
from backend.problem import ProblemError
from backend.services.allowance import VISITORS_OF_ADDRESS, Allowance
from backend.services.catalogue import read_examples
from backend.services.compile import SECONDS_AT_ONCE, CompileService
from backend.services.compile_cost import SMALL_CASES, predicted_cases
from backend.services.packed_answers import Answer
from backend.settings import Settings
from compiler.plan import Plan, parse_plan

ANN, BEN = Asker("192.0.2.1", "ann"), Asker("192.0.2.1", "ben")


def sums(operands: int, format: str, **more: Any) -> Plan:
    names = [f"A{number}" for number in range(operands)]
    expression = "Y(i,j) = " + " + ".join(f"{name}(i,j)" for name in names)
    return parse_plan({"expression": expression, "tensors": {name: {"format": format} for name in names}, **more})


def products(operands: int) -> Plan:
    return parse_plan({**json.loads(json.dumps(PRODUCT)), "expression": "y(i) = " + " * ".join(["A(i,j)"] * operands)})


PRODUCT = {"expression": "", "tensors": {"A": {"format": "csr"}}}


def test_what_a_compile_costs_is_told_from_the_plan() -> None:
    # A case for each set of operands that still have entries, and in it one for each part of that set.
    assert predicted_cases(sums(1, "csr")) == 3
    assert predicted_cases(sums(4, "csr")) == 3**4
    assert predicted_cases(sums(4, "dcsr")) == 5**4
    assert predicted_cases(sums(4, "dense")) == 1
    assert predicted_cases(products(6)) == 3
    assert predicted_cases(sums(2, "csr", schedule=["parallelize(i)"])) > predicted_cases(sums(2, "csr"))
    assert predicted_cases(parse_plan({"expression": "y(i) ="})) == 0


def test_examples_are_small_and_sums_of_many_sparse_matrices_are_not(examples: list[Plan]) -> None:
    assert examples
    assert all(predicted_cases(plan) < SMALL_CASES / 4 for plan in examples)
    assert predicted_cases(sums(4, "dcsr")) > SMALL_CASES


@pytest.fixture
def examples() -> list[Plan]:
    return [parse_plan(example["plan"]) for example in read_examples()]


class Lanes:
    """Stands in for the processes: what begins, and ends when it may, after so many seconds of the clock."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.may_end = asyncio.Event()

    async def call(self, seconds: float, answering: Any, function: Any, document: dict[str, Any]) -> Answer:
        self.begun.append(document["expression"])
        await self.may_end.wait()
        return Answer(b"{}")


def service(**settings: Any) -> tuple[CompileService, Lanes]:
    made, lanes = CompileService(Settings(**settings)), Lanes()
    made._lanes = lanes  # type: ignore[assignment]
    return made, lanes


async def test_a_small_compile_begins_while_the_largest_wait() -> None:
    made, lanes = service(compile_processes=2)
    heavy = [asyncio.create_task(made.compile(sums(5, "dcsr", run={"threads": n}))) for n in range(1, 11)]
    await rest()
    light = asyncio.create_task(made.compile(products(1)))
    await rest()
    assert len(lanes.begun) == 2
    assert lanes.begun[1] == "y(i) = A(i,j)"
    lanes.may_end.set()
    await asyncio.gather(*heavy, light)


async def test_who_has_used_up_their_time_is_sent_away_and_others_are_not() -> None:
    made, lanes = service()
    lanes.may_end.set()
    made._allowance.use(ANN, SECONDS_AT_ONCE + 5)
    with asked_by(ANN), pytest.raises(ProblemError, match="Smaller plans take less") as refused:
        await made.compile(products(1))
    assert (refused.value.status, refused.value.slug) == (429, "too-much-compiling")
    assert int(refused.value.headers["Retry-After"]) in (10, 11)
    with asked_by(BEN):
        assert (await made.compile(products(1))).plain() == b"{}"
    with asked_by(ANN):
        assert (await made.compile(products(1))).plain() == b"{}"  # What is known costs nothing.


async def test_time_in_a_process_is_charged_to_who_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    made, lanes = service()
    charged: list[tuple[Asker, float]] = []
    monkeypatch.setattr(made._allowance, "use", lambda who, seconds: charged.append((who, seconds)))
    lanes.may_end.set()
    with asked_by(ANN):
        await asyncio.gather(*(made.compile(products(1)) for _ in range(3)))
    ((who, seconds),) = charged
    assert who == ANN
    assert seconds > 0


def test_a_route_knows_who_asks() -> None:
    app = FastAPI(dependencies=[Depends(note_asker)])

    @app.get("/")
    async def ask() -> str:
        return repr(asker())

    identities = Identities()
    app.add_middleware(Visitors, identities=identities)
    with TestClient(app, client=("192.0.2.1", 1)) as client:
        assert client.get("/").json() == repr(Asker("192.0.2.1/32"))
        known = identities.new("192.0.2.1")
        for cookie, asked in ((identities.cookie(known), known), (known, None), ("a" * 24, None)):
            answer = client.get("/", headers={"Cookie": f"{COOKIE}={cookie}"})
            assert answer.json() == repr(Asker("192.0.2.1/32", asked))


def test_an_allowance_comes_back_and_an_address_has_that_of_many() -> None:
    now = 0.0
    allowance = Allowance(10, 2, clock=lambda: now)
    allowance.use(ANN, 14)
    assert allowance.wait(ANN) == 2
    assert allowance.wait(BEN) == 0
    assert allowance.wait(Asker("192.0.2.1")) == 0
    now = 3.0
    assert allowance.wait(ANN) == 0
    assert allowance.wait(ANN, 4) == 1
    # Whoever takes a new id for each request still has the one address.
    for number in range(VISITORS_OF_ADDRESS + 1):
        allowance.use(Asker("192.0.2.1", f"id {number}"), 10)
    assert allowance.wait(Asker("192.0.2.1", "another id")) > 0
    assert allowance.wait(Asker("198.51.100.1", "another id")) == 0
    assert Allowance(10, 2, factor=0).wait(ANN) == 0


async def rest() -> None:
    for _ in range(10):
        await asyncio.sleep(0)
