"""What only a server does, said to a person who asks for it in a folder without one."""

from __future__ import annotations

import re

from heddle_server.problem import ProblemError

COMMAND = "heddle serve"
"""What starts a server: ``./heddle serve`` in a checkout."""

NEEDS = (
    (r"/(runs|comparisons|experiments/[^/]+/(runs|figure)|algorithms)\b", "A run that is timed"),
    (r"/(searches|tuned)\b", "A search for faster schedules"),
    (r"/(datasets|downloads)\b", "An upload or a download"),
    (r"/classrooms\b", "A class with a teacher's table"),
    (r"/(links|oembed)\b", "A short link"),
    (r"/(machine|machines)\b", "What a machine can do"),
    (r"/occupancy\b", "A compile for a GPU"),
    (r"/assembly\b", "The machine code of a kernel"),
)
"""Requests, by the beginning of their path, with the subject of what is said of them."""


def needs_server(method: str, path: str) -> ProblemError:
    """501, where no function here answers."""
    subject = next((words for pattern, words in NEEDS if re.match(pattern, path)), f"{method} {path}")
    detail = (
        f"{subject} needs a Heddle server; this page is a folder of files. `{COMMAND}` starts one on your machine, "
        "with the same page. The address bar holds the whole plan: it opens there as well."
    )
    return ProblemError(501, "needs-server", "This needs a server", detail, command=COMMAND)
