"""Child process that reads a data file whole, with the compiler's own readers, and tells its shape and its preview.

Job: ``{"path", "kind", "source"}`` on stdin; one JSON line on stdout, in the protocol of
``heddle_server.worker.child``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from heddle.diagnostics import CompileError
from heddle.explorer.views.data.preview import preview_view
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.runtime.data_files.data_file import VERIFIED
from heddle.runtime.data_files.readers import READERS


def inspect(job: dict[str, Any]) -> dict[str, Any]:
    try:
        entries = READERS[job["kind"]](Path(job["path"]), VERIFIED)
    except CompileError as error:
        diagnostics = [diagnostic_view(item) for item in error.diagnostics]
        problem = {"title": "The file cannot be read", "detail": error.messages, "diagnostics": diagnostics}
        return {"event": "problem", "problem": problem}
    inspection = {
        "shape": list(entries.shape),
        "nnz": len(entries.values),
        "preview": preview_view(entries, job["source"]),
    }
    return {"event": "result", "result": inspection}


if __name__ == "__main__":
    os.nice(10)  # Somebody else's compile goes first.
    print(json.dumps(inspect(json.load(sys.stdin))), flush=True)
