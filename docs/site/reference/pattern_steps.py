"""The steps that a schedule of a program in patterns may have, with the law and the condition of each."""

from __future__ import annotations

from docs.site.reference.tables import table
from heddle.patterns.rules.laws import RULES
from heddle.patterns.rules.steps import PARAMETER_RULES

HEAD = """# Steps of patterns

A *step* is a command in the schedule of a program in [patterns](grammars.md#patterns). It rewrites the program by a
law, and names a pattern by its place in the text, such as `map1`. A step whose condition does not hold is refused.
"""


def pattern_steps() -> str:
    rules = ((f"`{rule.usage}`", f"`{rule.law}`", rule.condition) for rule in RULES.values())
    parameters = ((f"`{rule.usage}`", f"`{rule.law}`", rule.condition) for rule in PARAMETER_RULES.values())
    head = ("step", "law", "holds where")
    changes = "## Parameters\n\nThese change what the program takes. Calls may still pass the first arguments.\n"
    return "\n".join((HEAD, *table(head, rules), changes, *table(head, parameters)))
