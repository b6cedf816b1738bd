"""``heddle tune plan.json``: the same slices as the service's, without the service."""

from __future__ import annotations

import json
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from heddle.cli.parsing import UsageError
from heddle.cli.source import SourceError, read_text
from heddle.cli.status import Status
from heddle.plan import Plan, parse_plan, to_document
from heddle.tuning.known.entry import read_known
from heddle.tuning.known.store import store_here
from heddle.tuning.session.driver import replay_log
from heddle.tuning.session.log import (
    Budget,
    Line,
    Settings,
    generations_of,
    read_log,
    resumable,
    settings_of,
    to_text,
)
from heddle.tuning.session.same import require_same
from heddle.tuning.strategies.genetic import Parameters
from heddle.tuning.strategies.table import strategy_named
from heddle_server.command_line.progress_lines import ProgressLines
from heddle_server.command_line.run_plan import dataset_paths, read_document, say_ending
from heddle_server.duration import duration
from heddle_server.engine.children.limits import run_limits
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.children.sight import sight_of
from heddle_server.engine.cluster.run_task import RunOrder, execute_in_slot
from heddle_server.settings import Settings as ServiceSettings
from heddle_server.tuning.options import DEFAULTS, read_named_options
from heddle_server.tuning.slice_result import read_slice

SLICE_SECONDS = 15.0
LARGEST_LOG = 64 << 20


def tune(options: Namespace) -> int:
    """Prints the final comparison on stdout and progress on stderr. Returns 0 when it is done, else 1.

    Raises
    ------
    CompileError
        for a plan or a log that is not valid. SourceError, UsageError: for a file or options.
    """
    if options.replay is not None:
        return replay(read_log(read_text(options.replay, LARGEST_LOG, "a log")), as_json=options.json)
    if options.plan is None:
        raise UsageError("tune: name a plan to tune, or a log with --replay")
    plan = parse_plan(read_document(options.plan))
    lines = _log_so_far(options.log)
    settings = settings_from(read_named_options(options), plan, lines)
    keep = _keeper(options.log)
    if options.log is not None:
        _require_writable(options.log)
    try:
        outcome = search_slices(plan, settings, lines, ServiceSettings(), keep)
    except KeyboardInterrupt:
        print(f"heddle: interrupted; {_where_it_goes_on(options.log)}", file=sys.stderr)
        return Status.INTERRUPTED
    if outcome is not None:
        return say_ending(outcome, options.plan)
    if not options.forget:
        for line in lines:
            if line["event"] == "known":
                store_here().join(read_known(line["known"]))
    print(json.dumps(lines, indent=1) if options.json else "\n".join(table(lines)))
    return 0


def settings_from(options: Mapping[str, Any], plan: Plan, lines: Sequence[Line]) -> Settings:
    """Those of the log, where there is one, else those that were given and the defaults.

    Raises
    ------
    CompileError
        ``tune/strategy``, and ``tune/other-plan`` or ``tune/other-options`` where the log is of another search.
    """
    if lines:
        require_same(lines[0], plan, options)
        return settings_of(lines[0])
    chosen = {**DEFAULTS, **options}
    strategy_named(chosen["strategy"])
    population = chosen["population"]
    return Settings(
        chosen["strategy"],
        chosen["seed"],
        Parameters(population=population, elites=max(1, population // 10)),
        Budget(chosen["evaluations"], chosen["generations"], chosen["seconds"]),
    )


def search_slices(
    plan: Plan,
    settings: Settings,
    lines: list[Line],
    service: ServiceSettings,
    keep: Callable[[Sequence[Line]], None] = lambda lines: None,
    module: str = "heddle_server.tuning.child",
) -> Outcome | None:
    """Slice after slice until the search has ended; ``lines`` become those of its log. None when it did, else how a
    slice ended."""
    progress = ProgressLines(sys.stderr)
    try:
        while True:
            report = _Recorder(progress, list(lines), keep)
            outcome = execute_in_slot(
                slice_order(plan, settings, lines, service, module), service.timing_lock, threading.Event(), report,
                sight_of(service),
            )  # fmt: skip
            if outcome.result is None:
                return outcome
            try:
                search_slice = read_slice(outcome.result)
            except ValueError as error:
                return Outcome("failed", title="Heddle has a defect", detail=f"A slice wrote no log: {error}")
            lines += search_slice.lines
            keep(lines)
            if search_slice.finished:
                return None
    finally:
        progress.end()


class _Recorder:
    """Shows how far a slice is, and keeps the lines that it tells of, so that an interruption loses none of them."""

    def __init__(self, progress: ProgressLines, lines: list[Line], keep: Callable[[Sequence[Line]], None]) -> None:
        self._progress, self._lines, self._keep = progress, lines, keep

    def __call__(self, event: dict[str, Any]) -> None:
        if event["event"] == "lines":
            self._lines[event["number"] :] = event["lines"]
            with suppress(OSError, ValueError, TypeError, KeyError):  # what is wrong with it, the slice's end tells
                self._keep(self._lines)
        else:
            self._progress(event)


BESIDE_FASTEST = "the rules' schedule beside the fastest:"


def slice_order(plan: Plan, settings: Settings, lines: list[Line], service: ServiceSettings, module: str) -> RunOrder:
    job = {"plan": to_document(plan), "datasets": dataset_paths(plan.inputs, service), "settings": asdict(settings),
           "log": lines, "seconds": SLICE_SECONDS}  # fmt: skip
    return RunOrder("shell", 1, "", module, job, run_limits(service, plan.target))


def replay(lines: list[Line], *, as_json: bool = False) -> int:
    """Draws the generations of a log again, from its seed and its times, and prints what is the same."""
    known = generations_of(lines)
    generations = replay_log(lines[0], known, settings_of(lines[0]))
    count = sum(map(len, generations))
    if as_json:
        print(json.dumps({"generations": len(generations), "candidates": count, "log": lines}, indent=1))
        return 0
    print(f"{len(generations)} generations with {count} candidates, each the same as in the log")
    print("\n".join(table(lines)))
    return 0


def table(lines: list[Line]) -> list[str]:
    """The final comparison for a person; the way there where there is none."""
    final = next((line for line in lines if line["event"] == "final"), None)
    if final is None:
        timed = sum(line["event"] == "timed" for line in lines)
        return [f"{timed} schedules timed; no final comparison yet"]
    rows = []
    for entry in sorted(final["entries"], key=lambda candidate: candidate["median"]):
        ratio, interval = entry["ratio"], f"{duration(entry['low'])} to {duration(entry['high'])}"
        beside = f"{ratio['value']:.2f} × ({ratio['low']:.2f} to {ratio['high']:.2f})"
        # Logs of before were judged by their interval alone.
        said = entry.get("statement", "tied with the fastest" if entry["tie"] else "")
        rows.append(
            f"{duration(entry['median']):>9}  {interval:<20}  {beside:<24}  {entry['label']}: {said}".rstrip(": ")
        )
        formats = "".join(f"{name} as {format}; " for name, format in entry["formats"].items())
        if entry["plan"] is not None:
            rows.append(f"           {formats}{'; '.join(entry['schedule']) or 'no command'}")
    control = final["control"]
    if control is not None:
        quiet = (
            "no difference, as it must be" if control["quiet"] else "an impossible difference: the machine was noisy"
        )
        rows.append(f"A/A control: {control['value']:.3f} ({control['low']:.3f} to {control['high']:.3f}), {quiet}")
    if final["gain"] is not None:
        gain = final["gain"]
        said = f": {gain['statement']}" if "statement" in gain else ""
        ratio = f"{gain['value']:.2f} × ({gain['low']:.2f} to {gain['high']:.2f})"
        is_fastest = gain["low"] == gain["high"] == 1  # beside itself
        rows.append("the rules' schedule is the fastest" if is_fastest else f"{BESIDE_FASTEST} {ratio}{said}")
    return rows


def _log_so_far(path: Path | None) -> list[Line]:
    """What a search goes on behind. Raises SourceError."""
    if path is not None and path.exists() and not path.is_file():
        raise SourceError(f"{path}: expected a file to go on with, found a folder, a device or a pipe")
    if path is None or not path.exists() or not path.stat().st_size:
        return []
    return resumable(read_log(read_text(path, LARGEST_LOG, "a log")))


def _require_writable(path: Path) -> None:
    """Before the search, which would be lost. Raises SourceError."""
    new = path.with_name(f"{path.name}.new")
    try:
        with new.open("a", encoding="utf-8"):
            pass
        if not path.exists():
            new.replace(path)  # what goes on behind an empty log begins anew
        else:
            new.unlink()
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror or error}") from None


def _where_it_goes_on(path: Path | None) -> str:
    if path is None:
        return "nothing is kept; with --log FILE a search can go on later"
    timed = sum(line["event"] == "timed" for line in _log_so_far(path))
    return f"{path} has {timed} timed schedules, and the same command goes on from there"


def _keeper(path: Path | None) -> Callable[[Sequence[Line]], None]:
    return (lambda lines: None) if path is None else (lambda lines: _write(path, lines))


def _write(path: Path, lines: Sequence[Line]) -> None:
    """The whole log, or what was there before: a log that is broken off in the middle has lost its search."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(to_text(lines), encoding="utf-8")
    new.replace(path)
