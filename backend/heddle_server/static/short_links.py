"""Short links of a server in a folder: read from a file, with their stored results, and opened at the same paths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from heddle.diagnostics import CompileError
from heddle_server.figures.registry import figure
from heddle_server.imports.short_link import fetch_link
from heddle_server.services.runs.documents import is_algorithm, parse_document
from heddle_server.static.stored_answers import StoredAnswer, write_json

EXPECTED = (
    "expected the addresses of links, such as https://host/s/3fJk2LmQ0aBc, one per line, or a JSON list of what "
    "/api/v1/links/ID answers"
)
PAGE = """<!doctype html>
<meta charset="utf-8" />
<title>Heddle</title>
<script src="../../short-link.js"></script>
"""
"""What stands at the path of a link: the page of the folder is opened with it, by the script beside it."""

Link = Mapping[str, Any]
"""A LinkView or DecompositionLinkView."""


class LinksError(Exception):
    """The file cannot be read; the text is for a person."""


def read_links(file: Path) -> list[Link]:
    """The links that ``file`` lists; those of which it has the address alone are asked for. Raises LinksError."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise LinksError(f"--links is {file}: {reason}; {EXPECTED}.") from None
    if text.lstrip().startswith(("[", "{")):
        listed = _parse_json(text, str(file))
        documents = [(str(file), link) for link in (listed if isinstance(listed, list) else [listed])]
    else:
        lines = (line.strip() for line in text.splitlines())
        addresses = [line for line in lines if line and not line.startswith("#")]
        documents = [(address, _parse_json(_ask(address), address)) for address in addresses]
    if not documents:
        raise LinksError(f"{file} names no links; {EXPECTED}.")
    return [_check(source, link) for source, link in documents]


def _parse_json(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LinksError(f"{source} is not JSON: {error}; {EXPECTED}.") from None


def _ask(address: str) -> str:
    try:
        return fetch_link(address)
    except (ValueError, httpx.HTTPError) as error:
        raise LinksError(f"The link {address!r} cannot be read: {error}.") from None


def _check(source: str, link: object) -> Link:
    """The link, where the page can open it."""
    identity = link.get("id") if isinstance(link, dict) else None
    if not isinstance(link, dict) or not isinstance(identity, str) or not re.fullmatch(r"[0-9A-Za-z]{1,64}", identity):
        raise LinksError(f"{source} holds something that is not a link: {json.dumps(link)[:60]}; {EXPECTED}.")
    try:
        parse_document(link.get("plan"))
    except CompileError as error:
        raise LinksError(f"The plan of link {identity} cannot be read: {error.diagnostics[0].message}") from None
    run = link.get("run")
    if run is not None and not (isinstance(run, dict) and isinstance(run.get("id"), str)):
        raise LinksError(f"The stored result of link {identity} is no run; expected what a server answers, or null.")
    return {**link, "run": run}


def link_answers(links: Sequence[Link]) -> Iterator[StoredAnswer]:
    """What the page asks of a link: its plan and run, and the figures of that. Raises LinksError."""
    for link in links:
        yield StoredAnswer("GET", f"/links/{link['id']}", None, write_json(link))
    runs = {link["run"]["id"]: link["run"] for link in links if link["run"] is not None}
    for identity, run in runs.items():
        yield StoredAnswer("GET", f"/runs/{identity}", None, write_json(run))
        if is_algorithm(run.get("plan")) or run.get("result") is None:
            continue
        for name in run.get("figures", ()):
            try:
                drawn = figure(name, run["result"])
            except (KeyError, TypeError) as error:
                raise LinksError(f"Figure {name!r} of run {identity} cannot be drawn: {error!r}.") from None
            yield StoredAnswer("GET", f"/runs/{identity}/figures/{name}", None, write_json(drawn))


def write_link_pages(folder: Path, links: Sequence[Link]) -> None:
    """A document at ``s/ID`` and at ``embed/ID``, where a server has them."""
    for link in links:
        for kind in ("s", "embed"):
            place = folder / kind / link["id"]
            place.mkdir(parents=True, exist_ok=True)
            (place / "index.html").write_text(PAGE, encoding="utf-8")
