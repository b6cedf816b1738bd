"""What a browser shows where nothing is served: a page with a way home. Programs get a problem document."""

from __future__ import annotations

from html import escape

from fastapi import Request
from fastapi.responses import HTMLResponse

from heddle_server.problem import clip

API = "/api/"

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/heddle.svg" type="image/svg+xml">
<title>No such page · Heddle</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#ffffff, #14171c); color: light-dark(#1b1f24, #e6e9ee);
  font: 14px/20px system-ui, sans-serif; }
header { padding: 10px 12px; border-bottom: 1px solid light-dark(#d0d7de, #39414d); font-weight: 700; }
header a { color: inherit; text-decoration: none; font-size: 16px; }
main { max-width: 560px; margin: 12vh auto 0; padding: 0 16px; }
h1 { margin: 0 0 12px; font-size: 20px; line-height: 28px; }
code { font: 13px/20px ui-monospace, monospace; overflow-wrap: anywhere; }
main a { color: light-dark(#0969da, #58a6ff); }
</style>
</head>
<body>
<header><a href="/">Heddle</a></header>
<main>
<h1>There is no page at this address</h1>
<p>Nothing is served at <code>PATH</code>. A short link has the form <code>/s/…</code>; perhaps a part of it is
missing.</p>
<p><a href="/">Open Heddle</a></p>
</main>
</body>
</html>
"""


def wants_page(request: Request) -> bool:
    """Whether a person waits for the answer: a browser asks for HTML, and nobody browses the API."""
    asked = request.headers.get("accept", "")
    return request.method in ("GET", "HEAD") and "text/html" in asked and not request.url.path.startswith(API)


def render_missing_page(request: Request) -> HTMLResponse:
    page = PAGE.replace("PATH", escape(clip(request.url.path)))
    return HTMLResponse(page, status_code=404, headers={"Cache-Control": "no-store", "Vary": "Accept"})
