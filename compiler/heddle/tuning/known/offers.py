"""What is known of a plan, as schedules in its own names. Nothing is offered that does not compile here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heddle.diagnostics import CompileError, Severity
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.known.canonical import Canonical, as_written, canonical_of, with_derived_loops
from heddle.tuning.known.entry import Entry, Known, Tuned
from heddle.tuning.known.key import Key, key_of
from heddle.tuning.known.renaming import from_canonical, to_canonical
from heddle.tuning.known.resolved import earlier_forms
from heddle.tuning.known.store import Store

NEARNESS = ("this very case", "other entries, same sizes", "sizes that are not all known", "other sizes",
            "another compiler or version", "another machine", "another target")  # fmt: skip
"""How far the case of an entry is from the one at hand, the nearest first."""


@dataclass(frozen=True, slots=True)
class Offer:
    """``plan`` is the one that was asked about with the tuned schedule, and with the formats that it was tuned for; it
    compiles. ``exact``: it was found for this very key; otherwise ``nearness`` says what differs. ``tied``: no other of
    its entry was told to be faster."""

    plan: Plan
    tuned: Tuned
    entry: Entry
    nearness: int
    tied: bool

    @property
    def exact(self) -> bool:
        return self.nearness == 0


@dataclass(frozen=True, slots=True)
class KeptOut:
    """A schedule that is known and not offered, with the reason."""

    tuned: Tuned
    entry: Entry
    reason: str


@dataclass(frozen=True, slots=True)
class Lookup:
    """What ``offers_for`` finds: the nearest offers first."""

    canonical: Canonical
    key: Key
    offers: tuple[Offer, ...]
    kept_out: tuple[KeptOut, ...]


def offers_for(
    plan: Plan,
    store: Store,
    statistics: Mapping[str, Statistics] | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> Lookup:
    """Everything that ``store`` knows of what ``plan`` computes, whose own schedule is left out.

    Raises
    ------
    CompileError
        the expression or a format is wrong, or its language has no statements.
    """
    canonical = canonical_of(plan)
    key = key_of(plan, canonical, statistics, shapes)
    offers: list[Offer] = []
    kept_out: list[KeptOut] = []
    for form in _forms(plan, canonical):
        for entry, tuned in _schedules(store.find(form.digest)):
            outcome = compile_offer(plan, form, tuned)
            if isinstance(outcome, str):
                kept_out.append(KeptOut(tuned, entry, outcome))
            else:
                offers.append(Offer(outcome, tuned, entry, distance(key, entry), tuned in entry.best))
    offers.sort(key=lambda offer: (offer.nearness, offer.tuned.median))
    return Lookup(canonical, key, tuple(offers), tuple(kept_out))


def distance(key: Key, entry: Entry) -> int:
    """The place in :data:`NEARNESS` of the first thing that differs, the gravest first."""
    mine, other = key.document(), entry.key
    if entry.digest == key.digest or {**other, "program": key.program} == mine:
        return 0
    if mine["target"] != other.get("target"):
        return 6
    if mine["machine"] != other.get("machine"):
        return 5
    if any(mine[name] != other.get(name) for name in ("compiler", "generator", "order", "convert", "version")):
        return 4
    return _distance_of_sizes(_facts(mine, "shape"), _facts(other, "shape"))


def _distance_of_sizes(mine: Mapping[str, object], others: Mapping[str, object]) -> int:
    """Sizes differ where both are known. Where the data of a plan do not tell all of them, nobody knows."""
    if mine.keys() != others.keys():
        return 3
    pairs = [(size, other) for name in mine for size, other in _pairs(mine[name], others[name])]
    if any(size != other for size, other in pairs if size is not None and other is not None):
        return 3
    return 2 if any(size is None or other is None for size, other in pairs) else 1


def _pairs(shape: object, other: object) -> list[tuple[object, object]]:
    """The sizes of two shapes, dimension by dimension; one pair that differs for shapes of other lengths."""
    if not isinstance(shape, list) or not isinstance(other, list) or len(shape) != len(other):
        return [(0, 0)] if shape == other else [(0, 1)]
    return list(zip(shape, other, strict=True))


def known_of(plan: Plan, key: Key, canonical: Canonical, measurements: tuple[tuple[Plan, Tuned], ...]) -> Known:
    """A file of schedules that were found for ``plan``, to be joined to a store. Each comes as the plan that was
    measured, which may have other formats, with a :class:`Tuned` whose schedule and formats are filled in here.

    Raises
    ------
    CompileError
        a schedule does not parse.
    """
    schedules: list[Tuned] = []
    for measured, tuned in measurements:
        names = with_derived_loops(canonical, measured).names
        formats = {
            canonical.tensors[name]: spec.format or "dense"
            for name, spec in measured.tensors.items()
            if spec.format != plan.tensors.get(name, TensorSpec()).format
        }
        schedules.append(replace(tuned, schedule=to_canonical(measured.schedule, names), formats=formats))
    whole = (Entry(key.digest, key.document(), ()).with_more(tuple(schedules)),)
    return Known(canonical.digest, canonical.text, canonical.expression, whole, plan.language)


def _forms(plan: Plan, canonical: Canonical) -> Iterator[Canonical]:
    """``canonical`` first, then those under which the same was kept before."""
    seen = {canonical.digest}
    yield canonical
    for earlier in earlier_forms(plan):
        try:
            form = as_written(earlier)
        except CompileError:
            continue  # sizes that shapes contradict have no form
        if form.digest not in seen:
            seen.add(form.digest)
            yield form


def _schedules(known: Known | None) -> Iterator[tuple[Entry, Tuned]]:
    for entry in known.entries if known is not None else ():
        for tuned in entry.schedules:
            yield entry, tuned


def compile_offer(plan: Plan, canonical: Canonical, tuned: Tuned) -> Plan | str:
    """The plan with the schedule, or why not."""
    tensor_names = {short: name for name, short in canonical.tensors.items()}
    tensors = dict(plan.tensors)
    for short, format in (tuned.formats or {}).items():
        if short not in tensor_names:
            return f"It has a format for {short}, which this program does not have."
        tensors[tensor_names[short]] = replace(tensors.get(tensor_names[short], TensorSpec()), format=format)
    changed = replace(plan, tensors=tensors, schedule=())
    try:
        schedule = from_canonical(tuned.schedule, with_derived_loops(canonical, changed).names)
    except CompileError as error:
        return error.diagnostics[0].message
    result = lower(replace(changed, schedule=schedule))
    if not result.ok:
        return next(diagnostic.message for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR)
    return result.plan


def _facts(key: Mapping[str, object], fact: str) -> dict[str, object]:
    tensors = key.get("tensors")
    tensor_facts = tensors if isinstance(tensors, dict) else {}
    return {name: facts.get(fact) for name, facts in tensor_facts.items() if isinstance(facts, dict)}
