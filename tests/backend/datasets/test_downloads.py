"""Data by name from a public collection, which here is a small web server of the test."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import io
import tarfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest

from heddle_server.datasets.collections import read_collections
from heddle_server.problem import ProblemError
from heddle_server.services.data.datasets import DatasetService
from heddle_server.services.data.downloads import DownloadService
from heddle_server.services.ownership import Canceller
from heddle_server.settings import Settings
from heddle_server.store.database import Database
from tests.backend.collection_site import Answer, Site, catalogue, packed
from tests.backend.datasets.test_datasets import MTX, TNS
from tests.backend.http.test_problems import problem
from tests.backend.serving import PATIENCE_SECONDS, Server, plan

pytestmark = pytest.mark.takes_turns(4)

ANN, BEN = "ann", "ben"
GOOD = gzip.compress(TNS, mtime=0)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = Site()
    made.files["/MM/HB/small.tar.gz"] = packed("small", MTX)
    made.files["/tensors/a/known.tns.gz"] = GOOD
    made.files["/tensors/a/changed.tns.gz"] = gzip.compress(TNS + b"1 1 1 9\n")
    yield made
    made.http.shutdown()


@pytest.fixture(scope="module")
def online(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("online")
    known = hashlib.sha256(GOOD).hexdigest()
    file = catalogue(
        site,
        folder / "collections.json",
        known={"path": "a/known", "sha256": known},
        changed={"path": "a/changed", "sha256": known},
    )
    running = Server(folder / "data", collections=file, quota_factor=0, unpacked_bytes=4 << 20).start()
    yield running
    running.stop()


def start(server: Server, collection: str, name: str) -> dict[str, Any]:
    answer = server.client.post("/api/v1/downloads", json={"collection": collection, "name": name})
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


def ended(server: Server, collection: str, name: str) -> dict[str, Any]:
    view = start(server, collection, name)
    deadline = time.monotonic() + 30
    while view["state"] in ("waiting", "receiving", "checking"):
        assert time.monotonic() < deadline, view
        time.sleep(0.02)
        view = server.client.get(f"/api/v1/downloads/{view['id']}").json()
    return view


def failure(server: Server, collection: str, name: str) -> tuple[int, str]:
    view = ended(server, collection, name)
    assert view["state"] == "failed", view
    assert view["dataset"] is None
    assert list((server.data / "uploads" / "incoming").iterdir()) == []
    return view["problem"]["status"], view["problem"]["detail"]


def test_the_collections_that_come_with_heddle() -> None:
    matrices, tensors = read_collections().values()
    assert matrices.file("HB/bcsstk13") is not None
    assert matrices.address(matrices.file("SNAP/web-Google")) == "https://sparse.tamu.edu/MM/SNAP/web-Google.tar.gz"
    nell = tensors.file("nell-2")
    assert tensors.address(nell) == "https://s3.us-east-2.amazonaws.com/frostt/frostt_data/nell/nell-2.tns.gz"
    for collection in (matrices, tensors):
        assert collection.allows(collection.url)
        assert all(collection.file(name) is not None for name in collection.examples)


def test_a_matrix_by_name_is_kept_and_can_be_run(online: Server, site: Site) -> None:
    view = ended(online, "suitesparse", "HB/small")
    assert view["state"] == "done", view
    assert view["received"] == view["total"] == len(site.files["/MM/HB/small.tar.gz"])
    assert view["dataset"] == {
        "id": "suitesparse:HB/small",
        "name": "HB/small",
        "origin": "collection",
        "shape": [3, 4],
        "nnz": 2,
        "summary": "From suitesparse, 3 × 4, 2 nonzeros",
        "bytes": len(MTX),
        "own": False,
        "kept_days": None,
    }
    assert view["dataset"] in online.client.get("/api/v1/datasets").json()
    run = online.run(plan(inputs={"A": {"dataset": "suitesparse:HB/small"}}))
    assert online.wait(run)["state"] == "done"
    asked = len(site.asked)
    assert start(online, "suitesparse", "HB/small")["state"] == "done"
    assert len(site.asked) == asked, "what is here is not asked for again"


def test_the_checksum_of_the_catalogue_is_compared(online: Server) -> None:
    assert ended(online, "frostt", "known")["dataset"]["shape"] == [2, 3, 4]
    status, detail = failure(online, "frostt", "changed")
    assert status == 502
    assert f"but {hashlib.sha256(GOOD).hexdigest()} is known for it" in detail


def test_without_a_connection_a_person_is_told_what_to_do(online: Server) -> None:
    status, detail = failure(online, "away", "HB/small")
    assert status == 503
    assert detail.startswith("This machine has no connection to 127.0.0.1, the Collection that is away (")
    assert detail.endswith("Download the file elsewhere, from https://sparse.tamu.edu, and upload it here.")


def test_a_plan_with_data_that_was_not_fetched_says_how_to_fetch_it(online: Server) -> None:
    answer = online.client.post("/api/v1/runs", json=plan(inputs={"A": {"dataset": "suitesparse:HB/other"}}))
    assert "suitesparse:HB/other" in problem(answer, 400, "Unknown dataset")
    assert "choose From a collection… as the input" in answer.json()["diagnostics"][0]["hint"]


@pytest.mark.parametrize(
    "name",
    [
        "HB", "HB/a/b", "../x", "HB/..", "HB/../x", "HB/%2e%2e", "@evil.example/x", "HB/a b", "HB/a?b", "HB/a#b",
        "//x", "HB\\x", "HB/a..b", "http://x/y", "HB/" + "a" * 90,
    ],
)  # fmt: skip
def test_names_that_could_lead_elsewhere(online: Server, site: Site, name: str) -> None:
    asked = len(site.asked)
    answer = online.client.post("/api/v1/downloads", json={"collection": "suitesparse", "name": name})
    assert "Group/Name, as in HB/bcsstk13; found" in problem(answer, 422, "This is not a name in that collection")
    assert len(site.asked) == asked


def test_what_there_is_not(online: Server) -> None:
    answer = online.client.post("/api/v1/downloads", json={"collection": "mine", "name": "x"})
    assert "There is no collection 'mine'" in problem(answer, 404, "No such collection")
    assert failure(online, "suitesparse", "HB/none")[0] == 404
    problem(online.client.get("/api/v1/downloads/none"), 404, "No such download")
    answer = online.client.post("/api/v1/downloads", json={"collection": "frostt", "name": "nell-9"})
    problem(answer, 422, "This is not a name in that collection")


def redirect(to: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@pytest.mark.parametrize(
    "to",
    [
        "http://169.254.169.254/latest/meta-data", "http://127.0.0.1:22/", "http://localhost/", "file:///etc/passwd",
        "//other.example/x", "http://user:secret@127.0.0.1/", "https://[::1]/",
    ],
)  # fmt: skip
def test_a_redirect_to_another_place_is_not_followed(online: Server, site: Site, to: str) -> None:
    site.answers["/MM/HB/away.tar.gz"] = redirect(to)
    status, detail = failure(online, "suitesparse", "HB/away")
    assert status == 502
    assert "It redirects to" in detail
    assert "secret" not in detail


def test_redirects_within_the_collection_are_followed_but_not_for_ever(online: Server, site: Site) -> None:
    site.files["/moved"] = packed("moved", MTX.replace(b"1.5", b"6.5"))
    site.answers["/MM/HB/moved.tar.gz"] = redirect("/moved")
    assert ended(online, "suitesparse", "HB/moved")["state"] == "done"
    site.answers["/MM/HB/loop.tar.gz"] = redirect("/MM/HB/loop.tar.gz")
    assert "redirects more than 5 times" in failure(online, "suitesparse", "HB/loop")[1]


def test_damaged_and_hostile_archives(online: Server, site: Site) -> None:
    whole = packed("bad", MTX * 500)
    site.files["/MM/HB/bad.tar.gz"] = whole[: len(whole) // 2]
    assert failure(online, "suitesparse", "HB/bad")[0] == 422
    site.files["/MM/HB/bad.tar.gz"] = packed("other", MTX)
    assert failure(online, "suitesparse", "HB/bad")[1] == "There is no bad/bad.mtx in the download."
    site.files["/MM/HB/bad.tar.gz"] = packed("bad", bytes(5 << 20))
    assert "unpacks to more than 4,194,304 bytes" in failure(online, "suitesparse", "HB/bad")[1]
    site.files["/MM/HB/bad.tar.gz"] = packed("bad", MTX + b"1 1\n")
    assert "Line 5" in failure(online, "suitesparse", "HB/bad")[1]
    link = io.BytesIO()
    with tarfile.open(fileobj=link, mode="w:gz") as archive:
        info = tarfile.TarInfo("bad/bad.mtx")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(info)
    site.files["/MM/HB/bad.tar.gz"] = link.getvalue()
    assert failure(online, "suitesparse", "HB/bad")[1] == "There is no bad/bad.mtx in the download."


def test_a_connection_that_breaks_off(online: Server, site: Site) -> None:
    def half(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b"x" * 10)
        handler.close_connection = True

    site.answers["/MM/HB/half.tar.gz"] = half
    assert "The connection was lost" in failure(online, "suitesparse", "HB/half")[1]


def test_progress_is_told_one_download_serves_two_and_can_be_cancelled(online: Server, site: Site) -> None:
    go_on = threading.Event()

    def slow(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b"x" * 400)
        go_on.wait(30)

    site.answers["/MM/HB/slow.tar.gz"] = slow
    first = start(online, "suitesparse", "HB/slow")
    assert start(online, "suitesparse", "HB/slow")["id"] == first["id"]
    deadline = time.monotonic() + 20
    while (view := online.client.get(f"/api/v1/downloads/{first['id']}").json())["received"] < 400:
        assert time.monotonic() < deadline, view
        time.sleep(0.02)
    assert (view["state"], view["received"], view["total"]) == ("receiving", 400, 1000)
    waiting = start(online, "suitesparse", "HB/next")
    assert waiting["state"] == "waiting"
    with httpx.Client(base_url=online.url, timeout=PATIENCE_SECONDS) as other:
        where = f"/api/v1/downloads/{first['id']}"
        assert "the browser that asked" in problem(other.delete(where), 403, "This download is not yours to cancel")
        shared = other.post("/api/v1/downloads", json={"collection": "suitesparse", "name": "HB/slow"})
        assert shared.json()["id"] == first["id"]
        assert other.delete(where).json()["state"] == other.get(where).json()["state"] == "cancelled"
        assert online.client.get(where).json()["state"] == "receiving"
    for one in (waiting, first):
        assert online.client.delete(f"/api/v1/downloads/{one['id']}").json()["state"] == "cancelled"
    go_on.set()
    assert list((online.data / "uploads" / "incoming").iterdir()) == []


def test_downloads_are_known_after_a_restart(online: Server) -> None:
    ended(online, "suitesparse", "HB/small")
    online.stop()
    online.start()
    assert start(online, "suitesparse", "HB/small")["state"] == "done"


async def test_a_download_ends_when_what_it_waits_for_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cancelled(*_: object) -> None:
        raise asyncio.CancelledError

    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'x.sqlite3'}")
    await database.migrate()
    settings = Settings(data_directory=tmp_path)
    monkeypatch.setattr(DatasetService, "add_from_collection", cancelled)
    downloads = DownloadService(settings, DatasetService(settings, database), read_collections())
    first = await downloads.start("suitesparse", "HB/west0067", ANN)
    while first["state"] != "cancelled":
        await asyncio.sleep(0.01)
    # It stands in nobody's way.
    assert (await downloads.start("suitesparse", "HB/west0067", ANN))["id"] != first["id"]
    await downloads.stop()
    await database.close()


@pytest.fixture
async def hanging(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DownloadService]:
    """Downloads from a source that never answers."""

    async def hang(*_: object) -> None:
        await asyncio.get_running_loop().create_future()

    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'x.sqlite3'}")
    await database.migrate()
    monkeypatch.setattr(DatasetService, "add_from_collection", hang)
    settings = Settings(data_directory=tmp_path)
    service = DownloadService(settings, DatasetService(settings, database), read_collections())
    yield service
    await service.stop()
    await database.close()


async def test_the_last_of_those_who_wait_ends_a_shared_download(hanging: DownloadService) -> None:
    """Anybody who asked for the same got its id, and ended it for everybody."""
    id = (await hanging.start("suitesparse", "HB/west0067", ANN))["id"]
    assert (await hanging.start("suitesparse", "HB/west0067", BEN))["id"] == id
    for stranger in ("eve", None):
        with pytest.raises(ProblemError, match="by the browser that asked for it") as refused:
            await hanging.cancel(id, Canceller(stranger))
        assert refused.value.status == 403
    assert (await hanging.cancel(id, Canceller(ANN)))["state"] == "cancelled"
    assert hanging.view(id, ANN)["state"] == "cancelled"
    for waiting in (BEN, None):
        assert hanging.view(id, waiting)["state"] == "receiving"
    # Whoever asks again waits again.
    assert (await hanging.start("suitesparse", "HB/west0067", ANN))["state"] == "receiving"
    await hanging.cancel(id, Canceller(BEN))
    assert hanging.view(id, ANN)["state"] == "receiving"
    assert (await hanging.cancel(id, Canceller(ANN)))["state"] == "cancelled"
    assert hanging.view(id, None)["state"] == "cancelled"


async def test_the_operator_ends_a_download_of_whomever(hanging: DownloadService) -> None:
    id = (await hanging.start("suitesparse", "HB/west0067", None))["id"]
    assert (await hanging.cancel(id, Canceller(None, is_operator=True)))["state"] == "cancelled"


async def test_a_source_that_is_too_slow_holds_nobody_up_for_ever(hanging: DownloadService) -> None:
    hanging._settings = Settings(download_seconds=0)
    first = await hanging.start("suitesparse", "HB/west0067", ANN)
    while first["state"] != "failed":
        await asyncio.sleep(0)
    assert first["problem"] is not None
    assert "It took longer than 0 s" in first["problem"]["detail"]
