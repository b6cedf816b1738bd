"""What was done to a length, step by step: the rule, and the texts before and after (Pizzuti et al. 2020, §5.1)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Step:
    """``rule`` is one of the keys of :data:`RULES`."""

    rule: str
    before: str
    after: str


@dataclass(slots=True)
class Steps:
    """Collects steps; whoever needs none passes None in its place."""

    steps: list[Step] = field(default_factory=list)

    def add(self, rule: str, before: str, after: str) -> None:
        if before != after:
            self.steps.append(Step(rule, before, after))


RULES = {
    "fold": "numbers are computed",
    "collect": "like terms are added up",
    "cond": "a test is decided by what its names can be",
    "shift": "the variable is counted from one further",
    "factor": "what does not depend on the variable goes in front",
    "constant": "Σ1: the same summand every time",
    "linear": "Σ2: the sum of the first numbers",
    "powers": "Σ3: the sum of powers",
    "telescoping": "Σ4: what one summand adds the next one takes away",
    "point": "Σ5: one summand is unlike the others",
    "threshold": "Σ5: the first summands are unlike the others",
    "tail": "Σ6: equal pieces and a last one that may be shorter",
    "shares": "Σ6: shares of equal size but for a rest",
    "residues": "Σ7: remainders come in whole rounds",
    "empty": "nothing is added up",
}
"""Each rule in one line."""
