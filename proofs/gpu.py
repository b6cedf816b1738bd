"""``heddle prove gpu``: the visit to a machine with a GPU (``gpu_check/visit.sh``), kept with its date and card.

With ``--bare`` it runs where nothing of Heddle is set up, by a Python that has NumPy, SciPy, CuPy and pytest: this
module needs the standard library alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KEPT = HERE / "results" / "gpu.json"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="heddle prove gpu", description="What a GPU of this machine makes of Heddle.")
    add_options(parser)
    options = parser.parse_args(arguments)
    summary, broken = prove_gpu(options.out)
    for line in broken:
        print(f"broken: {line}", file=sys.stderr)
    if has_card(summary):
        text = json.dumps(document(summary, broken), indent=2, ensure_ascii=False)
        KEPT.write_text(text + "\n", encoding="utf-8")
        print(f"{KEPT}: {'broken' if broken else 'holds'}")
    return 1 if broken else 0


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bare", action="store_true", help="with this Python, where nothing of Heddle is set up")
    parser.add_argument("--out", type=Path, help="folder for all that the visit writes; else a temporary one")


def prove_gpu(folder: Path | None) -> tuple[dict[str, Any], list[str]]:
    """What the visit has found, and a line for each step that did not end well."""
    place = folder or Path(tempfile.mkdtemp(prefix="heddle-gpu-"))
    place.mkdir(parents=True, exist_ok=True)
    environment = {"PYTHON": sys.executable, **os.environ, "OUT": str(place.resolve())}
    subprocess.run([HERE / "gpu_check" / "visit.sh"], env=environment, check=True)
    summary: dict[str, Any] = json.loads((place / "summary.json").read_text(encoding="utf-8"))
    return summary, broken_steps(summary)


def broken_steps(summary: dict[str, Any]) -> list[str]:
    steps: dict[str, dict[str, Any]] = summary.get("steps", {})
    missing = summary.get("facts", {}).get("heddle_missing")
    reason = f": {missing}" if missing else ""
    broken = [f"{name} {step['status']}{reason}" for name, step in steps.items() if step.get("status") != "done"]
    return broken or ([] if steps else ["no step has told anything"])


def document(summary: dict[str, Any], broken: list[str]) -> dict[str, Any]:
    """What is kept of a visit, as ``gpu_check/schema.json`` describes it: the site's page on GPUs is made from it."""
    return {"date": datetime.now(UTC).isoformat(timespec="seconds"), **summary, "broken": broken}


def has_card(summary: dict[str, Any]) -> bool:
    """Whether Heddle has run on a GPU: else there is nothing to keep."""
    facts = summary.get("facts", {})
    return "heddle_missing" in facts and facts["heddle_missing"] is None


if __name__ == "__main__":
    sys.exit(main())
