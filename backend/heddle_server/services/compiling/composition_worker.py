"""What runs in a compile process for a composition: the data is made or read, then packed in parts and counted."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.views.composition.composition import composition_of, refused_composition
from heddle.explorer.views.composition.data import Shown, show
from heddle_server.services.compiling.storage_worker import requested_entries, source_name


def composition_document(request: dict[str, Any], path: str | None) -> bytes:
    """The CompositionView as JSON bytes; data or a format that cannot be shown is in its diagnostics."""
    tensor, source = request["tensor"], source_name(request)
    data = {name: request[name] for name in ("tensor", "order", "dtype", "input", "entries") if name in request}
    try:
        view = composition_of(
            _data(json.dumps(data, sort_keys=True), path), request["format"], source, request["workers"]
        )
    except CompileError as error:
        view = refused_composition(tensor, source, error)
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()


@lru_cache(maxsize=1)
def _data(asked: str, path: str | None) -> Shown:
    """The data that was asked for last: whoever moves an edge of a bucket asks for the same again and again. A path has
    the hash of what is in it."""
    data = json.loads(asked)
    return show(
        data["tensor"], data["order"], requested_entries(data["tensor"], data["order"], data["dtype"], data, path)
    )


def forget() -> None:
    """Lets go of the data."""
    _data.cache_clear()
