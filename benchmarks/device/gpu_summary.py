"""What the rows of ``gpu.py`` say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Row = Mapping[str, Any]


def summary(rows: Sequence[Row], peak: float) -> list[dict[str, Any]]:
    """For each kernel, over its matrices: how many times as fast as cuSPARSE's fastest algorithm our best schedule of
    each is (``best_speedup``), and the best single schedule that all of them take (``one_speedup``), as geometric
    means; and of our best schedule the bytes of operands and results for a second over ``peak`` GB/s."""
    found = []
    for kernel in dict.fromkeys(row["kernel"] for row in rows):
        own = [row for row in rows if row["kernel"] == kernel and row["ours_ms"]]
        if not own:
            continue
        best = {row["matrix"]: min(row["ours_ms"].values()) for row in own}
        shares = {row["matrix"]: round(row["bytes"] / best[row["matrix"]] / 1e6 / peak, 3) for row in own}
        found.append({"kernel": kernel, "bandwidth_share": shares, **speedups([row for row in own if row["cusparse"]])})
    return found


def speedups(rows: Sequence[Row]) -> dict[str, Any]:
    """Of one kernel's rows, all of which cuSPARSE computes as well; nothing where there are none."""
    if not rows:
        return {}
    theirs = np.array([best_of_cusparse(row) for row in rows])
    best = [min(row["ours_ms"].values()) for row in rows]
    shared = [name for name in rows[0]["ours_ms"] if all(name in row["ours_ms"] for row in rows)]
    means = {name: geometric_mean(theirs / [row["ours_ms"][name] for row in rows]) for name in shared}
    entry: dict[str, Any] = {"compared": len(rows), "best_speedup": geometric_mean(theirs / best)}
    if means:
        one = max(means, key=means.__getitem__)
        entry |= {"one_speedup": means[one], "one_schedule": one}
    return entry


def best_of_cusparse(row: Row) -> float:
    """Milliseconds of its fastest algorithm; infinite where it has no such kernel."""
    return min((one["ms"] for one in row["cusparse"].values()), default=float("inf"))


def geometric_mean(ratios: Any) -> float:
    return float(np.exp(np.mean(np.log(ratios))))


def line(row: Row) -> str:
    """A row for a person: our best schedule, and cuSPARSE's best algorithm."""
    best = min(row["ours_ms"], key=row["ours_ms"].__getitem__, default=None)
    own = "nothing of ours" if best is None else f"{row['ours_ms'][best]:9.3f} ms ({best})"
    theirs = min(row["cusparse"], key=lambda name: row["cusparse"][name]["ms"], default=None)
    other = "" if theirs is None else f"  cuSPARSE {row['cusparse'][theirs]['ms']:.3f} ms ({theirs})"
    wrong = f"  WRONG: {', '.join(row['wrong'])}" if row["wrong"] else ""
    return f"{row['matrix']:13} {row['kernel']:14} {own}{other}{wrong}"
