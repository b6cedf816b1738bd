"""GET /oembed: what other programs ask in order to show a link inside their own pages (oembed.com, version 1.0)."""

from __future__ import annotations

from html import escape
from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import Query, Request

from heddle.library.sharing import PANES
from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.problem import missing_error
from heddle_server.schema.link import DecompositionLinkView, EmbedDescription, LinkView
from heddle_server.schema.problem import problems

router = part_of_api("links")

WIDTH, HEIGHT = 800, 480
LEAST = 120
"""Pixels; a smaller frame shows nothing."""
PATHS = ("s", "embed")
ORDER = rf"^(?:{'|'.join(PANES)})(?:,(?:{'|'.join(PANES)})){{0,{len(PANES) - 1}}}$"
LONGEST_TITLE = 120
HINT = "Links have an address such as /s/AbC123, and are made with the Share button or POST /api/v1/links."


@router.get("/oembed", response_model=EmbedDescription, responses=problems(404, 422))
async def describe_embed(
    request: Request,
    services: FromServices,
    url: Annotated[str, Query(description="The address of a link of this server.", max_length=2048)],
    format: Annotated[Literal["json"], Query(description="The only one that is written.")] = "json",
    maxwidth: Annotated[int, Query(ge=LEAST)] = WIDTH,
    maxheight: Annotated[int, Query(ge=LEAST)] = HEIGHT,
    panes: Annotated[
        str | None, Query(description=f"What the frame shows, separated by commas: {', '.join(PANES)}.", pattern=ORDER)
    ] = None,
) -> EmbedDescription:
    """The frame that shows what is behind a link, a plan or a decomposition, and its title.

    ``url`` is a whole address, or the path that a new link is answered with. A decomposition has no panes.
    """
    identity = identity_in(url, request.url.netloc)
    if identity is None:
        raise missing_error("link", url, HINT)
    link = await services.links.get(identity)
    base, title = str(request.base_url).rstrip("/"), title_of(link)
    width, height = min(maxwidth, WIDTH), min(maxheight, HEIGHT)
    query = "" if panes is None or "algorithm" in link["plan"] else f"?panes={panes}"
    address = f"{escape(base)}/embed/{link['id']}{query}"
    frame = (
        f'<iframe src="{address}" width="{width}" height="{height}" title="{escape(title)}" loading="lazy"></iframe>'
    )
    kind: Literal["rich"] = "rich"
    return {
        "version": "1.0",
        "type": kind,
        "provider_name": "Heddle",
        "provider_url": f"{base}/",
        "title": title,
        "html": frame,
        "width": width,
        "height": height,
    }


def identity_in(url: str, host: str) -> str | None:
    """The id of the link at that address of this ``host``, or at that path; None for any other address."""
    try:
        parts = urlsplit(url)
        place = parts.path.strip("/").split("/")
    except ValueError:
        return None
    here = (parts.scheme in ("http", "https") and parts.netloc == host) or (
        not parts.scheme and not parts.netloc and url.startswith("/")
    )
    known = here and len(place) == 2 and place[0] in PATHS
    return place[1] if known and place[1].isascii() and place[1].isalnum() and len(place[1]) <= 64 else None


def title_of(link: LinkView | DecompositionLinkView) -> str:
    """What is computed, in one line."""
    plan = link["plan"]
    if "algorithm" in plan:
        text = f"{plan['algorithm'].upper()}, rank {plan['parameters'].get('rank', '?')}"  # type: ignore[typeddict-item]
    else:
        text = " ".join(plan["expression"].split())
    return text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1]}…"
