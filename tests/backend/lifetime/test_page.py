"""The page and its files: routes, caching, the enforced policy, and a clear word when it is not built."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from heddle_server.main import create_app
from heddle_server.settings import Settings


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """The application without its services: the page needs none."""
    folders = {"frontend_directory": tmp_path / "dist", "documents_directory": tmp_path / "documents"}
    app = create_app(Settings(data_directory=tmp_path / "data", **folders))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://heddle") as client:
        yield client


@pytest.fixture
def built(tmp_path: Path) -> Path:
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><title>the page</title>")
    (dist / "heddle.svg").write_text("<svg/>")
    (dist / "assets" / "index-abc123.js").write_text("export {};" * 400)
    (tmp_path / "secret.txt").write_text("secret")
    (dist / "assets" / "link.txt").symlink_to(tmp_path / "secret.txt")
    return dist


@pytest.mark.parametrize("path", ["/", "/s/abcABC123", "/s/..%2f..%2fsecret.txt"])
async def test_the_page_is_served_for_its_routes(client: httpx.AsyncClient, built: Path, path: str) -> None:
    answer = await client.get(path)
    if "%2f" in path:
        assert answer.status_code == 404
        return
    assert answer.status_code == 200
    assert "the page" in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


async def test_hashed_files_are_kept_by_browsers(client: httpx.AsyncClient, built: Path) -> None:
    answer = await client.get("/assets/index-abc123.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "gzip"
    icon = await client.get("/heddle.svg")
    assert icon.headers["cache-control"] == "no-cache"


async def test_a_file_that_the_build_has_packed_is_sent_so_to_whoever_takes_it(
    client: httpx.AsyncClient, built: Path
) -> None:
    (built / "assets" / "index-abc123.js.br").write_bytes(b"packed")

    async def ask(accepted: str) -> tuple[str | None, bytes]:
        async with client.stream("GET", "/assets/index-abc123.js", headers={"Accept-Encoding": accepted}) as answer:
            assert answer.headers["content-type"].startswith("text/javascript")
            assert "accept-encoding" in answer.headers["vary"].lower()
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            return answer.headers.get("content-encoding"), b"".join([part async for part in answer.aiter_raw()])

    for accepted in ("gzip, deflate, br, zstd", "br;q=0.5", "BR"):
        assert await ask(accepted) == ("br", b"packed")
    assert (await ask("gzip, br;q=0"))[0] == "gzip"
    assert await ask("identity") == (None, (built / "assets" / "index-abc123.js").read_bytes())


async def test_an_unchanged_page_is_not_sent_again(client: httpx.AsyncClient, built: Path) -> None:
    tag = (await client.get("/")).headers["etag"]
    again = await client.get("/", headers={"If-None-Match": f'"other", W/{tag}'})
    assert again.status_code == 304
    assert again.content == b""
    (built / "index.html").write_text("<!doctype html><title>a new page</title>")
    assert "a new page" in (await client.get("/", headers={"If-None-Match": tag})).text


async def test_files_of_a_build_stay_for_a_day_after_the_next_one(
    client: httpx.AsyncClient, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tab that was opened before an upgrade loads the rest of its page, also over a restart."""

    async def upgrade(name: str, hours: float) -> None:
        monkeypatch.setattr(time, "time", lambda: START + 3600 * hours)
        for file in (built / "assets").iterdir():
            file.unlink()
        (built / "assets" / f"index-{name}.js").write_text(f"export const build = '{name}';")
        (built / "index.html").write_text(f"<!doctype html><title>{name}</title>")
        os.utime(built / "index.html", (hours, hours))

    monkeypatch.setattr(time, "time", lambda: START)
    await client.get("/")
    await upgrade("second", hours=100)
    early = await client.get("/assets/index-abc123.js")
    assert early.status_code == 200
    assert early.headers["cache-control"] == "public, max-age=31536000, immutable"
    restarted = create_app(Settings(data_directory=tmp_path / "data", frontend_directory=built))
    transport = httpx.ASGITransport(restarted, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://heddle") as after:
        await after.get("/")
        await upgrade("third", hours=123)
        await after.get("/")
        assert (await after.get("/assets/index-abc123.js")).status_code == 200
        assert "second" in (await after.get("/assets/index-second.js")).text
        await upgrade("fourth", hours=125)
        await after.get("/")
        assert (await after.get("/assets/index-abc123.js")).status_code == 404
        assert (await after.get("/assets/index-second.js")).status_code == 200
        assert "fourth" in (await after.get("/assets/index-fourth.js")).text
        assert (await after.get("/assets/.current.json")).status_code == 404


async def test_the_page_comes_although_its_files_cannot_be_kept(
    client: httpx.AsyncClient, built: Path, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "page-assets").write_text("in the way")
    assert (await client.get("/")).status_code == 200
    assert (await client.get("/assets/index-abc123.js")).status_code == 200


START = 1_700_000_000.0


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/assets/link.txt", "/assets", "/.%00"],
)
async def test_nothing_outside_the_build_is_served(client: httpx.AsyncClient, built: Path, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text.replace("secret.txt", "")


async def test_a_missing_build_is_said_clearly(client: httpx.AsyncClient) -> None:
    answer = await client.get("/")
    assert answer.status_code == 503
    assert "The page is not built yet" in answer.text
    assert "npm run build" in answer.text
    assert (await client.get("/assets/x.js")).status_code == 404


async def test_the_policy_forbids_foreign_and_inline_scripts(client: httpx.AsyncClient, built: Path) -> None:
    headers = (await client.get("/")).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["worker-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


async def test_only_the_embedded_page_may_stand_in_a_frame(client: httpx.AsyncClient, built: Path) -> None:
    embedded = (await client.get("/embed/abc?panes=code")).headers
    assert "frame-ancestors *;" in embedded["content-security-policy"]
    assert "script-src 'self';" in embedded["content-security-policy"]
    assert "x-frame-options" not in embedded
    assert "set-cookie" not in embedded
    for path in ("/", "/s/abc", "/assets/embed", "/embed"):
        headers = (await client.get(path)).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"


async def test_a_defect_is_a_problem_document_with_the_headers(client: httpx.AsyncClient) -> None:
    # The services are not there: what a defect of the service looks like from outside.
    answer = await client.get("/api/v1/commands")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json()["title"] == "Internal error"
    assert "please report it" in answer.json()["detail"]


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nonsense", "/s", "/nope/<script>alert(1)</script>"])
async def test_a_browser_gets_a_page_where_nothing_is(client: httpx.AsyncClient, built: Path, path: str) -> None:
    answer = await client.get(path, headers=BROWSER)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "There is no page at this address" in answer.text
    assert '<a href="/">Open Heddle</a>' in answer.text
    assert "<script" not in answer.text


@pytest.mark.parametrize(("path", "headers"), [("/api/v1/nonsense", BROWSER), ("/nonsense", {"Accept": "*/*"})])
async def test_a_program_gets_a_problem_document(
    client: httpx.AsyncClient, built: Path, path: str, headers: dict[str, str]
) -> None:
    answer = await client.get(path, headers=headers)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


async def test_the_documents_are_served_with_their_search(client: httpx.AsyncClient, tmp_path: Path) -> None:
    answer = await client.get("/docs/")
    assert answer.status_code == 503
    assert "<code>./heddle docs</code> builds them" in answer.text
    (tmp_path / "documents" / "learn").mkdir(parents=True)
    (tmp_path / "documents" / "index.html").write_text("<title>Heddle</title>")
    (tmp_path / "documents" / "learn" / "first.html").write_text("<title>First</title>")
    (tmp_path / "documents" / "learn" / "out").symlink_to(tmp_path)
    (tmp_path / "secret.txt").write_text("secret")
    answer = await client.get("/docs")
    assert (answer.status_code, answer.headers["location"]) == (308, "/docs/")
    answer = await client.get("/docs/")
    assert (answer.status_code, answer.text) == (200, "<title>Heddle</title>")
    assert "form-action 'self'" in answer.headers["content-security-policy"]
    assert (await client.get("/docs/learn/first.html")).text == "<title>First</title>"
    for path in ("learn", "learn/none.html", "learn/out/secret.txt", "learn/..%2f..%2fsecret.txt", "learn/"):
        assert (await client.get(f"/docs/{path}")).status_code == 404
