"""``python -m benchmarks.papers_programs``: programs of two papers as a reader types them, beside libraries.

They are 18 of Vasilache et al. 2018 and 10 of Pizzuti et al. 2020, typed from the print with the papers' errors mended.
Each gets the schedule that the rules choose, is verified, and is timed beside the libraries in interleaved rounds, by
the run that the page makes. PyTorch takes part where it is installed.

The exit status is 1 where a program does not run verified; how far it is from the best opponent is only told, since
that depends on the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.baselines.packages import installed_version
from benchmarks.papers_programs.comprehensions import COMPREHENSIONS
from benchmarks.papers_programs.measuring import Row, measure, say, summary, table
from benchmarks.papers_programs.patterns import PATTERNS
from heddle_server.engine.machine import machine_facts

PROGRAMS = tuple(
    (program, paper)
    for paper, programs in (("Vasilache et al. 2018", COMPREHENSIONS), ("Pizzuti et al. 2020", PATTERNS))
    for program in programs
)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.papers_programs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", default="", help="programs whose name contains one of these, separated by commas")
    parser.add_argument("--threads", type=int, default=1, help="of all that is timed (default: %(default)s)")
    parser.add_argument("--brief", action="store_true", help="times each for less long, as where others wait")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers here")
    options = parser.parse_args(arguments)
    words = options.only.split(",")
    before, begun = os.getloadavg()[0], time.monotonic()
    rows: list[Row] = []
    for program, paper in PROGRAMS:
        if any(word in program.name for word in words):
            say(program.name)
            rows.append(measure(program, paper, options.threads, brief=options.brief))
    print(table(rows))
    if options.json is not None:
        document = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": {**machine_facts(None), "torch": installed_version("torch")},
            "threads": options.threads,
            "brief": options.brief,
            "load": {"before": before, "after": os.getloadavg()[0], "cores": os.cpu_count()},
            "took": round(time.monotonic() - begun, 1),
            "summary": summary(rows),
            "programs": [row.to_json() for row in rows],
        }
        options.json.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return 1 if any(not row.verified for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
