"""Links and uploads can be deleted by whoever made them alone, and one visitor cannot fill the disk with them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from heddle.plan import Plan, parse_plan
from heddle_server.http.asker import asker_of
from heddle_server.http.packed_answers import Answer
from heddle_server.http.visitor import Visitor
from heddle_server.problem import ProblemError
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.data import free_disk
from heddle_server.services.data.datasets import DatasetService
from heddle_server.services.links import BYTES_AT_ONCE, LinkService
from heddle_server.services.ownership import NOBODY
from heddle_server.settings import Settings
from heddle_server.store.database import Database, now
from heddle_server.store.tables import Dataset
from tests.backend.http.test_problems import problem
from tests.backend.serving import OPERATOR, PATIENCE_SECONDS, SPMV, Server, plan

ANN, BEN = Visitor("a" * 24, "192.0.2.1"), Visitor("b" * 24, "192.0.2.1")
GARBAGE = ["split(" + "x" * 400 + ")"] * 20


def matrix(number: int) -> bytes:
    return b"%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 %d\n" % number


@pytest.fixture
def other(server: Server) -> Any:
    """Another browser."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as client:
        yield client


def work_first(client: httpx.Client) -> None:
    """Ids come with the first work, which in the page is a compile; until then nothing belongs to its visitor."""
    if not client.cookies:
        client.post("/api/v1/compile", json=plan())


def upload(client: httpx.Client, number: int) -> dict[str, Any]:
    work_first(client)
    answer = client.put("/api/v1/datasets", params={"name": "a.mtx"}, content=matrix(number))
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def listed(client: httpx.Client, identity: str) -> dict[str, Any] | None:
    return next((one for one in client.get("/api/v1/datasets").json() if one["id"] == identity), None)


def test_an_upload_is_deleted_by_who_made_it_and_by_nobody_else(server: Server, other: httpx.Client) -> None:
    mine = upload(server.client, 101)
    assert mine["own"] is True
    (file,) = server.data.glob(f"uploads/sha256/{mine['id'].removeprefix('sha256:')}.mtx")
    seen = listed(other, mine["id"])
    assert seen is not None
    assert seen["own"] is False
    where = f"/api/v1/datasets/{mine['id']}"
    assert "by the browser that made it" in problem(other.delete(where), 403, "This upload is not yours to delete")
    assert server.client.delete(where).status_code == 200
    assert not file.exists()
    assert listed(server.client, mine["id"]) is None
    problem(server.client.delete(where), 404, "No such upload")
    problem(server.client.delete("/api/v1/datasets/spmv"), 422, "The request is not valid")


def test_what_two_have_uploaded_neither_deletes(server: Server, other: httpx.Client) -> None:
    mine, theirs = upload(server.client, 102), upload(other, 102)
    assert mine["id"] == theirs["id"]
    assert theirs["own"] is False
    for client in (server.client, other):
        problem(client.delete(f"/api/v1/datasets/{mine['id']}"), 403, "This upload is not yours to delete")


def test_an_upload_in_use_stays(server: Server, other: httpx.Client) -> None:
    mine = upload(server.client, 103)
    where = f"/api/v1/datasets/{mine['id']}"
    shared = plan("in-use", inputs={"A": {"upload": mine["id"]}})
    link = server.client.post("/api/v1/links", json={"plan": shared}).json()
    assert "A link, or a run" in problem(server.client.delete(where), 409, "The upload is in use")
    assert server.client.delete(f"/api/v1/links/{link['id']}").status_code == 200
    other.post("/api/v1/runs", json=shared)
    problem(server.client.delete(where), 409, "The upload is in use")


def test_a_link_is_deleted_by_who_made_it_and_by_nobody_else(server: Server, other: httpx.Client) -> None:
    work_first(server.client)
    mine = server.client.post("/api/v1/links", json={"plan": plan("mine")}).json()
    assert mine["own"] is True
    where = f"/api/v1/links/{mine['id']}"
    problem(other.delete(where), 403, "This link is not yours to delete")
    assert server.client.delete(where).status_code == 200
    problem(server.client.get(where), 404, "No such link")
    problem(server.client.delete(where), 404, "No such link")
    ours = server.client.post("/api/v1/links", json={"plan": plan("ours")}).json()
    assert other.post("/api/v1/links", json={"plan": plan("ours")}).json() == {**ours, "own": False}
    problem(server.client.delete(f"/api/v1/links/{ours['id']}"), 403, "This link is not yours to delete")


def test_a_run_is_cancelled_by_who_asked_for_it_and_by_nobody_else(server: Server, other: httpx.Client) -> None:
    """The first request of a browser without a cookie counts with its address, and its run is its own all the same."""
    for first in (httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS), server.client):
        run = first.post("/api/v1/runs", json=plan("hang"), params={"fresh": True}).json()["id"]
        where = f"/api/v1/runs/{run}"
        for _ in range(2):  # Without a cookie, and with the one that the refusal brought.
            assert "by the browser that asked" in problem(other.delete(where), 403, "This run is not yours to cancel")
        problem(other.post(f"{where}/stop", json={}), 403, "This run is not yours to cancel")
        assert first.delete(where).json()["state"] == "cancelled"
        problem(other.delete(where), 403, "This run is not yours to cancel")
    run = server.run(plan("hang"))
    stopped = other.delete(f"/api/v1/runs/{run}", headers={"authorization": f"Bearer {OPERATOR}"})
    assert stopped.json()["state"] == "cancelled"


class Compiles:
    """Answers as the compile of a plan with so many commands would: none is right."""

    async def compile(self, plan: Plan) -> Answer:
        head = json.dumps({"ok": not plan.schedule}).encode()
        return Answer(head, head=head)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(Settings(data_directory=tmp_path).database)
    await made.migrate()
    yield made
    await made.close()


def link_service(folder: Path, database: Database, **settings: Any) -> LinkService:
    compiles: Any = Compiles()
    assert hasattr(CompileService, "compile")
    return LinkService(Settings(data_directory=folder, **settings), database, compiles)


async def test_links_hold_plans_that_compile_and_small_drafts(tmp_path: Path, database: Database) -> None:
    links = link_service(tmp_path, database, link_bytes=20_000, draft_bytes=400)
    draft = parse_plan({**SPMV, "schedule": ["split(i)"]})
    assert (await links.create(draft, None, ANN))["own"]
    with pytest.raises(ProblemError, match=r"does not compile. A link to such a plan holds 400") as refused:
        await links.create(parse_plan({**SPMV, "schedule": GARBAGE}), None, ANN)
    assert refused.value.status == 413
    long = parse_plan({**SPMV, "run": {"baselines": [f"b{number:029d}" for number in range(16)]}})
    assert (await links.create(long, None, ANN))["own"]
    with pytest.raises(ProblemError, match="a link holds 500") as large:
        await link_service(tmp_path, database, link_bytes=500).create(long, None, ANN)
    assert large.value.status == 413


async def test_links_of_one_visitor_and_of_all_have_a_limit(tmp_path: Path, database: Database) -> None:
    links = link_service(tmp_path, database, link_total_bytes=350)
    links._allowance.use(asker_of(ANN), BYTES_AT_ONCE)
    with pytest.raises(ProblemError, match="as this server takes") as refused:
        await links.create(parse_plan(SPMV), None, ANN)
    assert refused.value.status == 429
    await links.create(parse_plan(SPMV), None, BEN)
    another = [parse_plan({**SPMV, "tensors": {"A": {"format": "csr", "shape": [size, 4]}}}) for size in (5, 6, 7)]
    await links.create(another[0], None, BEN)
    await links.create(another[1], None, BEN)
    with pytest.raises(ProblemError, match="which is the limit of this server") as full:
        await links.create(another[2], None, BEN)
    assert full.value.status == 507


async def test_nothing_new_is_kept_on_a_full_disk(
    tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_directory=tmp_path)
    monkeypatch.setattr(free_disk.shutil, "disk_usage", lambda _: SimpleNamespace(free=settings.free_disk_bytes - 1))
    with pytest.raises(ProblemError, match="keeps nothing new") as refused:
        await link_service(tmp_path, database).create(parse_plan(SPMV), None, ANN)
    assert refused.value.status == 507
    datasets = DatasetService(settings, database)
    with pytest.raises(ProblemError, match="keeps nothing new"):
        await datasets.upload("a.mtx", pieces(matrix(1)), ANN)


async def pieces(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def test_a_visitor_has_so_much_room_and_an_address_twice_as_much(tmp_path: Path, database: Database) -> None:
    size = len(matrix(1))
    settings = Settings(data_directory=tmp_path, visitor_upload_bytes=2 * size - 1)
    datasets = DatasetService(settings, database)
    datasets.prepare()
    await datasets.upload("a.mtx", pieces(matrix(1)), ANN)
    with pytest.raises(ProblemError, match="There is room for") as refused:
        await datasets.upload("a.mtx", pieces(matrix(2)), ANN)
    assert refused.value.status == 507
    # A new id for each file helps as far as two visitors may go.
    for number in (2, 3, 4):
        await datasets.upload("a.mtx", pieces(matrix(number)), Visitor(f"{number}" * 24, ANN.address))
    with pytest.raises(ProblemError, match="From where you are") as flood:
        await datasets.upload("a.mtx", pieces(matrix(5)), Visitor("5" * 24, ANN.address))
    assert flood.value.status == 429
    await datasets.upload("a.mtx", pieces(matrix(9)), Visitor("c" * 24, "198.51.100.7"))


async def test_downloads_which_anybody_may_ask_for_leave_half_of_the_room_to_uploads(
    tmp_path: Path, database: Database
) -> None:
    """A few names of large files kept everybody else from uploading, for ever."""
    size = len(matrix(1))
    datasets = DatasetService(Settings(data_directory=tmp_path, upload_total_bytes=4 * size), database)
    datasets.prepare()
    assert await datasets._room(None) == 2 * size
    async with database.write() as session:
        row = {"kind": "mtx", "shape": [9, 9], "nnz": 1, "visitor": NOBODY, "created": now()}
        session.add(Dataset(id="suitesparse:HB/large", name="HB/large", bytes=2 * size, **row))
    with pytest.raises(ProblemError, match=f"Downloads take {2 * size} bytes already, and {2 * size} are") as refused:
        await datasets._room(None)
    assert refused.value.status == 507
    await datasets.upload("a.mtx", pieces(matrix(1)), ANN)
