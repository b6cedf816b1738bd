"""Child process that reads an uploaded file whole, with the compiler's own readers, and tells its shape.

Job: ``{"path", "kind"}`` on stdin; one JSON line on stdout, in the protocol of ``backend.worker.child``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from compiler.diagnostics import CompileError
from compiler.runtime.readers import READERS
from compiler.views.diagnostics import diagnostic_view


def inspect(job: dict[str, Any]) -> dict[str, Any]:
    try:
        entries = READERS[job["kind"]](Path(job["path"]))
    except CompileError as error:
        diagnostics = [diagnostic_view(item) for item in error.diagnostics]
        problem = {"title": "The file cannot be read", "detail": str(error), "diagnostics": diagnostics}
        return {"event": "problem", "problem": problem}
    return {"event": "result", "result": {"shape": list(entries.shape), "nnz": len(entries.values)}}


if __name__ == "__main__":
    print(json.dumps(inspect(json.load(sys.stdin))), flush=True)
