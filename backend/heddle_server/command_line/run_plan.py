"""``heddle run plan.json``: the same child process as the service's, without the service. The document of an algorithm
runs here (``run_algorithm.py``)."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heddle.cli.parsing import UsageError
from heddle.cli.read import LARGEST_PLAN
from heddle.cli.source import name_of, read_json
from heddle.cli.status import Status
from heddle.diagnostics import CompileError, Diagnostic
from heddle.plan import Plan, parse_plan
from heddle_server.command_line.own_inputs import with_inputs
from heddle_server.command_line.progress_lines import ProgressLines
from heddle_server.command_line.result_table import result_table
from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.children.sight import sight_of
from heddle_server.engine.cluster.run_task import RunOrder, execute_in_slot
from heddle_server.services.data.unknown_dataset import unknown_dataset
from heddle_server.services.data.uploads import UploadStore
from heddle_server.services.runs.documents import json_of
from heddle_server.services.runs.run_orders import limits_of
from heddle_server.settings import Settings

if TYPE_CHECKING:
    from heddle.algorithms.algorithm import Algorithm


def run_plan(source: Path, inputs: Sequence[str] = (), *, as_json: bool) -> int:
    """Prints the result on stdout and progress on stderr. Returns 0 for a verified result, else 1.

    Raises
    ------
    CompileError
        for a plan that is not valid. SourceError, UsageError: for a file and an input that are not.
    """
    document = read_document(source)
    if isinstance(document, dict) and "algorithm" in document:
        # A plan goes without what they import, which would double its start.
        from heddle.algorithms.document.reader import parse_algorithm
        from heddle_server.command_line.run_algorithm import run_algorithm

        if inputs:
            raise UsageError("--input is for plans; the document of an algorithm names its tensor itself")
        algorithm = parse_algorithm(document)
        return run_algorithm(algorithm, dataset_paths(algorithm.inputs, Settings()), as_json=as_json)
    plan, paths = with_inputs(parse_plan(document), inputs)
    outcome = execute(plan, Settings(), paths=paths)
    if outcome.result is None:
        return say_ending(outcome, source)
    print(json.dumps(outcome.result, indent=2) if as_json else result_table(outcome.result))
    return 0 if outcome.result["verification"]["ok"] else 1


def read_document(source: Path) -> object:
    """Raises SourceError, whose text a person can read."""
    return read_json(source, LARGEST_PLAN, "a plan")


def say_ending(outcome: Outcome, source: str | Path | None = None) -> int:
    """Why there is no result of the plan in ``source``."""
    name = "" if source is None else f"{name_of(source)}: "
    say_problem(f"{name}{outcome.title}: {outcome.detail}", outcome.diagnostics or [])
    return Status.REFUSED


def execute(
    document: Plan | Algorithm, settings: Settings, *, brief: bool = False, paths: Mapping[str, str] | None = None
) -> Outcome:
    """A run of a plan or of an algorithm; ``brief``: timed for less long, as where others wait. ``paths`` are files
    beside those of the server, by identity."""
    files = paths or {}
    others = {
        tensor: source for tensor, source in document.inputs.items() if str(source.get("upload", "")) not in files
    }
    job: dict[str, Any] = {
        "plan": json_of(document),
        "datasets": {**dataset_paths(others, settings), **files},
        "brief": brief,
    }
    order = RunOrder("shell", 1, "", settings.run_child_module, job, limits_of(settings, job["plan"]))
    progress = ProgressLines(sys.stderr)
    try:
        return execute_in_slot(order, settings.timing_lock, threading.Event(), progress, sight_of(settings))
    finally:
        progress.end()


def dataset_paths(inputs: Mapping[str, Mapping[str, object]], settings: Settings) -> dict[str, str]:
    """Raises CompileError for a dataset that is neither built in nor uploaded to the data directory."""
    known = {dataset.id: dataset.path for dataset in builtin_datasets()}
    uploads = UploadStore(settings)
    paths: dict[str, str] = {}
    for tensor, source in inputs.items():
        identity = source.get("dataset", source.get("upload"))
        if not isinstance(identity, str):
            continue
        path = known.get(identity) or uploads.find(identity)
        if path is None:
            raise CompileError(unknown_dataset(tensor, identity, tuple(known)))
        paths[identity] = str(path)
    return paths


def say_problem(text: str, diagnostics: list[dict[str, Any]]) -> None:
    print(f"heddle: {text}", file=sys.stderr)
    for diagnostic in diagnostics:
        for word in ("expected", "found", "hint"):
            if diagnostic.get(word):
                print(f"  {word}: {diagnostic[word]}", file=sys.stderr)


def vars_of(diagnostic: Diagnostic) -> dict[str, Any]:
    return {"expected": diagnostic.expected, "found": diagnostic.actual, "hint": diagnostic.hint}
