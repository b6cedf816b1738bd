"""Quotas, the access token, request ids, logs and metrics, around an application that only echoes."""

from __future__ import annotations

import json
import logging
import time

import httpx
import pytest
from fastapi import FastAPI

from heddle_server.http.access import Access, Gate
from heddle_server.http.buckets import Buckets
from heddle_server.http.metrics import BUCKETS, Metrics
from heddle_server.http.quotas import QUOTAS, Quotas
from heddle_server.http.request_log import JsonLines, RequestLog, request_id
from heddle_server.http.security import SecurityHeaders
from heddle_server.http.visitor import COOKIE, Identities
from heddle_server.http.visitor_layer import Visitors


def echo() -> FastAPI:
    app = FastAPI()

    @app.post("/api/v1/runs")
    @app.put("/api/v1/datasets")
    @app.post("/api/v1/compile")
    async def work() -> str:
        return "worked"

    @app.get("/api/v1/runs/{id}")
    async def read(id: str) -> str:
        return request_id.get() or "none"

    return app


IDENTITIES = Identities()


def guarded(factor: float) -> Visitors:
    return Visitors(Quotas(echo(), factor, clock=lambda: 0.0), IDENTITIES)


def mine(number: int = 0) -> dict[str, str]:
    """A browser's cookie."""
    cookie = IDENTITIES.cookie(f"{IDENTITIES.place('192.0.2.7')}-{int(time.time()):08x}-{number:016}")
    return {"cookie": f"{COOKIE}={cookie}"}


def client(app: object, address: str = "192.0.2.7", **more: object) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=app, client=(address, 1))  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=transport, base_url="http://test", **more)  # type: ignore[arg-type]


def test_a_bucket_lets_a_burst_pass_and_then_the_rate() -> None:
    time = [0.0]
    buckets = Buckets(clock=lambda: time[0])
    taken = [buckets.wait(("runs", "a"), 60) for _ in range(31)]
    assert taken == [0.0] * 30 + [1.0]
    assert buckets.wait(("runs", "b"), 60) == 0.0
    time[0] = 2.0
    assert [buckets.wait(("runs", "a"), 60) for _ in range(3)] == [0.0, 0.0, 1.0]


async def test_a_browser_that_floods_is_refused_and_its_neighbours_are_not() -> None:
    async with client(guarded(1 / 10)) as browser:
        answers = [await browser.post("/api/v1/runs", headers=mine()) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        refused = answers[3]
        assert refused.json()["detail"] == "Your browser may make 6 runs per minute. Try again in 10 s."
        assert refused.headers["retry-after"] == "10"
        assert refused.headers["content-type"] == "application/problem+json"
        other = await browser.post("/api/v1/runs", headers=mine(1))
        assert other.status_code == 200
        assert (await browser.get("/api/v1/runs/x", headers=mine())).status_code == 200


@pytest.mark.parametrize("cookie", ["", "a" * 24, "forged"])
async def test_all_without_an_id_of_ours_count_as_one(cookie: str) -> None:
    """Neither leaving the cookie out nor making one up gets more than keeping it."""
    forged = mine()["cookie"][:-4] + "AAAA"
    async with client(guarded(1 / 10), cookies=None) as flood:
        answers = []
        for _ in range(5):
            flood.cookies.clear()
            sent = {"cookie": forged if cookie == "forged" else f"{COOKIE}={cookie}"}
            answers.append(await flood.post("/api/v1/runs", headers=sent))
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]


async def test_an_address_and_a_network_have_ceilings_whatever_ids_they_have() -> None:
    app = guarded(1 / 100)
    async with client(app) as flood:
        answers = [await flood.post("/api/v1/runs", headers=mine(number)) for number in range(8)]
    assert [answer.status_code for answer in answers].count(200) == 6
    assert "Your address may make 12 runs per minute" in answers[-1].json()["detail"]
    took = 6
    for last in range(20, 30):
        async with client(app, f"192.0.2.{last}") as neighbour:
            answer = await neighbour.post("/api/v1/runs", headers=mine(last))
            took += answer.status_code == 200
            assert (await neighbour.post("/api/v1/runs", headers=mine(100 + last))).status_code in (200, 429)
    assert "Your network may make 36 runs per minute" in answer.json()["detail"]
    async with client(app, "198.51.100.7") as far:
        assert (await far.post("/api/v1/runs", headers=mine(200))).status_code == 200


async def test_no_quotas_where_they_are_turned_off() -> None:
    async with client(guarded(0)) as flood:
        for _ in range(100):
            assert (await flood.put("/api/v1/datasets")).status_code == 200


def test_a_class_of_a_hundred_fits_behind_one_address() -> None:
    """100 run clicks in 10 s, 100 links in 60 s, 10 edits a second and 100 compiles in 5 s (the design load)."""
    for name, burst in (("runs", 100), ("links", 100), ("requests", 100 + 10 * 5)):
        quota = next(quota for quota in QUOTAS if quota.name == name)
        assert quota.of_address / 2 >= burst
    assert next(quota for quota in QUOTAS if quota.name == "requests").of_address / 60 >= 10


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", "Basic secret", "Bearer sécret"])
async def test_writing_needs_a_code_and_reading_does_not(header: str) -> None:
    access = Access(IDENTITIES, {"token": "secret", "spring": "warp and weft"})
    async with client(Gate(echo(), access)) as person:
        answer = await person.post("/api/v1/runs", headers=[(b"authorization", header.encode())])
        assert answer.status_code == 401
        assert answer.json()["detail"].startswith("Runs, uploads and links need a code on this server.")
        assert answer.headers["www-authenticate"] == 'Bearer realm="heddle"'
        assert (await person.get("/api/v1/runs/x")).status_code == 200
        assert (await person.post("/api/v1/compile")).status_code == 200
        for code in ("bearer secret", "Bearer warp and weft"):
            assert (await person.post("/api/v1/runs", headers={"authorization": code})).status_code == 200


async def test_a_code_s_cookie_stands_for_it_until_the_code_changes() -> None:
    codes = {"spring": "warp and weft"}
    access = Access(IDENTITIES, codes)
    cookie = access.cookie("spring")
    name, until, seal = cookie.split(".")
    async with client(Gate(echo(), access)) as person:

        async def status(value: str) -> int:
            return (await person.post("/api/v1/runs", headers={"cookie": f"heddle_access={value}"})).status_code

        assert await status(cookie) == 200
        for other in (
            "",
            f"{name}.{int(until) + 1}.{seal}",
            f"summer.{until}.{seal}",
            f"{name}.{until}.x",
            f"{cookie}.x",
        ):
            assert await status(other) == 401
        past = int(time.time()) - 1
        assert await status(f"{name}.{past}.{access.signature(name, past)}") == 401
        codes["spring"] = "another code"
        assert await status(cookie) == 401


@pytest.mark.parametrize(("operator", "statuses"), [(None, [401, 401, 401]), ("op", [401, 401, 200])])
async def test_what_is_closed_answers_to_its_operator_alone(operator: str | None, statuses: list[int]) -> None:
    app = echo()
    app.add_api_route("/metrics", lambda: "metrics")
    access = Access(IDENTITIES, {"token": "secret"}, operator, ("metrics",))
    async with client(Gate(app, access)) as person:
        headers: list[dict[str, str]] = [{}, {"authorization": "Bearer secret"}, {"authorization": "Bearer op"}]
        assert [(await person.get("/metrics", headers=each)).status_code for each in headers] == statuses
        assert (await person.get("/api/v1/runs/x")).status_code == 200
        # The operator, whom no class gave a code, cancels what hangs.
        assert (await person.post("/api/v1/runs", headers=headers[2])).status_code == statuses[2]
    assert not Access(IDENTITIES, {}).is_closed("/metrics")
    assert Access(IDENTITIES, {}, None, ("machines",)).is_closed("/api/v1/machines")


CHANGES = ("/api/v1/runs/x/stop", "/api/v1/runs", "/api/v1/nowhere")
WITHOUT_PREFLIGHT = (
    None, "", "text/plain", "text/plain; x=application/json", "application/x-www-form-urlencoded",
    "multipart/form-data", "text/ping", "application/csp-report", "text/plain, application/json",
)  # fmt: skip


@pytest.mark.parametrize("content_type", WITHOUT_PREFLIGHT)
async def test_what_pages_of_other_sites_can_send_changes_nothing(content_type: str | None) -> None:
    headers = {} if content_type is None else {"content-type": content_type}
    async with client(SecurityHeaders(echo())) as page:
        for path in CHANGES:
            answer = await page.post(path, headers=headers)
            assert answer.status_code == 415
            assert f"found {content_type or 'none'}." in answer.json()["detail"]


async def test_our_own_page_and_scripts_change_what_they_like() -> None:
    async with client(SecurityHeaders(echo())) as page:
        for content_type in ("application/json", "Application/JSON; charset=utf-8"):
            assert (await page.post("/api/v1/runs", headers={"content-type": content_type})).status_code == 200
        assert (await page.put("/api/v1/datasets")).status_code == 200
        # Whoever types the address comes from nowhere.
        for site in ("same-origin", "none"):
            assert (await page.put("/api/v1/datasets", headers={"sec-fetch-site": site})).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_what_a_browser_says_comes_from_elsewhere_is_refused(site: str) -> None:
    headers = {"sec-fetch-site": site, "content-type": "application/json"}
    async with client(SecurityHeaders(echo())) as page:
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert (await page.request(method, "/api/v1/runs/x", headers=headers)).status_code == 403
        assert (await page.get("/api/v1/runs/x", headers=headers)).status_code == 200


@pytest.mark.parametrize("origin", ["null", "NULL", " null "])
async def test_a_page_without_an_address_changes_nothing(origin: str) -> None:
    """A sandboxed frame, a file, data: where browsers tell no site, because the server is reached without TLS."""
    headers = {"origin": origin, "content-type": "application/json"}
    async with client(SecurityHeaders(echo())) as page:
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = await page.request(method, "/api/v1/runs/x", headers=headers)
            assert (answer.status_code, answer.json()["type"].rpartition(":")[2]) == (403, "cross-site")
        twice = [("origin", "http://test"), *headers.items()]
        assert (await page.post("/api/v1/runs", headers=twice)).status_code == 403
        assert (await page.get("/api/v1/runs/x", headers=headers)).status_code == 200
        # Our own, which sends no referrer: a ping of it has no origin either.
        ours = [{"origin": "http://test"}, {"sec-fetch-site": "same-origin"}]
        for own in ours:
            assert (await page.post("/api/v1/runs", headers={**headers, **own})).status_code == 200


async def test_requests_have_ids_and_are_counted_by_the_template_of_their_route() -> None:
    metrics = Metrics()
    async with client(RequestLog(echo(), metrics)) as person:
        first = await person.get("/api/v1/runs/one")
        assert first.json() == first.headers["x-request-id"]
        assert (await person.get("/api/v1/runs/two", headers={"x-request-id": "mine-1"})).json() == "mine-1"
        strange = await person.get("/api/v1/runs/three", headers={"x-request-id": 'a"} 1\x0b'})
        assert strange.headers["x-request-id"] not in ('a"} 1\x0b', "mine-1")
        await person.get("/nowhere/<script>")
    text = "\n".join(metrics.lines())
    assert 'heddle_requests_total{method="GET",route="/api/v1/runs/{id}",status="200"} 3' in text
    assert 'heddle_requests_total{method="GET",route="none",status="404"} 1' in text
    assert 'heddle_request_seconds_bucket{method="GET",route="/api/v1/runs/{id}",le="+Inf"} 3' in text
    assert "script" not in text


def test_times_fall_into_buckets_that_add_up() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.02, 0.02, 99.0):
        metrics.observe("BREW", "/", 200, seconds)
    lines = [line for line in metrics.lines() if "_bucket" in line]
    assert len(lines) == len(BUCKETS) + 1
    assert [int(line.split()[-1]) for line in lines] == [1, 1, 3] + [3] * (len(BUCKETS) - 3) + [4]
    assert all('method="other"' in line for line in lines)


async def test_a_request_is_one_json_line_without_what_the_person_sent(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="heddle.access")
    async with client(RequestLog(echo(), Metrics())) as person:
        await person.get("/api/v1/runs/private?secret=1")
    line = json.loads(JsonLines().format(caplog.records[-1]))
    assert line["route"] == "/api/v1/runs/{id}"
    assert line["status"] == 200
    assert "private" not in json.dumps(line)
    assert "secret" not in json.dumps(line)
