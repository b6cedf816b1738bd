"""What a benchmark found: an entry for each contender, what follows from the times, as records, tables and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heddle.library.benchmarks.benchmark_html import benchmark_html, time_text
from heddle.library.benchmarks.tables import Record, Records
from heddle.measuring.schema import Entry, Measured, Verification
from heddle.plan import Plan, to_document

__all__ = ["Benchmark"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Benchmark(Records):
    """Times of a kernel and of others in the same rounds, which ``len`` and ``iter`` see as ``records``.

    ``measured`` has everything as plain data, every sample among it, as stored runs of the page have: ``entries``,
    ``control``, ``load``, ``conclusion``. ``verification`` says what the kernel's result was compared with.
    """

    plan: Plan
    measured: Measured
    verification: Verification
    threads: int
    rounds: int

    @property
    def records(self) -> list[Record]:
        """A dictionary for each contender, in the order in which they were passed, Heddle first.

        ``median_ns`` with its 95 % interval ``low_ns`` to ``high_ns``; ``ratio``, how many times as long as Heddle it
        takes, with ``ratio_low`` and ``ratio_high``; the ``verdict`` on Heddle (``faster``, ``slower``,
        ``inconclusive``) and the ``statement`` in words. Where it could not take part, ``reason`` says why and all
        numbers are None.
        """
        return [_record(entry) for entry in self.measured["entries"]]

    @property
    def headline(self) -> str:
        """What follows from the times, in words."""
        if not self.verification["ok"]:
            error = self.verification["max_error"]
            return f"Heddle's result differs from the reference by {error:.2g}, so that nothing was timed."
        conclusion = self.measured.get("conclusion")
        return conclusion["headline"] if conclusion is not None else ""

    @property
    def samples(self) -> Mapping[str, list[float]]:
        """Nanoseconds of a call in each round, by the label of the contender."""
        return {entry["label"]: entry["samples_ns"] for entry in self.measured["entries"] if entry["available"]}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for ``json.dump``: the plan, the machine's threads, times and conclusions."""
        return {
            "plan": to_document(self.plan),
            "threads": self.threads,
            "rounds": self.rounds,
            "verification": self.verification,
            **self.measured,
        }

    def __repr__(self) -> str:
        """The headline and a line for each contender."""
        lines = [f"<Benchmark {self.plan.expression}, {self._circumstances()}", f"  {self.headline}"]
        width = max((len(entry["label"]) for entry in self.measured["entries"]), default=0)
        for record in self.records:
            if record["available"]:
                times = "" if record["ratio"] is None else f"  {record['ratio']:.3g} × Heddle"
                lines.append(f"  {record['name']:{width}}  {time_text(record['median_ns']):>8}{times}")
            else:
                lines.append(f"  {record['name']:{width}}  {record['reason']}")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        facts = [("computes", self.plan.expression)]
        facts += [(name, spec.format) for name, spec in self.plan.tensors.items() if spec.format is not None]
        facts.append(("schedule", "; ".join(self.plan.schedule) or "none"))
        return benchmark_html("Benchmark", self.headline, self._circumstances(), facts, self.records)

    def _circumstances(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.rounds} rounds, {threads}"


def _record(entry: Entry) -> Record:
    ratio = entry["ratio_to_heddle"]
    return {
        "name": entry["label"],
        "available": entry["available"],
        "median_ns": entry["median_ns"],
        "low_ns": entry["low_ns"],
        "high_ns": entry["high_ns"],
        "ratio": None if ratio is None else ratio["value"],
        "ratio_low": None if ratio is None else ratio["low"],
        "ratio_high": None if ratio is None else ratio["high"],
        "verdict": None if ratio is None else ratio["verdict"],
        "statement": None if ratio is None else ratio["statement"],
        "gigabytes_per_second": entry["gigabytes_per_second"],
        "threads": entry.get("threads"),
        "rounds": len(entry["samples_ns"]),
        "note": entry["note"],
        "reason": entry["reason"],
    }
