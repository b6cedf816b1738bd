"""Runs a strategy: asks for generations, has what is new measured, and writes the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

import numpy as np

from heddle.diagnostics import CompileError, Diagnostic
from heddle.plan import Plan, plan_hash
from heddle.tuning.genes.space import Genome, Space
from heddle.tuning.session.log import Line, Recorded, Settings
from heddle.tuning.strategies.strategy import Generation, Problem, Proposed
from heddle.tuning.strategies.table import strategy_named

NOT_MEASURED = "the budget was used up"

STALE = 200
"""Generations without anything new to measure, after which a search ends: it goes in circles."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of a candidate: the median of its samples in seconds, or why there is none. ``bytes`` are those of its operands
    as they are stored, its results and its workspaces, where they are known."""

    seconds: float | None
    samples: int = 0
    reason: str = ""
    bytes: int | None = None


class Evaluate(Protocol):
    """Verifies and times plans that compile, in their order, nothing while something is built. Fewer answers than plans
    mean that it was stopped."""

    def __call__(self, plans: Sequence[Plan]) -> Iterable[Outcome]: ...


@dataclass(slots=True)
class Progress:
    """What has been found: by the hash of its plan the outcome of each candidate, in the order in which they came."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)
    candidates: int = 0
    generations: int = 0
    stale: int = 0
    stopped: bool = False

    def ranking(self) -> list[tuple[Plan, float]]:
        """What was measured, the fastest first."""
        timed = (
            (self.plans[name], outcome.seconds)
            for name, outcome in self.outcomes.items()
            if outcome.seconds is not None
        )
        return sorted(timed, key=lambda pair: pair[1])


class _Answers:
    """Whether genomes are valid: as a log has it while it goes on, then as the space says. Keeps every answer, and
    counts the reasons."""

    def __init__(self, space: Space | None) -> None:
        self._space = space
        self.recorded: Iterator[str] | None = None
        self.history: list[str] = []
        self.reasons: Counter[str] = Counter()

    def begin(self, recorded: str | None) -> None:
        self.recorded = None if recorded is None else iter(recorded)
        self.history, self.reasons = [], Counter()

    def __call__(self, genome: Genome) -> bool:
        if self.recorded is not None:
            answer = next(self.recorded, None)
            if answer is None:
                raise _differs("it asks about more genomes than the log has answers")
        else:
            assert self._space is not None
            refused = self._space.refusal(genome)
            answer = "1" if refused is None else "0"
            if refused is not None:
                self.reasons[refused.code] += 1
        self.history.append(answer)
        return answer == "1"


def search(
    space: Space,
    settings: Settings,
    evaluate: Evaluate,
    record: Callable[[Line], None],
    known: Sequence[Recorded] = (),
    timed: Mapping[str, Outcome] | None = None,
) -> Progress:
    """Searches ``space``. ``known`` generations of a log come first, which are not recorded again; ``timed`` are the
    outcomes of all plans of the log, which are not measured again. A generation that was stopped in the middle is not
    recorded; what was timed of it is.

    Raises
    ------
    CompileError
        ``tune/strategy``, ``tune/too-many-points``, ``tune/no-legal-point`` where nothing compiles, ``tune/replay``
        where ``known`` is not what these settings lead to.
    """
    answers = _Answers(space)
    progress = Progress()
    steps = _steps(space.sizes, space.starts, settings, answers, known)
    send: list[float | None] | None = None
    while True:
        generation, recorded, numbers = steps.send(send)
        if generation is None:
            break
        plans = [space.plan(candidate.genome) for candidate in generation]
        if recorded is not None:
            outcomes = [_outcome(candidate) for candidate in recorded.candidates]
            _keep(progress, plans, outcomes)
        else:
            genes = {plan_hash(plan): candidate.genome for plan, candidate in zip(plans, generation, strict=True)}
            outcomes = _evaluate(progress, plans, genes, settings, evaluate, record, timed or {})
            if progress.stopped:
                break
            for line in _lines(space, generation, plans, outcomes, progress, numbers):
                record(line)
        progress.candidates += len(generation)
        progress.generations += 1
        if recorded is None:
            record(_generation_line(progress, answers, len(generation)))
        if _used_up(progress, settings):
            break
        send = [outcome.seconds for outcome in outcomes]
    if not progress.candidates and not progress.stopped:
        raise _nothing(space, answers)
    return progress


def timed_in(lines: Sequence[Line]) -> dict[str, Outcome]:
    """The outcomes of a log by the hash of their plan."""
    rows = (line for line in lines if line["event"] == "timed")
    return {line["plan"]: _outcome(line) for line in rows}


def _outcome(line: Line) -> Outcome:
    """Logs that are older say nothing of memory."""
    return Outcome(line["seconds"], line["samples"], line["reason"], line.get("bytes"))


def replay_log(header: Line, known: Sequence[Recorded], settings: Settings) -> list[Generation]:
    """The generations that the settings of a log and its times lead to, without compiling anything.

    Raises
    ------
    CompileError
        ``tune/replay`` where these are others than the log's.
    """
    sizes = tuple(len(gene["values"]) for gene in header["genes"])
    genomes = tuple(tuple(genome) for genome in header["given"])
    answers = _Answers(None)
    steps = _steps(sizes, genomes, settings, answers, known)
    generations: list[Generation] = []
    send: list[float | None] | None = None
    for _ in known:
        generation, recorded, _ = steps.send(send)
        if generation is None or recorded is None:
            raise _differs("it ends before the log does")
        generations.append(generation)
        send = [candidate["seconds"] for candidate in recorded.candidates]
    return generations


def _steps(
    sizes: tuple[int, ...],
    genome: tuple[Genome, ...],
    settings: Settings,
    answers: _Answers,
    known: Sequence[Recorded],
) -> Any:
    """A generator of (generation, what the log has of it, numbers of the candidates before), which is sent times."""
    problem = Problem(sizes, answers, genome)
    rng = np.random.Generator(np.random.PCG64(settings.seed))
    source = strategy_named(settings.strategy).start(problem, rng, settings.parameters)
    times: list[float | None] | None = None
    first = count = 0
    number = 0
    while True:
        recorded = known[number] if number < len(known) else None
        answers.begin(None if recorded is None else recorded.answers)
        try:
            generation = next(source) if times is None else source.send(times)
        except StopIteration:
            yield None, None, 0
            return
        if recorded is not None:
            _require_same(generation, recorded)
        times = yield generation, recorded, first
        first, count = count, count + len(generation)
        number += 1


def _require_same(generation: Generation, recorded: Recorded) -> None:
    mine = [list(candidate.genome) for candidate in generation]
    theirs = [candidate["genes"] for candidate in recorded.candidates]
    if mine != theirs:
        raise _differs(f"it has {mine[:1]} where the log has {theirs[:1]}")


def _evaluate(
    progress: Progress,
    plans: Sequence[Plan],
    genes: Mapping[str, Genome],
    settings: Settings,
    evaluate: Evaluate,
    record: Callable[[Line], None],
    timed: Mapping[str, Outcome],
) -> list[Outcome]:
    """The outcome of each; each plan is measured once, however often it occurs, and no more than the budget allows."""
    new = {name: plan for plan in plans if (name := plan_hash(plan)) not in progress.outcomes}
    left = max(0, settings.budget.evaluations - len(progress.outcomes))
    batch = dict(list(new.items())[:left])
    progress.stale = 0 if new else progress.stale + 1
    _keep(progress, [batch[name] for name in batch if name in timed], [timed[name] for name in batch if name in timed])
    wanted = {name: plan for name, plan in batch.items() if name not in timed}
    done = 0
    for (name, plan), outcome in zip(wanted.items(), evaluate(list(wanted.values())) if wanted else (), strict=False):
        record({"event": "timed", "plan": name, "genes": list(genes[name]), **_commands(plan), **asdict(outcome)})
        _keep(progress, [plan], [outcome])
        done += 1
    progress.stopped = done < len(wanted)
    unmeasured = Outcome(None, reason=NOT_MEASURED)
    return [progress.outcomes.get(plan_hash(plan), unmeasured) for plan in plans]


def _keep(progress: Progress, plans: Sequence[Plan], outcomes: Sequence[Outcome]) -> None:
    for plan, outcome in zip(plans, outcomes, strict=True):
        name = plan_hash(plan)
        if name not in progress.outcomes and outcome.reason != NOT_MEASURED:
            progress.outcomes[name], progress.plans[name] = outcome, plan


def _used_up(progress: Progress, settings: Settings) -> bool:
    budget = settings.budget
    measured, generations = len(progress.outcomes), progress.generations
    return measured >= budget.evaluations or generations >= budget.generations or progress.stale >= STALE


def _lines(
    space: Space,
    generation: Sequence[Proposed],
    plans: Sequence[Plan],
    outcomes: Sequence[Outcome],
    progress: Progress,
    before: int,
) -> Iterator[Line]:
    for place, (candidate, plan, outcome) in enumerate(zip(generation, plans, outcomes, strict=True)):
        yield {
            "event": "candidate",
            "id": progress.candidates + place,
            "generation": progress.generations,
            "origin": candidate.origin,
            "parents": [before + parent for parent in candidate.parents],
            "sources": list(candidate.sources),
            "mutated": list(candidate.mutated),
            "genes": list(candidate.genome),
            "plan": plan_hash(plan),
            **_commands(plan),
            "seconds": outcome.seconds,
            "samples": outcome.samples,
            "reason": outcome.reason,
            "bytes": outcome.bytes,
        }


def _commands(plan: Plan) -> Line:
    formats = {name: spec.format for name, spec in plan.tensors.items() if spec.format is not None}
    return {"schedule": list(plan.schedule), "formats": formats}


def _generation_line(progress: Progress, answers: _Answers, count: int) -> Line:
    ranking = progress.ranking()
    return {
        "event": "generation",
        "number": progress.generations - 1,
        "candidates": count,
        "evaluations": len(progress.outcomes),
        "best": ranking[0][1] if ranking else None,
        "refused": dict(answers.reasons),
        "answers": "".join(answers.history),
    }


def _nothing(space: Space, answers: _Answers) -> CompileError:
    common = ", ".join(code for code, _ in answers.reasons.most_common(3)) or "no candidate"
    return CompileError(
        Diagnostic(
            "tune/no-legal-point",
            f"None of the candidates that were drawn compiles ({common}); the space has {space.points:,} points.",
            expected="a space with a schedule that compiles",
            actual=common,
            hint="Compile the plan without its schedule first, and fix what it reports.",
        )
    )


def _differs(what: str) -> CompileError:
    message = f"This log cannot be replayed: {what}."
    hint = "The log was changed, or a version wrote it whose strategies draw otherwise."
    return CompileError(Diagnostic("tune/replay", message, hint=hint))
