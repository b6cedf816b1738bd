"""What runs in a compile process for a composition: the data is made or read, then packed in parts and counted."""

from __future__ import annotations

import json
from typing import Any

from backend.services.storage_worker import requested_entries, source_name
from compiler.diagnostics import CompileError
from compiler.views.composition.composition import composition_view, refused_composition


def composition_document(request: dict[str, Any], path: str | None) -> bytes:
    """The CompositionView as JSON bytes; data or a format that cannot be shown is in its diagnostics."""
    tensor, order, dtype = request["tensor"], request["order"], request["dtype"]
    source = source_name(request)
    try:
        entries = requested_entries(tensor, order, dtype, request, path)
        view = composition_view(tensor, order, request["format"], entries, source, request["workers"])
    except CompileError as error:
        view = refused_composition(tensor, source, error)
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()
