"""A schedule with the formats that the rules would rather have, from the operands themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from heddle.plan import Plan
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.search.format_offers import suggest_formats, why_csr_stays
from heddle.tuning.search.suggest import Suggestion, suggest


def suggest_with_formats(
    plan: Plan,
    statistics: Mapping[str, Statistics],
    entries: Mapping[str, Entries],
    machine: Machine,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> Suggestion:
    """The schedule that :func:`suggest` chooses, with offers of formats and their reasons, for a plan of statements.

    Parameters
    ----------
    statistics, entries
        Of sparse operands by name, as far as they are known.

    Raises
    ------
    CompileError
        As :func:`suggest`.
    """
    suggestion = suggest(plan, statistics, machine, shapes)
    offers = suggest_formats(plan, entries, machine)
    stays = () if offers else why_csr_stays(plan, entries, machine)
    return replace(suggestion, reasons=(*suggestion.reasons, *stays), formats=offers)
