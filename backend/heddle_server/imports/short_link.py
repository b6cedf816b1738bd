"""What is behind a short link of a server, as its API answers."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx

SECONDS = 20.0


def fetch_link(address: str) -> str:
    """The JSON of the link at ``…/s/ID`` or ``…/embed/ID``. Raises ValueError and httpx.HTTPError, whose texts a person
    can read."""
    parts = urlsplit(address)
    *_, page, identity = ["", "", *parts.path.split("/")]
    if page not in ("s", "embed") or not identity.isalnum() or not identity.isascii():
        raise ValueError("expected the address of a link, such as https://host/s/3fJk2LmQ0aBc")
    answer = httpx.get(f"{parts.scheme}://{parts.netloc}/api/v1/links/{identity}", timeout=SECONDS)
    answer.raise_for_status()
    return answer.text
