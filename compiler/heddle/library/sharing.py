"""``hd.share`` and ``hd.embed_html``: a plan behind an address of an explorer, and a frame that shows it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from heddle.diagnostics import Diagnostic, OperandError, nearest
from heddle.plan import Plan, parse_plan, plan_from_arguments, to_document
from heddle.wrong_arguments import require_text, wrong_argument

__all__ = ["embed_html", "share"]

SERVER = "http://127.0.0.1:8000"
"""Where ``heddle serve`` listens."""

PANES = ("schedule", "iteration", "provenance", "code", "result")
"""What a frame can show, in the order of the page."""

_SECONDS = 15.0
_MOST_ANSWER = 1 << 20


def share(
    plan: object, /, *, server: str | None = None, folder: str | None = None, access_code: str | None = None
) -> str:
    """The address at which an explorer shows the plan: ``hd.share(plan, server="https://heddle.example")``.

    Parameters
    ----------
    plan
        a plan, its JSON document, an expression, a kernel, or what :func:`benchmark` or :func:`suggest` returned.
    server
        of the explorer; by default that of ``heddle serve`` on this machine. It keeps the plan, and the same plan has
        the same short address.
    folder
        the address of a folder that ``heddle static`` wrote, in place of a server: the address holds the whole plan,
        and nothing is sent.
    access_code
        what the server asks of people who leave something there.

    Returns
    -------
    str
        The address, to be opened or sent.

    Raises
    ------
    CompileError
        for anything that is not a plan; ``share/unreachable`` where no server answers, ``share/refused`` with its
        reason where it does not take the plan, ``share/answer`` where something else than an explorer answers.
    """
    document = _document(plan)
    if folder is not None:
        if server is not None:
            raise wrong_argument("the folder", "None where a server is named", folder)
        return f"{_base(folder, 'the folder')}/#j1.{quote(json.dumps(document, ensure_ascii=False))}"
    base = _base(SERVER if server is None else server, "the server")
    answer = _post(f"{base}/api/v1/links", {"plan": document}, access_code)
    url = answer.get("url")
    if not isinstance(url, str) or not url.startswith("/s/"):
        raise _no_explorer(base)
    return base + url


def embed_html(
    plan: object,
    /,
    *,
    panes: Sequence[str] = ("iteration", "code"),
    server: str | None = None,
    folder: str | None = None,
    access_code: str | None = None,
    edit: bool = False,
    theme: str | None = None,
    height: int = 480,
) -> str:
    """The element that shows the plan inside another page: ``hd.embed_html(plan, panes=["iteration", "code"])``.

    Parameters
    ----------
    plan, server, folder, access_code
        as for :func:`share`.
    panes
        any of ``schedule``, ``iteration``, ``provenance``, ``code``, ``result``, in this order.
    edit
        whether a reader may change the plan and run it inside the frame.
    theme
        ``light`` or ``dark``; None is that of the reader's system.
    height
        of the frame in pixels.

    Returns
    -------
    str
        An ``<iframe>`` without scripts; in a notebook ``IPython.display.HTML(…)`` shows it.

    Raises
    ------
    CompileError
        as :func:`share`; ``share/pane`` for an unknown pane.
    """
    shown = _panes(panes)
    if theme not in (None, "light", "dark"):
        raise wrong_argument("the theme", '"light", "dark" or None', theme)
    if isinstance(height, bool) or not isinstance(height, int) or not 120 <= height <= 10_000:
        raise wrong_argument("the height", "a number of pixels from 120 to 10,000", height)
    address = share(plan, server=server, folder=folder, access_code=access_code)
    options = {"panes": ",".join(shown), "edit": "1" if edit else "", "theme": theme or ""}
    query = urlencode({name: value for name, value in options.items() if value}, safe=",")
    if folder is None:
        before, _, identity = address.rpartition("/s/")
        source = f"{before}/embed/{identity}?{query}"
    else:
        before, _, fragment = address.partition("/#")
        source = f"{before}/embed.html?{query}#{fragment}"
    title = escape(" ".join(_document(plan)["expression"].split())[:120], quote=True)
    frame = f'<iframe src="{escape(source)}" width="100%" height="{height}" title="Heddle: {title}"'
    return f'{frame} loading="lazy"></iframe>'


def _panes(panes: object) -> tuple[str, ...]:
    if isinstance(panes, str) or not isinstance(panes, Sequence) or not panes:
        raise wrong_argument("panes", f"a list of {', '.join(PANES)}", panes)
    for pane in panes:
        if pane not in PANES:
            raise OperandError(
                Diagnostic(
                    "share/pane",
                    f"There is no pane {pane}; the panes are {', '.join(PANES)}.",
                    expected=", ".join(PANES),
                    actual=str(pane),
                    candidates=nearest(str(pane), PANES),
                )
            )
    return tuple(dict.fromkeys(panes))


def _document(plan: object) -> dict[str, Any]:
    """The plan as JSON has it."""
    inner = getattr(getattr(plan, "result", plan), "plan", None)
    match plan:
        case str():
            return to_document(plan_from_arguments(plan))
        case Plan():
            return to_document(plan)
        case Mapping():
            return to_document(parse_plan(plan))
        case _ if isinstance(inner, Plan):
            return to_document(inner)
        case _:
            raise wrong_argument("the plan", "a plan, its document, an expression or a kernel", plan)


def _base(address: object, argument: str) -> str:
    text = require_text(address, argument).rstrip("/")
    try:
        parts = urlsplit(text)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        known = False
    if not known or parts.query or parts.fragment or not text.isascii() or any(letter.isspace() for letter in text):
        raise OperandError(
            Diagnostic(
                "share/address",
                f"{argument} is not the address of an explorer: {text[:200]!r}.",
                expected=f"an address such as {SERVER}",
                actual=text[:200],
            )
        )
    return text


class _NoRedirects(HTTPRedirectHandler):
    """A plan goes to the server that was named, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _post(url: str, body: Mapping[str, Any], access_code: str | None) -> dict[str, Any]:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if access_code is not None:
        headers["Authorization"] = f"Bearer {require_text(access_code, 'the access code')}"
    request = Request(url, json.dumps(body).encode(), headers, method="POST")
    try:
        with build_opener(_NoRedirects).open(request, timeout=_SECONDS) as answer:
            text = answer.read(_MOST_ANSWER)
    except HTTPError as error:
        with error:
            raise _refused(url, error.code, error.read(_MOST_ANSWER)) from None
    except (URLError, OSError, ValueError) as error:
        cause = getattr(error, "reason", error)
        reason = getattr(cause, "strerror", None) or cause
        raise OperandError(
            Diagnostic(
                "share/unreachable",
                f"No explorer answers at {url}: {reason}.",
                expected="a server that runs",
                actual=str(reason),
                hint="Start one with `heddle serve`, or name another as server.",
            )
        ) from None
    try:
        parsed = json.loads(text)
    except ValueError:
        parsed = None
    if not isinstance(parsed, dict):
        raise _no_explorer(url)
    return parsed


def _refused(url: str, status: int, text: bytes) -> OperandError:
    try:
        problem = json.loads(text)
        detail = str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return _no_explorer(url)
    code = " Pass access_code=…" if status in (401, 403) else ""
    return OperandError(
        Diagnostic("share/refused", f"The server does not take the plan: {detail}{code}", actual=f"status {status}")
    )


def _no_explorer(url: str) -> OperandError:
    return OperandError(
        Diagnostic(
            "share/answer",
            f"What answers at {url} is no explorer of Heddle.",
            expected="the address of an explorer, as the browser shows it",
            actual="another server",
        )
    )
