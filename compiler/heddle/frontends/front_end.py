"""What a language offers whose programs Heddle compiles. One record for each language, all of them in ``table.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from heddle.diagnostics import Diagnostic
from heddle.notation.nodes import Assignment
from heddle.trace import Trace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from heddle.loop_ir.nodes import Function
    from heddle.patterns.program import Lowered
    from heddle.targets import Target

Tree = TypeVar("Tree")
"""What the text spells, with places in it."""
Program = TypeVar("Program")
"""The same, checked."""


@dataclass(frozen=True, slots=True)
class Statements(Generic[Program]):
    """Programs that enter where the iteration graph is built, so that formats and schedule commands apply to them.
    ``assignment`` writes them in index notation; no two of its statements share an index variable."""

    assignment: Callable[[Program], Assignment]


@dataclass(frozen=True, slots=True)
class Made:
    """The loops of a program. ``bound`` is what binds arguments to them, where the language has a way of its own."""

    function: Function
    bound: Lowered | None = None


@dataclass(frozen=True, slots=True)
class NextStep:
    """A step of a language's own that may come next at a ``place`` of the program, or the reason why it may not."""

    name: str
    text: str
    place: str
    why_not: Diagnostic | None = None


@dataclass(frozen=True, slots=True)
class Loops(Generic[Program]):
    """Programs that are lowered by their language and enter behind the lowering, where the passes over loops begin.
    ``lower`` takes the program, the commands of the schedule, which are steps of the language, the target, and the
    trace for what it makes on the way. ``next_steps`` says how many of the commands apply, and what may come behind
    them. ``numbers`` are the sizes and integers that a Plan may fix."""

    lower: Callable[[Program, tuple[str, ...], Target, Trace], Made]
    next_steps: Callable[[Program, tuple[str, ...], Target], tuple[int, tuple[NextStep, ...]]] = (
        lambda program, schedule, target: (0, ())
    )
    numbers: Callable[[Program], tuple[str, ...]] = lambda program: ()


@dataclass(frozen=True, slots=True)
class FrontEnd(Generic[Tree, Program]):
    """A language. ``name`` is what ``Plan.language`` says, ``editor`` the mode of the page's editor for its texts.

    ``check_length`` raises CompileError for a text that is too long to be parsed, ``parse`` for what does not parse,
    ``check`` for what has no meaning, with every problem.
    ``tensors`` gives the order of each tensor that a Plan may say something of, also where the program has no meaning.
    ``computed`` is where the text says what is computed, as a range of characters: a diagnostic about all of it is
    shown there. ``to_text`` prints a program canonically.

    ``reference`` says what a program means, on dense NumPy arrays, and shares no code with what lowers it: from the
    operands by name, with the initial values of results that accumulate, and the sizes of index variables that no
    operand has, to the results by name.
    """

    name: str
    title: str
    example: str
    editor: str
    check_length: Callable[[str], None]
    parse: Callable[[str], Tree]
    tensors: Callable[[Tree], Mapping[str, int]]
    computed: Callable[[str], tuple[int, int]]
    check: Callable[[Tree], Program]
    to_text: Callable[[Program], str]
    reference: Callable[[Program, Mapping[str, NDArray[Any] | float], Mapping[str, int]], dict[str, NDArray[Any]]]
    entry: Statements[Program] | Loops[Program]
    cases: Callable[[Tree, Mapping[str, int]], float]
    """How much work a program will be, told from its tree and the number of sparse levels of each tensor: in cases of
    loops that merge (``notation/cases.py``), of which one takes 1 to 2 ms."""
    check_sized: Callable[[Tree, Mapping[str, int]], Program] | None = None
    """``check`` for languages that name sizes, some of which are known."""
    notes: Callable[[Program], Sequence[Diagnostic]] = lambda program: ()
    """Warnings and notes about a program that compiles."""
    canonical: Callable[[Program], str] | None = None
    """The text of a program under names that no person chose, for languages whose programs say more than their
    statements in index notation."""

    def read(self, text: str, sizes: Mapping[str, int] | None = None) -> Program:
        """The program that ``text`` spells, where ``sizes`` are known.

        Raises
        ------
        CompileError
            it does not parse, or has no meaning.
        """
        if self.check_sized is not None:
            return self.check_sized(self.parse(text), sizes or {})
        return self.check(self.parse(text))
