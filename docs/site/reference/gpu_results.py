"""What a card found: the tables of the last visit to a machine with a GPU, as proofs/results/gpu.json keeps it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docs.site.reference.tables import table

RESULTS = Path(__file__).resolve().parents[3] / "proofs" / "results" / "gpu.json"

HEAD = """# On a GPU

What a visit to a machine with an NVIDIA card finds. `./heddle prove gpu` makes one, with `--bare` where nothing of
Heddle is set up; the recipe *Add a benchmark* says how.
"""
NONE = """No card has been visited yet: there is no figure of Heddle on one. The tests compile kernels for CUDA by NVRTC
and run them in the checked interpreter. That says that their results are right, and nothing of their speed.
"""
TIMES = """## Times

Milliseconds of Heddle's fastest schedule for each matrix. *Call* is one pair of events around a call, as cuSPARSE is
timed; *graph* is the same launches as one CUDA graph; *waits* is what a caller waits. Above 1, Heddle is faster than
cuSPARSE's fastest algorithm.
"""


def gpu_results(path: Path = RESULTS) -> str:
    """The page; without results a sentence that says so."""
    if not path.exists():
        return f"{HEAD}\n{NONE}"
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    steps = ((name, step["status"], str(step.get("seconds", "–"))) for name, step in sorted(report["steps"].items()))
    broken = [f"- {line}" for line in report["broken"]] or ["Each step ended well."]
    return "\n".join(
        (
            HEAD,
            f"{_card(report['facts'])}, on {report['date'][:10]}.",
            "",
            *table(("step", "ended", "seconds"), steps),
            *broken,
            "",
            *_smoke(report.get("smoke", {})),
            *_times(report.get("bench", {})),
        )
    )


def _card(facts: Mapping[str, Any]) -> str:
    device = facts.get("device", {}).get("device")
    if device is None:
        return "A card whose name is not known"
    driver, built = (f"{number // 1000}.{number % 1000 // 10}" for number in (device["driver"], device["cuda"]))
    return f"{device['name']}, driver for CUDA {driver}, CuPy {device['cupy']} for CUDA {built}"


def _smoke(smoke: Mapping[str, Any]) -> Iterator[str]:
    if not smoke:
        return
    counted = ", ".join(f"{count} {status}" for status, count in sorted(smoke["count"].items()))
    yield from ("## Results", "", f"Programs beside SciPy and NumPy: {counted}.", "")
    rows = [row for row in smoke["rows"] if row["status"] != "right"]
    if rows:
        cells = (
            (row["group"], row["case"], row["status"], str(row.get("wrong") or row.get("error") or "–")) for row in rows
        )
        yield from table(("kernel", "case", "ended", "because"), cells)


def _times(bench: Mapping[str, Any]) -> Iterator[str]:
    rows = [row for row in bench.get("rows", ()) if "best" in row]
    if rows:
        yield TIMES
        head = ("kernel", "matrix", "nonzeros", "schedule", "call", "graph", "waits", "GB/s", "cuSPARSE", "ratio")
        yield from table(head, map(_time, rows))


def _time(row: Mapping[str, Any]) -> tuple[str, ...]:
    best = row["ours"][row["best"]]
    opponent = f"{row['opponent_ms']:.3f}, {row['opponent']}" if "opponent" in row else "–"
    return (
        row["kernel"],
        row["matrix"],
        f"{row['nonzeros']:,}",
        row["best"],
        f"{best['ms']:.3f}",
        "–" if best["graph_ms"] is None else f"{best['graph_ms']:.3f}",
        f"{best['wall_ms']:.3f}",
        f"{row['gbps']:.0f}",
        opponent,
        f"{row['ratio_best']:.2f}" if "ratio_best" in row else "–",
    )
