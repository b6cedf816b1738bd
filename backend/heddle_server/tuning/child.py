"""The child process of one slice of a search: a JSON job on stdin, JSON lines on stdout.

Job: ``{"plan": {...}, "settings": {...}, "log": [...], "seconds": 15, "datasets": {...}, "timing_lock": "<path>"?}``.
Lines: ``progress`` and ``lines`` (of the log, and the number of the first), then one ``result`` with ``finished``
and all lines of the slice in the same way, or ``problem``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, TextIO

from heddle.diagnostics import CompileError, InternalError
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.measuring.threads import set_threads
from heddle.plan import parse_plan
from heddle_server.engine.children.events import open_events, write
from heddle_server.worker.child import problem


def main() -> None:
    """Answers the job on stdin."""
    events = open_events()
    try:
        answer = {"event": "result", "result": _run(json.load(sys.stdin), events)}
    except CompileError as error:
        views = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
        answer = problem("This plan cannot be tuned", error.messages, diagnostics=views)
    except InternalError as error:
        answer = problem("Heddle has a defect", str(error))
    except MemoryError:
        raise
    except Exception as error:  # Whatever else goes wrong is our defect, and must reach the person as a problem.
        import traceback

        traceback.print_exc()
        answer = problem("Heddle has a defect", f"{type(error).__name__}: {error}")
    write(events, answer)


def _run(job: dict[str, Any], events: TextIO) -> dict[str, Any]:
    plan = parse_plan(job["plan"])
    threads = set_threads(plan.run.threads)
    log = job["log"]
    lines: list[dict[str, Any]] = []

    # Only now: a plan at fault needs none of them.
    from heddle.tuning.session.log import resumable, settings_of
    from heddle_server.engine.quiet_time import QuietTime
    from heddle_server.tuning.slices import run_slice
    from heddle_server.tuning.words import in_words

    base = len(resumable(log))

    told = 0

    def record(line: dict[str, Any]) -> None:
        nonlocal told
        lines.append(line)
        # Those of a generation are told together with its own line, and the comparison with what ends the slice: a log
        # that is broken off never ends with a part of either.
        if line["event"] not in ("candidate", "final", "known"):
            write(events, {"event": "lines", "number": base + told, "lines": lines[told:]})
            told = len(lines)

    def report(message: str) -> None:
        words = in_words([*resumable(log), *lines])
        write(
            events, {"event": "progress", "phase": "tune", "fraction": words.fraction, "message": f"{message}. {words}"}
        )

    lock = job.get("timing_lock")
    quiet = QuietTime(Path(lock) if lock is not None else None)
    settings = settings_of(job["settings"])
    done = run_slice(plan, job.get("datasets", {}), settings, log, job["seconds"], quiet, threads, record, report)
    return {"finished": done, "number": base, "lines": lines}


if __name__ == "__main__":
    main()
