"""All predicates by name, and whether a fact in a check is one of them."""

from __future__ import annotations

from heddle.diagnostics import nearest
from heddle_server.lessons.condition import Fact, Value
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.predicates import cost, graph, storage, trace, types
from heddle_server.lessons.predicates.predicate import Predicate

PARTS = (storage, graph, trace, cost, types)
TABLE: dict[str, Predicate] = {predicate.name: predicate for part in PARTS for predicate in part.PREDICATES}


def check_fact(fact: Fact, questions: tuple[str, ...] = ()) -> str | None:
    """What is wrong with a fact before anything is known of a plan; None for nothing."""
    known = TABLE.get(fact.name)
    if known is None:
        close = nearest(fact.name, tuple(TABLE))
        meant = f": did you mean {' or '.join(close)}?" if close else f"; there are {', '.join(TABLE)}"
        return f"there is no fact {fact.name}{meant}"
    least, most = len(known.parameters) - known.optional, len(known.parameters)
    if not least <= len(fact.arguments) <= most:
        return f"expected {known.spelled}, found {fact}"
    for (name, kind), argument in zip(known.parameters, fact.arguments, strict=False):
        if isinstance(argument, float) != (kind == "number"):
            return f"expected a {kind} as the {name} of {known.spelled}, found {argument}"
    if fact.name.startswith("answer.") and fact.arguments[0] not in questions:
        return (
            f"there is no question {fact.arguments[0]} in this task: expected one of {', '.join(questions) or 'none'}"
        )
    return None


def find(fact: Fact, evidence: Evidence) -> Value:
    """Raises Unknown where the plan has no such fact."""
    if fact.of_start:
        if evidence.start is None:
            raise Unknown("there is no plan at the start")
        return find(Fact(fact.name, fact.arguments), evidence.start)
    known = TABLE[fact.name]
    return known.find(evidence, *fact.arguments)
