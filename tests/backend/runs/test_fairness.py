"""Compiles take turns by what they will cost and by who asks; one visitor uses up neither the queue nor the day."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient

from heddle.plan import Plan, parse_plan
from heddle_server.http.asker import Asker, asked_by, asker, note_asker
from heddle_server.http.packed_answers import Answer
from heddle_server.http.visitor import COOKIE, Identities
from heddle_server.http.visitor_layer import Visitors
from heddle_server.problem import ProblemError
from heddle_server.services.allowance import VISITORS_OF_ADDRESS, Allowance
from heddle_server.services.catalogue import read_examples
from heddle_server.services.compiling.compile import SECONDS_AT_ONCE, CompileService
from heddle_server.services.compiling.compile_cost import SMALL_CASES, predicted_cases
from heddle_server.settings import Settings

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


def doubled(names: int) -> Plan:
    """Each name adds the one before it to itself: as a term it is twice as long."""
    lets = "".join(f"let x{n} = zip(x{n - 1}, x{n - 1}) :>> map(+) in " for n in range(1, names + 1))
    expression = f"nFun(n => fun(x0: [float]_n => {lets}x{names}))"
    return parse_plan({"version": 2, "language": "patterns", "expression": expression})


def chain(statements: int, factors: str) -> Plan:
    lines = "".join(f"t{n}(i,j) = {factors if n == 0 else f't{n - 1}(i,j) + {factors}'} " for n in range(statements))
    expression = f"def f(float(N,M) a, float(N,M) b) -> (t{statements - 1}) {{ {lines}}}"
    tensors = {name: {"format": "dcsr"} for name in "ab"}
    return parse_plan({"version": 2, "language": "comprehension", "expression": expression, "tensors": tensors})


def test_what_each_language_and_a_sum_of_parts_cost_is_told() -> None:
    parts = " + ".join([*(f"dcsr where length <= {most}" for most in range(1, 8)), "dcsr"])
    product = {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": parts}}}
    assert predicted_cases(parse_plan(product)) == 8 * 5
    assert predicted_cases(doubled(2)) < SMALL_CASES / 10
    assert predicted_cases(doubled(11)) > SMALL_CASES
    assert predicted_cases(chain(2, "a(i,j)")) < SMALL_CASES < predicted_cases(chain(2, "a(i,j) + b(i,j) + a(i,j)"))
    assert predicted_cases(chain(30, "a(i,j)")) > SMALL_CASES
    # A program is as large as what its last definition calls.
    called = (
        "def g(float(N) a) -> (b) { b(i) = " + " + ".join(["a(i)"] * 60) + " } def f(float(N) a) -> (c) { (c) = g(a) }"
    )
    assert predicted_cases(parse_plan({"version": 2, "language": "comprehension", "expression": called})) > 50


def test_examples_are_small_and_sums_of_many_sparse_matrices_are_not(examples: list[Plan]) -> None:
    assert examples
    assert all(predicted_cases(plan) < SMALL_CASES / 3 for plan in examples)
    assert predicted_cases(sums(4, "dcsr")) > SMALL_CASES


@pytest.fixture
def examples() -> list[Plan]:
    return [parse_plan(example["plan"]) for example in read_examples()]


class Lanes:
    """Stands in for the processes: what begins, and ends when it may, after so many seconds of the clock."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.may_end = asyncio.Event()
        self.takes = 0.01

    async def call(
        self, seconds: float, answering: Any, function: Any, document: dict[str, Any]
    ) -> tuple[Answer, float]:
        self.begun.append(document["expression"])
        await self.may_end.wait()
        return Answer(b"{}"), self.takes


def service(**settings: Any) -> tuple[CompileService, Lanes]:
    made, lanes = CompileService(Settings(**settings)), Lanes()
    made._lanes = lanes  # type: ignore[assignment]
    return made, lanes


async def test_a_small_compile_begins_while_the_largest_wait() -> None:
    made, lanes = service(compile_processes=2)
    heavy = [asyncio.create_task(made.compile(sums(5, "dcsr", run={"threads": n}))) for n in range(1, 11)]
    await begun(lanes, 1)
    light = asyncio.create_task(made.compile(products(1)))
    await begun(lanes, 2)
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


async def test_work_that_only_looked_small_counts_as_large_the_next_time() -> None:
    made, lanes = service(compile_processes=2)
    lanes.takes = 3.0
    lanes.may_end.set()
    with asked_by(ANN):
        await made.compile(products(1))
    lanes.may_end.clear()
    with asked_by(ANN):
        more = [asyncio.create_task(made.compile(products(number))) for number in (2, 3)]
    await begun(lanes, 2)
    with asked_by(BEN):
        more.append(asyncio.create_task(made.compile(products(4))))
    await begun(lanes, 3)
    lanes.may_end.set()
    await asyncio.gather(*more)


async def test_a_compile_that_needs_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made, lanes = service()

    async def call(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(lanes, "call", call)
    with pytest.raises(ProblemError, match="needs more than the memory") as refused:
        await made.compile(products(1))
    assert (refused.value.status, refused.value.slug) == (422, "compile-memory")


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


async def begun(lanes: Lanes, count: int) -> None:
    """Once so many works have begun; what a plan costs is told in a thread."""
    async with asyncio.timeout(60):
        while len(lanes.begun) < count:
            await asyncio.sleep(0.001)
    await asyncio.sleep(0.05)
    assert len(lanes.begun) == count
