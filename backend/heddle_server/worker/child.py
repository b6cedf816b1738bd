"""The child process of one run: a JSON job on stdin, JSON lines on stdout.

Job: ``{"plan": {...}, "datasets": {"<id>": "<absolute path>"}, "samples_path": "<path>"?, "timing_lock": "<path>"?,
"brief": <whether others wait>?}``.
Lines: ``progress``, and then one ``result`` or ``problem``. The exit code is 0 when one of these two was written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, TextIO

from heddle.algorithms.document.reader import parse_algorithm
from heddle.diagnostics import CompileError, InternalError
from heddle.measuring.threads import set_threads
from heddle.plan import parse_plan
from heddle_server.engine.children.events import open_events, write


def main() -> None:
    """Answers the job on stdin."""
    events = open_events()
    try:
        answer = {"event": "result", "result": _run(json.load(sys.stdin), events)}
    except CompileError as error:
        from heddle.explorer.views.diagnostics import diagnostic_view  # Whoever has no error starts sooner without it.

        views = [diagnostic_view(diagnostic) for diagnostic in error.diagnostics]
        answer = problem("This plan cannot be run", error.messages, diagnostics=views)
    except InternalError as error:
        answer = problem("Heddle has a defect", str(error))
    except MemoryError:
        raise
    except Exception as error:  # Whatever else goes wrong is our defect, and must reach the person as a problem.
        import traceback

        traceback.print_exc()
        answer = problem("Heddle has a defect", f"{type(error).__name__}: {error}")
    write(events, answer)


def _run(job: dict[str, Any], events: TextIO) -> Any:
    if "algorithm" in job["plan"]:
        return _run_algorithm(job, events)
    plan = parse_plan(job["plan"])
    threads = set_threads(plan.run.threads)

    def report(phase: str, fraction: float, message: str, seconds_left: float | None = None) -> None:
        progress = {"phase": phase, "fraction": round(fraction, 3), "message": message, "seconds_left": seconds_left}
        write(events, {"event": "progress", **progress})

    # Only now, for an algorithm needs none of them.
    from heddle.measuring.rounds import BRIEF, Protocol
    from heddle_server.engine.quiet_time import QuietTime
    from heddle_server.worker.execute import execute, write_samples

    lock = job.get("timing_lock")
    quiet = QuietTime(Path(lock) if lock is not None else None)
    protocol = BRIEF if job.get("brief") else Protocol()
    result = execute(plan, job.get("datasets", {}), threads, report, protocol, quiet)
    if job.get("samples_path"):
        write_samples(Path(job["samples_path"]), result)
    return result


def _run_algorithm(job: dict[str, Any], events: TextIO) -> Any:
    algorithm = parse_algorithm(job["plan"])
    threads = set_threads(algorithm.threads)
    from heddle_server.worker.decomposition.run import decompose

    return decompose(algorithm, job, threads, lambda event: write(events, event))


def problem(title: str, detail: str, **more: Any) -> dict[str, Any]:
    return {"event": "problem", "problem": {"title": title, "detail": detail, **more}}


if __name__ == "__main__":
    main()
