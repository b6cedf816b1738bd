"""Answers that never change, written when the folder is: the catalogue, and what the page shows before the compiler
has started."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.experiments.registry import groups
from heddle_server.experiments.stored import stored_figure, stored_where
from heddle_server.lessons.course import course
from heddle_server.lessons.views import summary_view
from heddle_server.services.catalogue import Catalogue, version_view
from heddle_server.services.compiling.compile_worker import compile_document
from heddle_server.services.data.datasets import builtin_view

FIRST_PLAN: Mapping[str, Any] = {
    "version": 2,
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"],
    "inputs": {"A": {"dataset": "bcsstk13"}},
}
"""What the page opens (``DEFAULT_DRAFT`` in ``frontend/src/plan/plan.ts``)."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """``body`` is that of the request, None for GET; ``text`` the JSON of the answer."""

    method: str
    path: str
    body: Mapping[str, Any] | None
    text: bytes


def stored_answers() -> Iterator[StoredAnswer]:
    """All of them. Raises ValueError for an example that is not valid."""
    catalogue = Catalogue()
    datasets = [builtin_view(entry) for entry in builtin_datasets()]
    for path, view in (
        ("/catalogue", catalogue.everything(datasets, [], None, [])),
        ("/languages", catalogue.languages),
        ("/targets", catalogue.targets),
        ("/commands", catalogue.commands),
        ("/formats", catalogue.formats),
        ("/quantities", catalogue.quantities),
        ("/examples", catalogue.examples),
        ("/generators", catalogue.generators),
        ("/baselines", catalogue.baselines),
        ("/methods", catalogue.methods),
        ("/suggest/machines", catalogue.described_machines),
        ("/collections", []),
        ("/datasets", datasets),
        ("/lessons", [summary_view(lesson) for lesson in course()]),
        ("/version", version_view()),
    ):
        yield StoredAnswer("GET", path, None, write_json(view))
    yield from _experiments()
    yield StoredAnswer("POST", "/compile", FIRST_PLAN, compile_document(dict(FIRST_PLAN)))


def _experiments() -> Iterator[StoredAnswer]:
    """The questions with what was measured of them elsewhere; here nothing can be timed."""
    views = []
    for group in groups(gpu=False):
        for experiment in group.experiments:
            stored = stored_where(experiment)
            views.append({**experiment.view, "group": group.title} | ({"stored": stored} if stored else {}))
            figure = stored_figure(experiment)
            identity = experiment.view["id"]
            if figure is not None:
                yield StoredAnswer("GET", f"/experiments/{identity}/stored", None, write_json(figure))
            nothing = [None] * len(experiment.view["points"])
            yield StoredAnswer("GET", f"/experiments/{identity}/runs", None, write_json(nothing))
    yield StoredAnswer("GET", "/experiments", None, write_json(views))


def write_json(view: object) -> bytes:
    return json.dumps(view, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode()
