"""The name of a solution: equal for equal plans, whosever data they were checked on."""

from __future__ import annotations

from dataclasses import replace

from heddle.plan import Plan, plan_hash
from heddle.plan.plan import RunSpec


def solution_of(plan: Plan) -> Plan:
    """The plan without the student's own data, and without how it is timed."""
    return replace(plan, inputs={}, run=RunSpec())


def solution_name(plan: Plan) -> str:
    """As tables have it: of a class, and of receipts that were graded."""
    return plan_hash(solution_of(plan))[:SHOWN]


SHOWN = 12
"""Characters of a plan's hash that tables show."""
