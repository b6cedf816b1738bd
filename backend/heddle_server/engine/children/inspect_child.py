"""Child process that reads a data file whole, with the compiler's own readers, and tells its shape and its preview. A
packed file it unpacks first.

Job: ``{"path", "kind", "source", "packing"?}`` on stdin, of which ``packing`` is ``{"into", "member", "bounds"}``: the
empty file that the plain one is written to, the name of a member of a tar file or None, and the fields of ``Bounds``.
One JSON line on stdout, in the protocol of ``heddle_server.worker.child``; the result of a packed file that cannot be
unpacked is ``{"refused": {"reason", "bound", "what"}}``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from heddle_server.engine.children.unpacking import Bounds, Refused, unpack


def inspect(job: dict[str, Any]) -> dict[str, Any]:
    path, packing = Path(job["path"]), job.get("packing")
    if packing is not None:
        packed, path = path, Path(packing["into"])
        try:
            unpack(packed, path, Bounds(**packing["bounds"]), packing["member"])
        except Refused as refused:
            told = {"reason": refused.reason.value, "bound": refused.bound, "what": refused.what}
            return {"event": "result", "result": {"refused": told}}
    # Only now, for what cannot be unpacked is refused without.
    from heddle.diagnostics import CompileError
    from heddle.explorer.views.data.survey import Survey
    from heddle.explorer.views.diagnostics import diagnostic_view
    from heddle.runtime.data_files.data_file import VERIFIED
    from heddle.runtime.data_files.readers import SCANS

    survey = Survey()
    try:
        SCANS[job["kind"]](path, VERIFIED, survey)
    except CompileError as error:
        diagnostics = [diagnostic_view(item) for item in error.diagnostics]
        problem = {"title": "The file cannot be read", "detail": error.messages, "diagnostics": diagnostics}
        return {"event": "problem", "problem": problem}
    inspection = {"shape": list(survey.shape), "nnz": survey.entries, "preview": survey.preview(job["source"])}
    return {"event": "result", "result": inspection}


if __name__ == "__main__":
    os.nice(10)  # Somebody else's compile goes first.
    print(json.dumps(inspect(json.load(sys.stdin))), flush=True)
