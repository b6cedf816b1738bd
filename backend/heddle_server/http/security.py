"""Security headers on every answer, and the check of the Host name."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heddle_server.http.refuse import refuse
from heddle_server.problem import clip

# Scripts and workers come from our own origin only. Style elements must be allowed inline: the editor and the plots
# create them at run time. blob: and data: images are the pictures that a plot exports.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "worker-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)

SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Frame-Options": "DENY",
}

# Pages for frames on other sites: read-only, and they keep nothing in the browser, so nothing there can be clickjacked.
EMBED_PATH = "/embed/"
EMBED_HEADERS = {
    **{name: value for name, value in SECURITY_HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
}

# The documents, whose search is a form of theirs. The explorer has none.
DOCUMENTS_PATH = "/docs/"
DOCUMENTS_HEADERS = {
    **SECURITY_HEADERS,
    "Content-Security-Policy": CONTENT_SECURITY_POLICY.replace("form-action 'none'", "form-action 'self'"),
}


# What a page of another site can send without asking first is every POST whose content type is that of a form, of text,
# of a ping or of a report, or that has none; it cannot send this one, nor any of PREFLIGHTED_METHODS.
PREFLIGHTED_TYPE = "application/json"
PREFLIGHTED_METHODS = frozenset({"PUT", "PATCH", "DELETE"})
CHANGING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
# What browsers say of requests that our own pages did not make.
FOREIGN_SITES = ("cross-site", "same-site")
# What they say of their page where it has no address: a sandboxed frame, a file, data: or blob: of either.
NO_ADDRESS = "null"


class SecurityHeaders:
    """Adds the headers, and refuses Host names that are not ours, so that no foreign page can speak to a local server
    through a name that it points at 127.0.0.1; and requests of foreign pages to do something."""

    def __init__(self, app: ASGIApp, allowed_hosts: tuple[str, ...] = ()) -> None:
        self.app = app
        self.allowed_hosts = frozenset(host.lower() for host in allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        headers_here = headers_of(scope["path"])

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in headers_here.items():
                    headers.setdefault(name, value)
            await send(message)

        hosts = Headers(scope=scope).getlist("host")
        if len(hosts) > 1:
            # A proxy in front may have gone by the other one.
            detail = f"A request names its host once; this one has {len(hosts)} Host headers."
            await refuse(send_with_headers, 400, "bad-request", "Bad Request", detail)
            return
        if self.allowed_hosts and host_name("".join(hosts)) not in self.allowed_hosts:
            detail = f"This server answers to {', '.join(sorted(self.allowed_hosts))}."
            await refuse(send_with_headers, 421, "unknown-host", "Unknown host name", detail)
            return
        if scope["path"].startswith("/api/") and scope["method"] in CHANGING_METHODS:
            headers = Headers(scope=scope)
            if is_foreign(headers):
                detail = "Pages of other sites may read here what anybody may read, and change nothing."
                await refuse(send_with_headers, 403, "cross-site", "A request from another site", detail)
                return
            if not is_preflighted(scope["method"], headers):
                shown = clip(headers.get("content-type", "")) or "none"
                detail = (
                    f"Requests that change something say Content-Type: {PREFLIGHTED_TYPE}, which pages of other sites "
                    f"cannot, also where they have no body; found {shown}."
                )
                await refuse(send_with_headers, 415, "unsupported-media-type", "Unsupported Media Type", detail)
                return
        await self.app(scope, receive, send_with_headers)


def headers_of(path: str) -> dict[str, str]:
    if path.startswith(EMBED_PATH):
        return EMBED_HEADERS
    return DOCUMENTS_HEADERS if path.startswith(DOCUMENTS_PATH) else SECURITY_HEADERS


def is_foreign(headers: Headers) -> bool:
    """Whether a browser says that a page of another site made the request.

    Where it reaches the server without TLS it tells no site, but the origin of the page. Other names than our Host may
    be our own page behind a proxy; one without an address never is: sandboxed, ``/embed/`` could not load its scripts.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in FOREIGN_SITES
    return any(origin.strip().lower() == NO_ADDRESS for origin in headers.getlist("origin"))


def is_preflighted(method: str, headers: Headers) -> bool:
    """Whether a browser would have asked this server before it sent such a request for a page of another site."""
    content_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    return method in PREFLIGHTED_METHODS or content_type == PREFLIGHTED_TYPE


def host_name(header: str) -> str:
    """The name in a Host header, without the port; IPv6 addresses keep their brackets."""
    if header.startswith("["):
        return header.partition("]")[0].lower() + "]"
    return header.partition(":")[0].lower()
