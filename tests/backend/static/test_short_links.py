"""Short links that a folder bundles: what is read, what is answered for them, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from heddle_server.static import short_links
from heddle_server.static.build import write_answers
from heddle_server.static.short_links import LinksError, link_answers, read_links, write_link_pages
from tests.backend.figures.test_figures import entry

RESULT: dict[str, Any] = {
    "entries": [entry("heddle", "Heddle", 20_000), entry("scipy", "SciPy", 60_000)],
    "threads": 2,
    "machine": {"cpu": "Test CPU", "cores": 4, "compiler": "gcc", "scipy": "1", "load": 0.5}
    | {"mkl": {"version": "1", "threading": "none", "dispatch": "AVX2"}, "stream_triad_gbps": {"2": 30.0}},
    "protocol": {"rounds": 1000},
    "date": "2026-11-21T10:00:00+00:00",
}
PLAN = {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
RUN = {"id": "r-1", "plan": PLAN, "figures": ["speedup", "samples"], "result": RESULT}
LINK = {"id": "Ab12", "plan": PLAN, "created": "2026-11-21T10:00:00Z", "run": RUN}


def test_a_link_is_answered_with_its_run_and_the_figures_of_that(tmp_path: Path) -> None:
    file = tmp_path / "links.json"
    file.write_text(json.dumps([LINK, {**LINK, "id": "Cd", "run": None}]))
    links = read_links(file)
    answers = {answer.path: json.loads(answer.text) for answer in link_answers(links)}
    assert list(answers) == [
        "/links/Ab12",
        "/links/Cd",
        "/runs/r-1",
        "/runs/r-1/figures/speedup",
        "/runs/r-1/figures/samples",
    ]
    assert answers["/links/Ab12"] == LINK
    assert "Test CPU" in json.dumps(answers["/runs/r-1/figures/speedup"])
    write_answers(tmp_path / "answers", link_answers(links))
    assert (tmp_path / "answers" / "get-runs-r-1-figures-samples.json").is_file()


def test_every_link_has_a_document_where_a_server_has_it(tmp_path: Path) -> None:
    write_link_pages(tmp_path, [LINK])
    pages = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html"))
    assert pages == ["embed/Ab12/index.html", "s/Ab12/index.html"]
    assert '<script src="../../short-link.js"></script>' in (tmp_path / "s/Ab12/index.html").read_text()


def test_addresses_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(short_links, "fetch_link", lambda address: asked.append(address) or json.dumps(LINK))
    file = tmp_path / "links.txt"
    file.write_text("# of the course\nhttps://host/s/Ab12\n\nhttps://host/embed/Cd\n")
    assert [link["id"] for link in read_links(file)] == ["Ab12", "Ab12"]
    assert asked == ["https://host/s/Ab12", "https://host/embed/Cd"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "names no links; expected the addresses of links, such as https://host/s/3fJk2LmQ0aBc, one per line"),
        ("[1]", "holds something that is not a link: 1; expected the addresses"),
        ("[{", "is not JSON: "),
        ('{"id": "../x", "plan": {}}', 'not a link: {"id": "../x", "plan": {}}'),
        ('{"id": "Ab", "plan": {"expression": 3}}', "The plan of link Ab cannot be read: "),
        (json.dumps({**LINK, "run": 3}), "The stored result of link Ab12 is no run; expected what a server answers"),
        ("https://host/x/Ab", "The link 'https://host/x/Ab' cannot be read: expected the address of a link, such as"),
    ],
)
def test_what_is_no_file_of_links(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "links"
    file.write_text(text)
    with pytest.raises(LinksError) as raised:
        read_links(file)
    assert words in str(raised.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LinksError, match=r"--links is .*none: No such file or directory; expected the addresses"):
        read_links(tmp_path / "none")


def test_a_server_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise httpx.ConnectError("no route to host")

    monkeypatch.setattr(httpx, "get", refuse)
    file = tmp_path / "links"
    file.write_text("https://host/s/Ab12")
    with pytest.raises(LinksError, match=r"The link 'https://host/s/Ab12' cannot be read: no route to host\."):
        read_links(file)


def test_a_figure_that_cannot_be_drawn() -> None:
    broken = {**LINK, "run": {**RUN, "figures": ["no such"]}}
    with pytest.raises(LinksError, match=r"Figure 'no such' of run r-1 cannot be drawn"):
        list(link_answers([broken]))
