"""``heddle tuned list|show|export|import|forget``: what this machine knows from searches for schedules."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from heddle.cli.source import SourceError, name_of
from heddle.plan import Plan, parse_plan
from heddle.runtime.checkout import PROGRAM
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.known.entry import Entry, Known, read_known
from heddle.tuning.known.imported import check
from heddle.tuning.known.key import machine_name
from heddle.tuning.known.offers import NEARNESS, KeptOut, Lookup, offers_for
from heddle.tuning.known.store import Store, store_here
from heddle_server.command_line.run_plan import dataset_paths, read_document
from heddle_server.duration import duration
from heddle_server.services.compiling.suggestion_worker import looked_at
from heddle_server.settings import Settings


def run_tuned(options: Namespace) -> int:
    """Returns 0 when it was done, 1 for what is not known. Raises CompileError and SourceError for a wrong file."""
    commands: dict[str, Callable[[Namespace, Store], int]] = {
        "list": list_known, "show": show, "export": export, "import": import_file, "forget": forget,
    }  # fmt: skip
    return commands[options.action](options, store_here())


def list_known(options: Namespace, store: Store) -> int:
    known = list(store.all())
    if options.json:
        print(json.dumps([record.document() for record in known], indent=2))
        return 0
    for record in known:
        print(f"{record.program[:12]}  {record.expression}")
        for entry in record.entries:
            print("\n".join(f"  {line}" for line in lines_of(entry)))
    if not known:
        print(f"Nothing yet: {PROGRAM} tune plan.json searches for schedules and keeps what it finds.")
    return 0


def lines_of(entry: Entry) -> list[str]:
    """For whom an entry is, and its fastest schedules."""
    here = entry.key.get("machine") == machine_name(None)
    facts = entry.key.get("tensors")
    tensors = [f"{name} {_facts(tensor)}" for name, tensor in (facts if isinstance(facts, dict) else {}).items()]
    lines = [f"{entry.digest[:12]}  {'this machine' if here else 'another machine'}: {', '.join(tensors)}"]
    for schedule in entry.schedules:
        mark = "=" if schedule in entry.best else " "
        interval = f"{duration(schedule.low)} to {duration(schedule.high)}"
        commands = "; ".join(schedule.schedule) or "no command"
        formats = "".join(f" {name} as {format}," for name, format in (schedule.formats or {}).items())
        lines.append(
            f"  {mark} {duration(schedule.median)} ({interval}), {schedule.date[:10]}, "
            f"{schedule.strategy}:{formats} {commands}"
        )
    return lines


def show(options: Namespace, store: Store) -> int:
    """What is known of a plan, in its own names."""
    document = read_document(options.plan)
    plan = parse_plan(document)
    lookup_result = lookup(plan, store, Settings())
    if options.json:
        print(json.dumps(lookup_document(lookup_result), indent=2))
        return 0 if lookup_result.offers else 1
    print(f"canonical form: {lookup_result.canonical.expression}")
    print("  " + ", ".join(f"{name} is {short}" for name, short in lookup_result.canonical.names.items()))
    for offer in lookup_result.offers:
        tie = ", as fast as any other of its search" if offer.tied else ""
        print(f"{duration(offer.tuned.median)} ({NEARNESS[offer.nearness]}{tie}, {offer.tuned.date[:10]})")
        print("\n".join(f"  {command}" for command in offer.plan.schedule) or "  no command")
    print("\n".join(kept_out_lines(lookup_result.kept_out)), end="\n" if lookup_result.kept_out else "")
    if not lookup_result.offers:
        print("No schedule is known for it here.")
    return 0 if lookup_result.offers else 1


def lookup(plan: Plan, store: Store, settings: Settings) -> Lookup:
    """What ``store`` knows of ``plan``, whose operands are looked at."""
    entries, _ = looked_at(plan, dataset_paths(plan.inputs, settings))
    statistics = {name: statistics_of(operand, order) for name, (operand, order) in entries.items()}
    return offers_for(plan, store, statistics)


def lookup_document(lookup_result: Lookup) -> dict[str, Any]:
    offers = [
        {
            "schedule": list(offer.plan.schedule),
            "nearness": NEARNESS[offer.nearness],
            "tied": offer.tied,
            **_numbers(offer),
        }
        for offer in lookup_result.offers
    ]
    kept_out = [
        {"schedule": list(rejection.tuned.schedule), "reason": rejection.reason} for rejection in lookup_result.kept_out
    ]
    canonical = {
        "expression": lookup_result.canonical.expression,
        "digest": lookup_result.canonical.digest,
        "key": lookup_result.key.digest,
    }
    return {**canonical, "names": lookup_result.canonical.names, "offers": offers, "kept_out": kept_out}


def export(options: Namespace, store: Store) -> int:
    """Files of these programs, or of all, as one JSON list on stdout."""
    print(json.dumps([record.document() for record in select_known(store, options.programs)], indent=1))
    return 0


def import_file(options: Namespace, store: Store) -> int:
    document = read_document(options.file)
    listed = document if isinstance(document, list) else [document]
    for record in listed:
        if not isinstance(record, dict):
            raise SourceError(
                f"{name_of(options.file)} does not come from heddle tuned export: expected a list of objects"
            )
    joined = [check(read_known(record)) for record in listed]
    if not joined:
        print(f"{name_of(options.file)} holds no schedules")
    for known, kept_out in joined:
        if known.entries:
            store.join(known)
        count = sum(len(entry.schedules) for entry in known.entries)
        print(f"{known.program[:12]}  {known.expression}: {count} taken, {len(kept_out)} kept out")
        print("\n".join(kept_out_lines(kept_out)), end="\n" if kept_out else "")
    return 0


def forget(options: Namespace, store: Store) -> int:
    for known in select_known(store, [options.program]):
        removed = store.forget(known.program, options.entry)
        noun = "entry" if removed == 1 else "entries"
        print(f"{known.program[:12]}  {known.expression}: {removed} {noun} forgotten")
    return 0


def select_known(store: Store, programs: Sequence[str]) -> Iterable[Known]:
    """Those whose digests begin so; all where none is named. Raises SourceError for one that is not known."""
    known = list(store.all())
    for beginning in programs:
        if not any(record.program.startswith(beginning) for record in known):
            raise SourceError(f"no program begins with {beginning}; {PROGRAM} tuned list names those that are known")
    return [record for record in known if not programs or record.program.startswith(tuple(programs))]


def kept_out_lines(kept_out: Sequence[KeptOut]) -> list[str]:
    return [
        f"  kept out: {'; '.join(rejection.tuned.schedule) or 'no command'}: {rejection.reason}"
        for rejection in kept_out
    ]


def _numbers(offer: Any) -> dict[str, Any]:
    tuned = offer.tuned.document()
    return {name: tuned[name] for name in ("median", "low", "high", "samples", "gain", "date", "machine", "strategy")}


def _facts(tensor: Any) -> str:
    shape = "×".join("?" if size is None else str(size) for size in tensor.get("shape", ())) or "scalar"
    return f"{tensor.get('format')} {shape} {tensor.get('dtype')}"
