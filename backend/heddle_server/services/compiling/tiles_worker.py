"""What runs in a compile process for a cut: the data is made or read, then counted."""

from __future__ import annotations

import json
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.views.data.tiles import Cut, refused_tiles, tiles_view
from heddle_server.services.compiling.storage_worker import requested_entries, source_name


def tiles_document(request: dict[str, Any], path: str | None) -> bytes:
    """The TilesView as JSON bytes; data that cannot be cut is in its diagnostics."""
    tensor, order, dtype = request["tensor"], request["order"], request["dtype"]
    source = source_name(request)
    try:
        entries = requested_entries(tensor, order, dtype, request, path)
        cut = Cut(request["cut"], request["dimension"], request["size"])
        view = tiles_view(tensor, order, request["format"], entries, source, cut)
    except CompileError as error:
        view = refused_tiles(tensor, source, error)
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()
