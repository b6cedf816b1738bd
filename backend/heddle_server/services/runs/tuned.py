"""What this machine knows from searches: files of tuned schedules, read and joined off the event loop."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

from heddle.diagnostics import CompileError
from heddle.plan import Plan, parse_plan, to_document
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.known.entry import Entry, Known, Tuned, read_known
from heddle.tuning.known.imported import check
from heddle.tuning.known.key import machine_name
from heddle.tuning.known.offers import NEARNESS, KeptOut, Offer, offers_for
from heddle.tuning.known.store import store_here
from heddle_server.schema.tuned import KeptOutView, KnownView, LookupView, OfferView, ScheduleView
from heddle_server.services.compiling.suggestion_worker import looked_at

logger = logging.getLogger("heddle.tuned")


def remember(log: Sequence[dict[str, Any]]) -> None:
    """Joins what a finished search found; what cannot be kept is logged, and the search has ended all the same."""
    for line in log:
        if line["event"] == "known":
            try:
                store_here().join(read_known(line["known"]))
            except (OSError, CompileError) as error:
                logger.error("what a search found cannot be kept: %s", error)


def list_known() -> list[KnownView]:
    """Everything, program by program."""
    return [known_view(known) for known in store_here().all()]


def lookup(document: dict[str, Any], paths: dict[str, str]) -> LookupView:
    """What is known of a plan, in its own names; ``paths`` are of its data. Raises CompileError."""
    plan = parse_plan(document)
    entries, _ = looked_at(plan, paths)
    lookup_result = offers_for(
        plan, store_here(), {name: statistics_of(operand, order) for name, (operand, order) in entries.items()}
    )
    return {
        "program": lookup_result.canonical.digest,
        "canonical": lookup_result.canonical.expression,
        "names": lookup_result.canonical.names,
        "key": lookup_result.key.digest,
        "offers": [offer_view(offer, plan) for offer in lookup_result.offers],
        "kept_out": [kept_out_view(rejection) for rejection in lookup_result.kept_out],
    }


def lookup_document(document: dict[str, Any], paths: dict[str, str]) -> bytes:
    """The same as JSON bytes, as compile processes answer."""
    return json.dumps(lookup(document, paths), separators=(",", ":"), allow_nan=False).encode()


def import_known(document: object) -> list[KeptOutView]:
    """Joins a file, or a list of them, and says what was kept out. Raises CompileError."""
    kept_out: list[KeptOutView] = []
    for record in document if isinstance(document, list) else [document]:
        known, out = check(read_known(record))
        if known.entries:
            store_here().join(known)
        kept_out += map(kept_out_view, out)
    return kept_out


def known_view(known: Known) -> KnownView:
    return {
        "program": known.program,
        "expression": known.expression,
        "entries": [
            {
                "key": entry.digest,
                "here": entry.key.get("machine") == machine_name(None),
                "tensors": _tensors(entry),
                "schedules": [schedule_view(schedule, schedule in entry.best) for schedule in entry.schedules],
            }
            for entry in known.entries
        ],
    }


def schedule_view(tuned: Tuned, tied: bool) -> ScheduleView:
    return {
        "schedule": list(tuned.schedule),
        "formats": dict(tuned.formats or {}),
        "median_ns": tuned.median,
        "low_ns": tuned.low,
        "high_ns": tuned.high,
        "samples": tuned.samples,
        "gain": tuned.gain,
        "date": tuned.date,
        "machine": tuned.machine,
        "strategy": tuned.strategy,
        "tied": tied,
    }


def offer_view(offer: Offer, asked: Plan) -> OfferView:
    formats = {name: spec.format or "dense" for name, spec in offer.plan.tensors.items()}
    before = {name: spec.format or "dense" for name, spec in asked.tensors.items()}
    shown = schedule_view(offer.tuned, offer.tied)
    return {
        **shown,
        "schedule": list(offer.plan.schedule),
        "formats": {name: format for name, format in formats.items() if before.get(name, "dense") != format},
        "nearness": NEARNESS[offer.nearness],
        "exact": offer.exact,
        "plan": to_document(offer.plan),
    }


def kept_out_view(rejection: KeptOut) -> KeptOutView:
    return {"schedule": list(rejection.tuned.schedule), "reason": rejection.reason}


def _tensors(entry: Entry) -> list[str]:
    tensors = entry.key.get("tensors")
    descriptions: list[str] = []
    for name, facts in (tensors if isinstance(tensors, dict) else {}).items():
        shape = " × ".join("?" if size is None else str(size) for size in facts.get("shape", ())) or "scalar"
        descriptions.append(f"{name}: {facts.get('format')}, {shape}, {facts.get('dtype')}")
    return descriptions
