"""cost.*, event.*, plan.*, answer.* and run.*: formulas, refusals, changes, what the student said, measurements."""

from __future__ import annotations

from collections import Counter
from math import isfinite
from typing import Any

from heddle.explorer.cost_report.work import Term, work_text
from heddle.formats.printer import format_text
from heddle.measuring.verdicts import NOISY
from heddle_server.lessons.condition import Value
from heddle_server.lessons.evidence import Evidence, Unknown
from heddle_server.lessons.predicates.predicate import predicate


def _terms(evidence: Evidence) -> list[Term]:
    terms = evidence.work
    if terms is None:
        raise Unknown("there is no formula for the work of this plan: its formats have padding or blocks")
    return terms


@predicate("cost.formula", "text")
def formula(evidence: Evidence) -> Value:
    """The work as a formula: nnz(A) for the entries of A, segments(A, 2) for those of its second level, J for the size
    of j."""
    return work_text(_terms(evidence))


@predicate("cost.work", "operations")
def work(evidence: Evidence) -> Value:
    """The formula's value on the data of the task; it equals trace.work."""
    return sum(term.value for term in _terms(evidence))


@predicate("cost.has", "truth", ("term", "word"))
def has(evidence: Evidence, term: str) -> Value:
    """Whether the formula has this term, in quotes: "segments(B, 2) * J"."""
    return term.replace(" ", "") in {term.text.replace(" ", "") for term in _terms(evidence)}


@predicate("cost.size", "coordinates", ("variable", "word"))
def size(evidence: Evidence, variable: str) -> Value:
    """The size of the dimension that a variable of the expression runs over, or a size (nFun) of a program of
    patterns."""
    extent = evidence.run.sizes.get(variable)
    if extent is None:
        raise Unknown(f"there is no variable {variable} in the expression")
    return extent


@predicate("cost.bytes", "bytes")
def bytes_moved(evidence: Evidence) -> Value:
    """Bytes that must move at least once: every operand and the result, as they are stored."""
    evidence.of_statements()
    return evidence.count_with(lambda account: account.bytes_moved)


@predicate("cost.intensity", "operations per byte")
def intensity(evidence: Evidence) -> Value:
    """Multiplications and additions, two for each operation of the work, over the bytes that must move."""
    evidence.of_statements()
    return evidence.count_with(lambda account: account.intensity)


@predicate("cost.bound", "text")
def bound(evidence: Evidence) -> Value:
    """memory or compute: which of the two a typical core waits for, 4 operations for each byte being the border."""
    evidence.of_statements()
    return evidence.count_with(lambda account: account.bound)


@predicate("event.refused", "truth", ("code", "word"), optional=1)
def refused(evidence: Evidence, code: str | None = None) -> Value:
    """The compiler refuses the plan; with a code, for that reason: "schedule/race"."""
    errors = [diagnostic.code for diagnostic in evidence.result.diagnostics if diagnostic.severity == "error"]
    return bool(errors) if code is None else code in errors


@predicate("plan.changed", "changes", ("part", "word"))
def changed(evidence: Evidence, part: str) -> Value:
    """How much of the plan differs from the start: formats counts tensors whose format is another, however it is
    spelled; schedule counts commands that were added or dropped."""
    if evidence.start is None:
        raise Unknown("there is no plan at the start")
    match part:
        case "formats":
            formats, first = _formats(evidence), _formats(evidence.start)
            return sum(formats.get(name) != first.get(name) for name in formats.keys() | first.keys())
        case "schedule":
            commands, before = (Counter(map(_plain, plan.written)) for plan in (evidence, evidence.start))
            return ((commands - before) | (before - commands)).total()
        case _:
            raise Unknown(f"expected formats or schedule, found {part}")


def _formats(evidence: Evidence) -> dict[str, str]:
    signature = evidence.result.signature
    if signature is None:
        raise Unknown(f"formats are known of a plan that compiles: {evidence.refusal}")
    return {name: format_text(tensor.format) for name, tensor in signature.tensors.items()}


def _plain(command: str) -> str:
    return "".join(command.split())


@predicate("answer.given", "truth", ("question", "word"))
def given(evidence: Evidence, question: str) -> Value:
    """The question has an answer."""
    return question in evidence.answers


@predicate("answer.to", "text", ("question", "word"))
def answer(evidence: Evidence, question: str) -> Value:
    """What the student answered: a number where it is one that counts something, else the text."""
    answer = evidence.answers.get(question)
    if answer is None or answer == "":
        raise Unknown(f"the question {question} has no answer yet")
    if isinstance(answer, str):
        try:
            number = float(answer.replace(",", ""))
        except ValueError:
            return answer.strip()
        return number if isfinite(number) else answer.strip()
    return answer


def _run(evidence: Evidence) -> dict[str, Any]:
    if evidence.timed is None:
        raise Unknown("this plan has not been run: press Run, and check again when it is done")
    return dict(evidence.timed)


@predicate("run.verified", "truth")
def verified(evidence: Evidence) -> Value:
    """A run of exactly this plan on real data ended, and its result was verified. For medals alone."""
    return bool(_run(evidence).get("entries"))


@predicate("run.ratio", "times", ("baseline", "word"))
def ratio(evidence: Evidence, baseline: str) -> Value:
    """How many times as long a baseline took: the lower end of the interval. For medals alone."""
    for entry in _run(evidence).get("entries", []):
        ratio = entry.get("ratio_to_heddle")
        if entry.get("id") == baseline and ratio is not None:
            if ratio.get("doubt") or ratio.get("statement") == NOISY:
                raise Unknown(f"from this run nothing follows ({ratio['statement']}): press Run again")
            return float(ratio["low"])
    raise Unknown(f"the run has no comparison with {baseline}")


PREDICATES = (formula, work, has, size, bytes_moved, intensity, bound, refused, changed, given, answer, verified, ratio)
