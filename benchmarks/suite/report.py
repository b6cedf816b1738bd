"""From the files of a suite to its table, its JSON and its figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.suite import regret
from benchmarks.suite.formats import repaid_after
from benchmarks.suite.summary import PLACE, by_setting, geometric_means, is_own, place_of, title_of
from heddle_server.machine_name import machine_name


def write_report(suite: str, folder: Path, output: Path) -> list[Path]:
    """Writes SUITE.json, SUITE.txt and SUITE.html; nothing where nothing was measured."""
    results = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    if not results:
        return []
    if suite == "regret":
        text = regret.table(results)
        paths = [output / f"{suite}.{ending}" for ending in ("json", "txt")]
        paths[0].write_text(json.dumps({"suite": suite, "results": results}, indent=1) + "\n", encoding="utf-8")
        paths[1].write_text(f"{_facts(results)}\n\n{text}\n", encoding="utf-8")
        return paths
    summary = geometric_means(results)
    machines = {json.dumps(one["machine"]["cpu"]) for one in results}
    classes = sorted({one["machine"]["machine_class"] for one in results if "machine_class" in one["machine"]})
    document = {"suite": suite, "summary": summary, "machines": sorted(machines), "classes": classes}
    document["results"] = results
    paths = [output / f"{suite}.{ending}" for ending in ("json", "txt", "html")]
    paths[0].write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    paths[1].write_text(table(results, summary) + "\n", encoding="utf-8")
    figures = [
        figure(f"{kernel}, {title_of(setting)}", of_kernel)
        for setting, of_setting in by_setting(results).items()
        for kernel, of_kernel in _by_kernel(of_setting).items()
    ]
    paths[2].write_text(_page(suite, [one for one in figures if one is not None], table(results, summary)))
    return paths


def table(results: Iterable[Mapping[str, Any]], summary: Iterable[Mapping[str, Any]]) -> str:
    """Fixed columns: times in microseconds, ratios above 1 where ours is faster."""
    kept, means = list(results), list(summary)
    lines = [_facts(kept)]
    for setting in by_setting(kept):
        lines += [
            "",
            title_of(setting),
            f"{'kernel':17s} {'opponent':16s} {'cases':>5s} {'geo. mean':>9s} {'worst':>6s}  on",
        ]
        for one in means:
            if (one["dtype"], one["threads"]) == setting:
                numbers = f"{one['cases']:5d} {one['geometric_mean']:9.2f} {one['worst']:6.2f}"
                lines.append(f"{one['kernel']:17s} {one['opponent']:16s} {numbers}  {one['worst_input']}")
    heading = f"{PLACE} {'µs':>10s} {'95 % interval':>21s} {'STREAM':>6s}  ratios (interval), ours faster above 1"
    for of_one in by_setting(kept).values():
        lines += ["", heading, *(_row(result) for result in of_one)]
    if overflowing := [result for result in kept if result.get("triad_gbps")]:
        lines += ["", "What no cache holds: GB/s of STREAM's triad in the same rounds, and shares of it"]
        lines += [_shares(result) for result in overflowing]
    lines += ["", "What is done before: packing, choosing a schedule, and analysis by opponents, in ms"]
    lines += [_before(result) for of_one in by_setting(kept).values() for result in of_one if "packing_ms" in result]
    if absent := _absent(kept):
        lines += ["", "Who took no part, in how many cases, and why (the first of them)", *absent]
    return "\n".join(lines)


def _absent(results: Iterable[Mapping[str, Any]]) -> list[str]:
    """A row for each contender and kind of reason: those that differ in numbers alone are one."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for result in results:
        for name, reason in result.get("left_out", {}).items():
            reasons.setdefault((name, re.sub(r"[0-9][0-9.,e+-]*", "0", reason)), []).append(reason)
    return [f"{name:24s} {len(same):4d}  {same[0]}" for (name, _), same in sorted(reasons.items())]


def _facts(results: list[Mapping[str, Any]]) -> str:
    machine, loads = results[-1]["machine"], [one["load"] for one in results if one["load"] is not None]
    triad = ", ".join(f"{rate:.1f} GB/s with {count}" for count, rate in machine["stream_triad_gbps"].items())
    load = f", load {min(loads):.1f} to {max(loads):.1f}" if loads else ""
    mkl = next((one["mkl"] for one in results if one.get("mkl")), None)
    library = f"; {mkl['version']}, {mkl['dispatch']} code path, {mkl['threading']}" if mkl else ""
    first = f"{machine_name(machine)}, {machine['cores']} cores, {machine['os']}{load}"
    return f"{first}\n{machine['compiler']}, STREAM triad {triad or 'not measured'} threads{library}"


def _row(result: Mapping[str, Any]) -> str:
    place = place_of(result)
    if "failure" in result:
        return f"{place}  FAILED: {result['failure']}"
    ours = result["contenders"].get("heddle")
    if ours is None:
        return f"{place}  left out: {result['left_out']['heddle']}"
    middle, low, high = (ours[key] / 1e3 for key in ("median_ns", "low_ns", "high_ns"))
    share = f"{ours['stream_share']:.0%}" if ours["stream_share"] else ""
    ratios = "  ".join(
        f"{name} {one['ratio']['value']:.2f} ({one['ratio']['low']:.2f}-{one['ratio']['high']:.2f}){_repaid(one)}"
        for name, one in result["contenders"].items()
        if one["ratio"]
    )
    flag = "" if result["complete"] else "  [too few rounds]"
    return f"{place} {middle:10.1f} {f'{low:.1f} to {high:.1f}':>21s} {share:>6s}  {ratios}{flag}"


def _shares(result: Mapping[str, Any]) -> str:
    shares = [f"{name} {one['stream_share']:.0%}" for name, one in result["contenders"].items()]
    return f"{place_of(result)} {result['triad_gbps']:6.1f}  {'  '.join(shares)}"


def _before(result: Mapping[str, Any]) -> str:
    found = result["contenders"]
    ours = f"packing {result['packing_ms']:.2f}  choosing {result['choosing_ms']:.2f}"
    theirs = [
        f"{name} {one['prepared_ms']:.2f}{_analysis(found, name)}"
        for name, one in found.items()
        if one["prepared_ms"] and not is_own(name)
    ]
    return "  ".join([place_of(result), ours, *theirs])


def _analysis(contenders: Mapping[str, Any], name: str) -> str:
    """After how many runs the analysis of ``name`` is repaid by what it saves, against the same without it."""
    plain = contenders.get(f"{name}-unoptimised")
    if plain is None:
        return ""
    runs = repaid_after(contenders[name]["prepared_ms"], plain["median_ns"], contenders[name]["median_ns"])
    return f" (repaid after {runs:,} runs)" if runs is not None else " (never repaid)"


def _repaid(contender: Mapping[str, Any]) -> str:
    """What making another format costs, next to its ratio."""
    runs = contender.get("repaid_after")
    return f" repaid after {runs:,} runs" if runs is not None else ""


def _by_kernel(results: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for result in results:
        found.setdefault(result["case"]["kernel"], []).append(result)
    return found


def figure(title: str, results: Iterable[Mapping[str, Any]]) -> Any:
    """Ratios to every opponent by input, on a logarithmic axis: to the right of 1 ours is faster. None for nothing."""
    import plotly.graph_objects as go

    points: dict[str, list[tuple[float, float, float, str]]] = {}
    for result in results:
        case = result["case"]
        label = f"{case['input']}, {result.get('nonzeros', 0):,}"
        for name, one in result.get("contenders", {}).items():
            if one["ratio"]:
                ratio = one["ratio"]
                points.setdefault(name, []).append((ratio["value"], ratio["low"], ratio["high"], label))
    if not points:
        return None
    made = go.Figure()
    for name, found in points.items():
        values, lows, highs, labels = (list(column) for column in zip(*found, strict=True))
        errors = {
            "type": "data",
            "symmetric": False,
            "array": [high - value for high, value in zip(highs, values, strict=True)],
            "arrayminus": [value - low for low, value in zip(lows, values, strict=True)],
        }
        made.add_trace(go.Scatter(name=name, x=values, y=labels, error_x=errors, mode="markers"))
    made.add_vline(x=1, line_dash="dot")
    rows = len({label for found in points.values() for *_, label in found})
    made.update_layout(
        title=f"{title}: time of each opponent / Heddle's (right of 1: Heddle is faster)",
        xaxis={"type": "log", "title": "ratio, 95 % interval"},
        yaxis={"autorange": "reversed", "automargin": True},
        height=160 + 22 * rows,
    )
    return made


def _page(suite: str, figures: list[Any], text: str) -> str:
    """One page that needs no network: Plotly is in it once."""
    from html import escape

    parts = [one.to_html(full_html=False, include_plotlyjs=number == 0) for number, one in enumerate(figures)]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Heddle: {escape(suite)}</title>'
    return f"{head}<h1>Benchmarks: {escape(suite)}</h1>{''.join(parts)}<pre>{escape(text)}</pre></html>\n"
