"""``python -m heddle_server.experiments.choose_schedules``: asks the rules again for the kernels of networks, on this
machine. Whoever does so measures them again (docs/sources.toml X45): ``python -m heddle_server.experiments X45``."""

from __future__ import annotations

import json

from heddle.plan import parse_plan
from heddle.tuning.facts.machine import this_machine
from heddle.tuning.search.suggest import suggest
from heddle_server.experiments.questions.network_kernels import KERNELS, SCHEDULES


def main() -> int:
    chosen = {
        name: list(suggest(parse_plan(kernel.plan()), {}, this_machine(2)).schedule) for name, kernel in KERNELS.items()
    }
    SCHEDULES.write_text(json.dumps(chosen, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
