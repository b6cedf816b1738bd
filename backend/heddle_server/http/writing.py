"""Which requests leave something on the server, by their method and path: these are audited, and need a code where
codes are in use. A route that is new writes until it is listed here."""

from __future__ import annotations

API = "/api/v1"
WRITING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
# Answers are all that these make.
COMPUTATIONS = frozenset(
    f"{API}/{name}"
    for name in (
        "account",
        "algorithms/compile",
        "assembly",
        "bridge",
        "compile",
        "compile/text",
        "composition",
        "explanations",
        "exports",
        "fusion",
        "imports",
        "legal",
        "lessons/{lesson}/tasks/{task}/check",
        "occupancy",
        "previews",
        "runs/measured",
        "storage",
        "suggest",
        "tiles",
        "trace",
        "tuned/lookup",
        "what-if",
    )
)
LESSONS = f"{API}/lessons/"
# Tells that a code is right, and has to be asked without one.
ENTRANCE = f"{API}/access"
# What all visitors are shown as measured here, and what takes long to check: on the server's own machine,
# ``./heddle tuned import`` does the same.
OF_OPERATORS = frozenset({("POST", f"{API}/tuned")})


def writes(method: str, path: str) -> bool:
    """Of a request of the API, or to no route at all."""
    return method in WRITING_METHODS and path not in COMPUTATIONS and not path.startswith(LESSONS)


def needs_code(method: str, path: str) -> bool:
    return path.startswith(API) and path != ENTRANCE and writes(method, path)
