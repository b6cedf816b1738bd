"""The schedule of a program in patterns: steps that rewrite it, one after the other, each checked where it is taken."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from heddle.diagnostics import CompileError, Diagnostic, InternalError, nearest
from heddle.loop_ir.nodes import LoopKind
from heddle.patterns.derived import Derived
from heddle.patterns.lowering.parameters import peel
from heddle.patterns.program import Program, lower, retype
from heddle.patterns.rules.laws import RULES
from heddle.patterns.rules.packing import PACKING
from heddle.patterns.rules.parameters import Head, ParameterRule
from heddle.patterns.rules.represent import REPRESENT
from heddle.patterns.rules.rule import BrokenConditionError, Rule, Site, sites
from heddle.patterns.rules.starts import REFINE_START
from heddle.patterns.rules.terms import label, labels, with_labels_of
from heddle.patterns.strategies import STRATEGIES, with_strategy
from heddle.patterns.syntax.nodes import Term
from heddle.patterns.syntax.parser import parse
from heddle.patterns.syntax.printer import to_text
from heddle.patterns.syntax.problem import step_problem
from heddle.patterns.typing.claims import Claim, Divides, key
from heddle.patterns.typing.types import same
from heddle.patterns.typing.types import to_text as type_text
from heddle.symbolic.printer import to_text as length_text

PARAMETER_RULES = {rule.name: rule for rule in (*PACKING, REPRESENT, REFINE_START)}
"""Rules about parameters, by name."""
_STEP = re.compile(r"\s*(\w+)\s*\(\s*([^()]*)\)\s*\Z")


@dataclass(frozen=True, slots=True)
class Stepped:
    """A program behind some steps: ``term`` has the names of its patterns, ``counts`` how many of each kind there have
    been, ``gone`` the step, by number and text, that took away a name."""

    program: Program
    term: Term
    counts: dict[str, int] = field(default_factory=dict)
    gone: dict[str, tuple[int, str]] = field(default_factory=dict)


def begin(program: Program) -> Stepped:
    """``program`` with names for its patterns, before the first step."""
    counts: dict[str, int] = {}
    return Stepped(program, label(program.term, counts), counts)


def apply_step(before: Stepped, text: str, number: int, units: tuple[LoopKind, ...]) -> Stepped:
    """``before`` behind one more step, on a target with ``units``.

    Raises
    ------
    CompileError
        ``patterns/step``, ``patterns/unknown-array``, ``patterns/strategy``, ``patterns/unknown-place``,
        ``patterns/consumed-place``, ``patterns/condition`` or ``patterns/type-changed``.
    """
    match = _STEP.match(text)
    name = match[1] if match is not None else ""
    words = [word.strip() for word in match[2].split(",")] if match is not None else []
    if name == "sums":
        return replace(before, program=with_strategy(before.program, words, text, number))
    rule = RULES.get(name) or PARAMETER_RULES.get(name)
    if rule is None:
        raise step_problem(
            "step",
            f"`{text.strip()}` is not a step of this language.",
            text,
            number,
            expected="sums(array, strategy) or a rule: " + ", ".join((*RULES, *PARAMETER_RULES)),
            actual=text.strip(),
            candidates=nearest(name, ("sums", *RULES, *PARAMETER_RULES)),
        )
    takes = rule.takes if isinstance(rule, ParameterRule) else 1 + len(rule.takes)
    if len(words) != takes:
        raise step_problem(
            "step",
            f"{name} is written {rule.usage}, found {len(words)} arguments.",
            text,
            number,
            expected=rule.usage,
            actual=text.strip(),
        )
    derivations: tuple[Derived, ...] = ()
    stated: tuple[Claim, ...] = ()
    try:
        if isinstance(rule, ParameterRule):
            change = rule.apply(head_of(before), tuple(words))
            term, derivations, stated = change.head.term, change.derived, change.claims
        else:
            term = rule.apply(_site(before, rule, words[0], text, number), tuple(words[1:]))
    except BrokenConditionError as broken:
        raise step_problem(
            "condition",
            f"{name} does not apply to {words[0]}: {broken.message}",
            text,
            number,
            expected=broken.expected,
            actual=broken.actual,
            hint=broken.hint or f"The law: {rule.law}.",
        ) from None
    return _check(before, term, rule, text, number, units, derivations, stated)


def head_of(before: Stepped) -> Head:
    """The parameters of a program and what it computes of them."""
    functions, body = peel(before.term)
    return Head(tuple(functions), body, dict(before.program.types))


def with_last_parameters(
    program: Program, schedule: tuple[str, ...], units: tuple[LoopKind, ...]
) -> tuple[Program, tuple[str, ...]]:
    """``program`` behind as few steps of ``schedule`` as give it the parameters that it has behind all of them, and
    those steps."""
    state, prefix_program, step_count = begin(program), program, 0
    for number, text in enumerate(schedule):
        state = apply_step(state, text, number, units)
        if state.program.derivations != prefix_program.derivations:
            prefix_program, step_count = state.program, number + 1
    return prefix_program, schedule[:step_count]


def _site(before: Stepped, rule: Rule, place: str, text: str, number: int) -> Site:
    known = sites(before.term)
    fitting = tuple(name for name in known if rule.family in ("", re.sub(r"\d+\Z", "", name)))
    if place in fitting:
        return known[place]
    if place in before.gone:
        step, by = before.gone[place]
        raise step_problem(
            "consumed-place",
            f"{place} is gone: step {step + 1}, {by}, removed it.",
            text,
            number,
            expected="one of " + ", ".join(fitting) if fitting else "a program with such a pattern",
            actual=place,
            hint=f"Take this step before step {step + 1}.",
        )
    raise step_problem(
        "unknown-place",
        f"There is no {place} that {rule.name} applies to."
        + (f" Available: {', '.join(fitting)}." if fitting else " The program has no such pattern."),
        text,
        number,
        expected="one of " + ", ".join(fitting) if fitting else f"a program with a {rule.family}",
        actual=place,
        candidates=nearest(place, fitting),
    )


def _check(
    before: Stepped,
    rewritten: Term,
    rule: Rule | ParameterRule,
    text: str,
    number: int,
    units: tuple[LoopKind, ...],
    derivations: tuple[Derived, ...],
    stated: tuple[Claim, ...],
) -> Stepped:
    """The rewritten program with its types, which must be what they were, on a target that has its units."""
    counts = dict(before.counts)
    term = label(rewritten, counts)
    spelled = to_text(term)
    parsed = parse(spelled)
    if parsed != term:
        raise InternalError(f"{rule.name} made a term that is not the one that its text spells: {spelled}")
    try:
        gone_arrays = {source for derivation in derivations for source in derivation.sources}
        strategies = tuple(strategy for strategy in before.program.strategies if strategy[0] not in gone_arrays)
        program = retype(before.program, spelled, parsed, strategies, derivations, stated)
        lower(program, units)
    except CompileError as error:
        first = error.diagnostics[0]
        raise step_problem(
            "condition",
            f"{rule.name} does not apply here: {first.message}",
            text,
            number,
            expected=first.expected or rule.condition,
            actual=first.actual or "",
            hint=first.hint or f"The condition: {rule.condition}.",
        ) from None
    asked = {key(claim) for claim in before.program.claims}
    for claim in program.claims:
        if isinstance(claim, Divides) and key(claim) not in asked:
            raise step_problem(
                "condition",
                f"{rule.name} does not apply here: that {length_text(claim.divisor)} divides "
                f"{length_text(claim.length)} is not proved.",
                text,
                number,
                expected=f"a divisor of {length_text(claim.length)}",
                actual=length_text(claim.divisor),
                hint="splitUpJoin has a shorter last piece, for every length.",
            )
    if not same(program.result, before.program.result):
        raise step_problem(
            "type-changed",
            f"{rule.name} would change the type of the result from {type_text(before.program.result)} to "
            f"{type_text(program.result)}: that they are equal is not proved. The condition: {rule.condition}.",
            text,
            number,
            expected=type_text(before.program.result),
            actual=type_text(program.result),
        )
    named = with_labels_of(parsed, term)
    left = set(labels(named))
    gone = {name: (number, text.strip()) for name in labels(before.term) if name not in left}
    return Stepped(program, named, counts, {**before.gone, **gone})


@dataclass(frozen=True, slots=True)
class Choice:
    """A step, its rule and place, that may come next, or why it may not."""

    name: str
    place: str
    text: str
    law: str
    why_not: Diagnostic | None = None


def legal(before: Stepped, number: int, units: tuple[LoopKind, ...]) -> tuple[Choice, ...]:
    """Every rule at every place that it takes, with the first of its good arguments that may stand there, and each
    strategy of sums."""
    choices: list[Choice] = []
    for rule in RULES.values():
        for place in sites(before.term):
            if rule.family not in ("", re.sub(r"\d+\Z", "", place)):
                continue
            choices.append(_at(before, rule, place, number, units))
    for known in PARAMETER_RULES.values():
        for words in known.suggested(head_of(before)):
            step = f"{known.name}({', '.join(words)})"
            choices.append(_try(before, Choice(known.name, words[0], step, known.law), number, units))
    for array, _ in before.program.types:
        choices += [
            _try(
                before,
                Choice("sums", array, f"sums({array}, {strategy})", "rows are found in another way"),
                number,
                units,
            )
            for strategy in STRATEGIES
        ]
    return tuple(choices)


def _at(before: Stepped, rule: Rule, place: str, number: int, units: tuple[LoopKind, ...]) -> Choice:
    refused: list[Choice] = []
    for arguments in [f"{place}, {value}" for value in rule.suggested] or [place]:
        choice = _try(before, Choice(rule.name, place, f"{rule.name}({arguments})", rule.law), number, units)
        if choice.why_not is None:
            return choice
        refused.append(choice)
        if not rule.suggested or _same_for_all(refused):
            break
    return refused[0]


def _same_for_all(refused: list[Choice]) -> bool:
    """Whether other numbers would be refused for the same reason: the reason has no number, or differs in it alone."""
    reasons = [re.sub(r"\d+", "#", choice.why_not.message) for choice in refused if choice.why_not is not None]
    return "#" not in reasons[0] or (len(reasons) > 1 and reasons[0] == reasons[1])


def _try(before: Stepped, choice: Choice, number: int, units: tuple[LoopKind, ...]) -> Choice:
    try:
        apply_step(before, choice.text, number, units)
    except CompileError as error:
        return replace(choice, why_not=error.diagnostics[0])
    return choice
