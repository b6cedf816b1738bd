"""Counts of requests in the text format of Prometheus (exposition format 0.0.4)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")

Labels = Mapping[str, str]


class Metrics:
    """Requests by method, route template and status; their times by method and route template."""

    def __init__(self) -> None:
        self._requests: dict[tuple[str, str, int], int] = {}
        self._times: dict[tuple[str, str], list[int]] = {}
        self._seconds: dict[tuple[str, str], float] = {}

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        known = method if method in METHODS else "other"
        self._requests[known, route, status] = self._requests.get((known, route, status), 0) + 1
        counts = self._times.setdefault((known, route), [0] * (len(BUCKETS) + 1))
        counts[bisect_left(BUCKETS, seconds)] += 1
        self._seconds[known, route] = self._seconds.get((known, route), 0.0) + seconds

    def lines(self) -> Iterable[str]:
        yield from family("heddle_requests_total", "counter", "Requests answered.")
        for (method, route, status), count in sorted(self._requests.items()):
            labels = {"method": method, "route": route, "status": str(status)}
            yield sample("heddle_requests_total", count, labels)
        name = "heddle_request_seconds"
        yield from family(name, "histogram", "Time from the request to the end of its answer.")
        for (method, route), counts in sorted(self._times.items()):
            labels, total = {"method": method, "route": route}, 0
            for bound, count in zip((*BUCKETS, "+Inf"), counts, strict=True):
                total += count
                yield sample(f"{name}_bucket", total, {**labels, "le": str(bound)})
            yield sample(f"{name}_sum", round(self._seconds[method, route], 6), labels)
            yield sample(f"{name}_count", total, labels)


def family(name: str, kind: str, help_text: str) -> Iterable[str]:
    return (f"# HELP {name} {help_text}", f"# TYPE {name} {kind}")


def sample(name: str, value: float, labels: Labels | None = None) -> str:
    text = ",".join(f'{key}="{escape(label)}"' for key, label in (labels or {}).items())
    return f"{name}{{{text}}} {value}" if text else f"{name} {value}"


def escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
