"""Files from elsewhere: what of them compiles here goes into the store, the rest is kept out with its reason."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic
from heddle.frontends.table import front_end_of
from heddle.plan import Plan, parse_plan
from heddle.tuning.known.canonical import canonical_of
from heddle.tuning.known.entry import Entry, Known, Tuned
from heddle.tuning.known.offers import KeptOut, compile_offer


def check(known: Known) -> tuple[Known, tuple[KeptOut, ...]]:
    """``known`` with what compiles here, and what does not. Entries of other machines stay: each says whose it is.

    Raises
    ------
    CompileError
        ``tuned/program`` where the digest is not that of the expression; its own mistakes.
    """
    digest = canonical_of(Plan(known.expression, language=known.language)).digest
    if digest != known.program:
        raise CompileError(
            Diagnostic(
                "tuned/program",
                f"The file says that it is about {known.program[:12]}, but {known.expression} is {digest[:12]}.",
                expected=digest,
                actual=known.program,
                hint="The file was changed, or it was written by a version with another canonical form. Tune again.",
            )
        )
    entries: list[Entry] = []
    out: list[KeptOut] = []
    for entry in known.entries:
        good: list[Tuned] = []
        for tuned in entry.schedules:
            reason = _reason(known, entry, tuned)
            if reason is None:
                good.append(tuned)
            else:
                out.append(KeptOut(tuned, entry, reason))
        if good:
            entries.append(replace(entry, schedules=tuple(good)))
    return replace(known, entries=tuple(entries)), tuple(out)


def _reason(known: Known, entry: Entry, tuned: Tuned) -> str | None:
    """Why ``tuned`` does not compile here, None where it does."""
    try:
        plan = _plan_of(known, entry)
        outcome = compile_offer(plan, canonical_of(plan), tuned)
    except CompileError as error:
        return error.diagnostics[0].message
    return outcome if isinstance(outcome, str) else None


def _plan_of(known: Known, entry: Entry) -> Plan:
    """The plan that an entry is about, as far as its key tells: without inputs."""
    listed = entry.key.get("tensors")
    front_end = front_end_of(known.language)
    named = front_end.tensors(front_end.parse(known.expression))
    tensors = {
        name: {word: facts[word] for word in ("format", "dtype") if word in facts}
        for name, facts in (listed if isinstance(listed, dict) else {}).items()
        if isinstance(facts, dict) and name in named
    }
    return parse_plan(
        {
            "version": entry.key.get("order"),
            "expression": known.expression,
            "language": known.language,
            "tensors": tensors,
            "target": entry.key.get("target"),
            "options": {"convert": entry.key.get("convert")},
        }
    )
