"""Puts what the steps have told so far into one file."""

import json
import shutil
from pathlib import Path

from scratch import OUT, SCRATCH, save


def read(path: Path) -> object:
    try:
        return json.loads(path.read_text())
    except Exception as error:
        return {"unreadable": f"{type(error).__name__}: {error}"}


report = {"steps": {path.stem: read(path) for path in sorted(SCRATCH.glob("steps/*.json"))}}
for name in ("facts", "smoke", "pytest", "bench", "sanitizer", "sandbox", "ncu"):
    path = SCRATCH / f"{name}.json"
    if path.exists():
        report[name] = read(path)
save("summary", report)
shutil.copyfile(SCRATCH / "summary.json", OUT / "summary.json")
