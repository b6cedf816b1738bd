"""What a rewriting rule is: a law by which one pattern, or two that follow one another, become others that mean the
same (Pizzuti et al. 2020, §6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from heddle.patterns.rules.terms import pipe_functions, replace_term
from heddle.patterns.syntax.nodes import Apply, Number, Operator, Term, Variable, children
from heddle.patterns.syntax.printer import to_text
from heddle.patterns.typing.signatures import PATTERNS, SHORT


class BrokenConditionError(Exception):
    """The condition of a rule does not hold, as ``message`` says. ``expected`` would do, ``found`` is there."""

    def __init__(self, message: str, expected: str, actual: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.actual = actual
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Site:
    """A pattern in a program. ``head`` is its name, ``node`` the application of it to all but its data, and ``whole``
    the same with its data, where it has them. ``program`` is all of it."""

    program: Term
    head: Variable
    node: Term
    whole: Apply | None

    @property
    def pattern(self) -> str:
        return SHORT.get(self.head.name, self.head.name)

    @property
    def arguments(self) -> tuple[Term, ...]:
        """What the pattern takes before its data."""
        return self.node.arguments if isinstance(self.node, Apply) else ()

    def with_function(self, *functions: Term) -> Term:
        """The program with ``functions``, one after the other, in the place of the pattern."""
        if self.whole is None:
            return replace_term(self.program, self.node, pipe_functions(*functions))
        data = self.whole.arguments[-1]
        return replace_term(self.program, self.whole, pipe_functions(data, *functions))


@dataclass(frozen=True, slots=True)
class Rule:
    """``family`` is the kind of place that it takes, ``takes`` what else, of which ``suggested`` are good values.
    ``apply`` gives the program behind it.

    Raises
    ------
    BrokenConditionError
        from ``apply``, where the law does not hold here.
    """

    name: str
    family: str
    law: str
    condition: str
    apply: Callable[[Site, tuple[str, ...]], Term]
    takes: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        place = f"{self.family}1" if self.family else "place"
        return f"{self.name}({', '.join((place, *self.takes))})"


def pattern(name: str, *arguments: Term) -> Term:
    """A pattern with its arguments but for the data."""
    return Apply(Variable(name), arguments) if arguments else Variable(name)


def rename(site: Site, name: str) -> Term:
    """The pattern at ``site`` as the variant ``name`` of it."""
    head = replace(site.head, name=name)
    if not isinstance(site.node, Apply):
        return head
    return replace(site.node, function=head)


def number(text: str, name: str) -> Number:
    """A positive number as an argument of a rule."""
    if not text.isdecimal() or not 0 < int(text) < 1 << 31:
        raise BrokenConditionError(f"{name} takes a positive number.", "a number from 1 on", text)
    return Number(str(int(text)))


def sites(program: Term) -> dict[str, Site]:
    """The patterns of ``program`` by name."""
    sites: dict[str, Site] = {}
    _collect(program, program, sites)
    return sites


def _collect(program: Term, term: Term, site: dict[str, Site]) -> None:
    match term:
        case Apply(function=inner, arguments=(_,), pipe=True):
            head = inner.function if isinstance(inner, Apply) and not inner.pipe else inner
            if isinstance(head, Variable) and head.label and _complete(head, inner):
                site[head.label] = Site(program, head, inner, term)
        case Apply(function=Variable() as head, arguments=arguments, pipe=False) if (
            head.label and head.label not in site
        ):
            count = len(PATTERNS[SHORT.get(head.name, head.name)].takes)
            if len(arguments) == count:
                node = replace(term, arguments=arguments[:-1]) if count > 1 else head
                site[head.label] = Site(program, head, node, term)
            elif len(arguments) == count - 1:
                site[head.label] = Site(program, head, term, None)
        case Variable() as head if head.label and head.label not in site and _complete(head, head):
            site[head.label] = Site(program, head, head, None)
        case _:
            pass
    for part in children(term):
        _collect(program, part, site)


def _complete(head: Variable, node: Term) -> bool:
    """Whether ``node`` lacks nothing but the data."""
    count = len(node.arguments) if isinstance(node, Apply) else 0
    return count == len(PATTERNS[SHORT.get(head.name, head.name)].takes) - 1


def as_text(term: Term) -> str:
    """A function in a message."""
    return term.operator if isinstance(term, Operator) else to_text(term)
