"""Stands in for the child of a search: each slice adds a generation; the third slice is the last. A plan whose
baseline is ``hang`` waits at the end of its second slice until it is ended; one whose baseline is ``broken`` writes at
last what is no log."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

GENERATIONS = 3
Line = dict[str, Any]


def header_line(job: dict[str, Any]) -> Line:
    return {"event": "header", "version": 1, "plan": job["plan"], "genes": [], "given": [], **job["settings"]}


def generation(number: int) -> Line:
    counts = {"candidates": 0, "evaluations": 0, "best": None, "refused": {}}
    return {"event": "generation", "number": number, "answers": "", **counts}


def final() -> Line:
    return {"event": "final", "entries": [], "best": 0, "gain": None, "control": None}


def main() -> None:
    job = json.load(sys.stdin)
    log: list[Line] = job["log"]
    made = sum(one["event"] == "generation" for one in log)
    behaviour = job["plan"].get("run", {}).get("baselines")
    lines = [] if log else [header_line(job)]
    lines.append(generation(made))
    finished = made + 1 == GENERATIONS
    if finished:
        lines.append(final())
    if finished and behaviour == ["broken"]:
        lines[-1]["best"] = "quick"
    print(json.dumps({"event": "lines", "number": len(log), "lines": lines}), flush=True)
    if made == 1 and behaviour == ["hang"]:
        print(json.dumps({"event": "progress", "phase": "tune", "fraction": 0.5, "message": "hanging"}), flush=True)
        time.sleep(600)
    result = {"finished": finished, "number": len(log), "lines": lines}
    print(json.dumps({"event": "result", "result": result}), flush=True)


if __name__ == "__main__":
    main()
