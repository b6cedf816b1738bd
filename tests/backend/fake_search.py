"""Stands in for the child of a search: each slice adds a generation; the third slice is the last. A plan whose
baseline is ``hang`` waits in its second slice until it is ended."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

GENERATIONS = 3


def line(event: str, **facts: Any) -> dict[str, Any]:
    return {"event": event, **facts}


def main() -> None:
    job = json.load(sys.stdin)
    log: list[dict[str, Any]] = job["log"]
    base = len(log)
    made = sum(one["event"] == "generation" for one in log)
    hang = job["plan"].get("run", {}).get("baselines") == ["hang"]
    if made == 1 and hang and "resumed" not in job["plan"]["expression"]:
        print(json.dumps({"event": "progress", "phase": "tune", "fraction": 0.5, "message": "hanging"}), flush=True)
        time.sleep(600)
    lines = [] if log else [line("header", version=1, genes=[], **job["settings"])]
    lines.append(line("generation", number=made, answers=""))
    finished = made + 1 == GENERATIONS
    if finished:
        lines.append(line("final", entries=[]))
    print(json.dumps({"event": "lines", "number": base, "lines": lines}), flush=True)
    print(json.dumps({"event": "result", "result": {"finished": finished, "log": [*log, *lines]}}), flush=True)


if __name__ == "__main__":
    main()
