"""Where proofs are kept: JSON with date and machine, one file for each."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from heddle_server.engine.machine import machine_facts

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("results")


def machine() -> dict[str, Any]:
    """Taken after the proof, so that the load is that of its last minutes, ours included."""
    return {**machine_facts(), "load_minutes_1_5_15": [round(one, 2) for one in os.getloadavg()]}


def keep(name: str, proof: dict[str, Any], broken: list[str]) -> Path:
    document = {"date": datetime.now(UTC).isoformat(timespec="seconds"), **proof, "broken": broken}
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
