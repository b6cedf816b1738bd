"""Where a visit keeps what it finds: a scratch folder for its steps, and the folder of its results."""

import json
import os
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRATCH = Path(os.environ["W"])
OUT = Path(os.environ["OUT"])
SMALL = bool(os.environ.get("SMALL"))


def save(name: str, report: object) -> None:
    """Written whole: a step may be ended at any time."""
    part = SCRATCH / f"{name}.part"
    part.write_text(json.dumps(report, indent=1, default=str))
    part.replace(SCRATCH / f"{name}.json")


def end_of_step(seconds: float, spare: float) -> float:
    """When a step must be done: by the limit that it runs under, or by ``seconds``, with some to ``spare``."""
    return time.time() + float(os.environ.get("STEP_SECONDS", seconds)) - spare
