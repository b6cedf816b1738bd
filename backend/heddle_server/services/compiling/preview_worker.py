"""What runs in a compile process for a preview: the data is made or read, then looked at."""

from __future__ import annotations

import json
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.views.data.preview import preview_view, refused_preview
from heddle_server.services.compiling.storage_worker import requested_entries, source_name

EVERY_VALUE = "complex128"
"""The type that holds the values of any data; a preview looks only at where they are."""


def preview_document(request: dict[str, Any], path: str | None) -> bytes:
    """The PreviewView as JSON bytes; data that cannot be shown is in its diagnostics."""
    source = source_name(request)
    try:
        entries = requested_entries(request["tensor"], request["order"], EVERY_VALUE, request, path)
        view = preview_view(entries, source)
    except CompileError as error:
        view = refused_preview(source, error)
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()
