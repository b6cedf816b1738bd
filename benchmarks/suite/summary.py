"""What the results of a suite come to: means over inputs, for each type of values and number of threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from benchmarks.suite.case import OURS, PLAIN
from benchmarks.suite.formats import has_other_formats, is_other_format
from benchmarks.suite.kernels import multiplies_vectors

PRODUCTS = "spmv+spmm"
"""All products of a sparse matrix with dense vectors together, over inputs and numbers of columns."""

Setting = tuple[str, int]
"""Type of values and number of threads: what results are grouped by."""


def setting_of(result: Mapping[str, Any]) -> Setting:
    return result["case"]["dtype"], result["case"]["threads"]


def by_setting(results: Iterable[Mapping[str, Any]]) -> dict[Setting, list[Mapping[str, Any]]]:
    """The results of each setting, the wider type and more threads first."""
    found: dict[Setting, list[Mapping[str, Any]]] = {}
    for result in results:
        found.setdefault(setting_of(result), []).append(result)
    return dict(sorted(found.items(), reverse=True))


def title_of(setting: Setting) -> str:
    dtype, threads = setting
    return f"{dtype}, {threads} {'thread' if threads == 1 else 'threads'}"


def is_own(name: str) -> bool:
    """Whether a contender is Heddle's: the kernel that is compared, without a schedule or with a plain one, with
    coordinates that are kept, or with another format."""
    return name in (OURS, "unscheduled", PLAIN) or name.startswith("heddle-")


def best_opponent(result: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """The fastest that is not ours."""
    others = {name: one for name, one in result.get("contenders", {}).items() if not is_own(name)}
    return min(others.items(), key=lambda pair: pair[1]["median_ns"], default=None)


def formatted_ratio(result: Mapping[str, Any]) -> float:
    """The time of our fastest kernel, in whichever format, in times of the one that is compared: 1 or less."""
    others = (one for name, one in result["contenders"].items() if is_other_format(name))
    return min((one["ratio"]["value"] for one in others if one["ratio"]), default=1.0)


def place_of(result: Mapping[str, Any]) -> str:
    """Fixed columns that say what was measured; ``PLACE`` is their heading."""
    case = result["case"]
    nonzeros = result["nonzeros"] if "nonzeros" in result else case["nonzeros"]
    return f"{case['kernel']:14s} {case['input']:14s} {nonzeros:10d} {case['dtype']:8s} {case['threads']:2d}"


PLACE = f"{'kernel':14s} {'input':14s} {'nonzeros':>10s} {'type':8s} {'t':>2s}"


def geometric_means(results: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each setting, kernel and opponent, and for kernels together (``spmv+spmm``: with each number of columns;
    ``all``): how many times faster ours is, over all inputs, and the worst of them. ``+formats``: ours in the format
    that is fastest."""
    return [
        {
            "dtype": setting[0],
            "threads": setting[1],
            "kernel": kernel,
            "opponent": name,
            "cases": len(found),
            "geometric_mean": float(np.exp(np.mean(np.log([ratio for ratio, _ in found])))),
            "worst": min(found)[0],
            "worst_input": min(found)[1],
        }
        for setting, of_one in by_setting(results).items()
        for (kernel, name), found in sorted(_ratios(of_one).items())
    ]


def _ratios(results: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], list[tuple[float, str]]]:
    """Each ratio with its input, by kernel and opponent."""
    ratios: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for result in results:
        best = best_opponent(result)
        named = [*result.get("contenders", {}).items(), *([("best opponent", best[1])] if best else [])]
        for name, one in named:
            if not one["ratio"] or (is_own(name) and name != PLAIN):
                continue
            kernel, ratio = result["case"]["kernel"], one["ratio"]["value"]
            free = ratio / min(1.0, formatted_ratio(result))
            given = result["case"]["input"]
            ratios.setdefault((kernel, name), []).append((ratio, given))
            groups = ("all", *((PRODUCTS,) if multiplies_vectors(kernel) else ()))
            for group in groups:
                ratios.setdefault((group, name), []).append((ratio, f"{kernel} {given}"))
                ratios.setdefault((f"{group}+formats", name), []).append((free, f"{kernel} {given}"))
            if has_other_formats(kernel):
                ratios.setdefault((f"{kernel}+formats", name), []).append((free, given))
    return ratios
