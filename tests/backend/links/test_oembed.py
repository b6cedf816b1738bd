"""Links inside other people's pages: the frame and the title that other programs get for an address."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import pytest

from heddle_server.api.exchange.oembed import LONGEST_TITLE, identity_in, title_of
from tests.backend.http.test_problems import problem
from tests.backend.serving import Server, plan

ALGORITHM: dict[str, Any] = {
    "algorithm": "cp-als",
    "inputs": {"X": {"generator": "kruskal", "shape": [8, 9, 10], "rank": 2, "support": 4, "seed": 7}},
    "parameters": {"rank": 3},
}


@pytest.mark.parametrize(
    ("document", "title"), [(plan("embedded"), "y(i) = A(i,j) * x(j)"), (ALGORITHM, "CP-ALS, rank 3")]
)
def test_a_link_is_described_with_its_frame(server: Server, document: dict[str, Any], title: str) -> None:
    identity = server.client.post("/api/v1/links", json={"plan": document}).json()["id"]
    # As a program finds it: the page of the link names the address.
    named = re.fullmatch(
        r'<(.+)>; rel="alternate"; type="application/json\+oembed"',
        server.client.head(f"/s/{identity}").headers["link"],
    )
    assert named is not None
    assert unquote(named[1]).endswith(f"url={server.url}/s/{identity}")
    answer = server.client.get(named[1])
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["version"], found["type"], found["title"]) == ("1.0", "rich", title)
    assert f'<iframe src="{server.url}/embed/{identity}" width="800" height="480"' in found["html"]
    small = server.client.get(
        "/api/v1/oembed", params={"url": f"{server.url}/embed/{identity}", "maxwidth": 300, "maxheight": 200}
    ).json()
    assert (small["width"], small["height"]) == (300, 200)
    assert 'width="300" height="200"' in small["html"]


def test_a_frame_is_described_with_its_panes_and_for_the_path_of_a_link(server: Server) -> None:
    url = server.client.post("/api/v1/links", json={"plan": plan("panes")}).json()["url"]
    answer = server.client.get("/api/v1/oembed", params={"url": url, "panes": "code,iteration"})
    assert f'src="{server.url}{url.replace("/s/", "/embed/")}?panes=code,iteration"' in answer.json()["html"]
    asked = {"url": url, "panes": "code,graph"}
    assert problem(server.client.get("/api/v1/oembed", params=asked), 422, "The request is not valid")


def test_other_addresses_and_formats_are_refused(server: Server) -> None:
    for url in ("https://example.org/s/abc", f"{server.url}/s/nobody", f"{server.url}/", "no address"):
        assert problem(server.client.get("/api/v1/oembed", params={"url": url}), 404, "No such link")
    asked = {"url": f"{server.url}/s/abc", "format": "xml"}
    detail = problem(server.client.get("/api/v1/oembed", params=asked), 422, "The request is not valid")
    assert "json" in detail


def test_ids_are_those_of_this_host() -> None:
    assert identity_in("https://heddle/s/AbC1", "heddle") == "AbC1"
    assert identity_in("http://heddle/embed/AbC1?theme=dark", "heddle") == "AbC1"
    assert identity_in("/s/AbC1", "heddle") == "AbC1"
    for other in ("ftp://heddle/s/A", "http://heddle/s/A/b", "http://heddle/s/A-b", "//heddle/s/A", "http://[/s/A"):
        assert identity_in(other, "heddle") is None


def test_titles_are_one_line_and_not_too_long() -> None:
    link: Any = {"id": "a", "plan": {"expression": "y(i) =\n  " + " + ".join(["A(i)"] * 60)}}
    title = title_of(link)
    assert title.startswith("y(i) = A(i) + A(i)")
    assert len(title) == LONGEST_TITLE
