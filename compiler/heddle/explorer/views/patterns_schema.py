"""What the page shows of a program of patterns beside its code: what its parameters may be taken from, and how its
types lie in memory."""

from __future__ import annotations

from heddle.explorer.views.typed_dict import TypedDict


class TermView(TypedDict):
    """A term of a polynomial: ``coefficient`` times each of ``sizes``, which has one twice for its square."""

    coefficient: float
    sizes: list[str]


class ArgumentView(TypedDict):
    """``argument`` is what the plan takes the parameter from, null where it says nothing; ``proposed`` what the type
    looks like: a tensor, or a part of one as ``A.pos``. ``made``: a step has made the parameter of others, from whose
    arguments its own follows. ``sizes`` are those that its type names, and what its elements count in; ``records``
    says how many records of ``bytes`` it has, null where elements of arrays or other than polynomials do."""

    parameter: str
    type: str
    argument: str | None
    proposed: str
    made: bool
    sizes: list[str]
    records: list[TermView] | None
    bytes: int


class LengthStepView(TypedDict):
    """One step of a simplification: its rule, what that does in words, and the texts before and after."""

    rule: str
    why: str
    before: str
    after: str


class AdditionsView(TypedDict):
    """How many additions the starts of all rows take: in loops, added up once beforehand, and by the formula.
    ``closed`` is null where no rule removes the sum."""

    loop: int
    memo: int
    closed: int | None


class MemoryView(TypedDict):
    """How one parameter with rows of different lengths lies in memory.

    Row ``variable`` has ``length`` records, and element ``j`` of it is at ``start + j``, a formula. ``rows`` and
    ``starts`` are numbers of an example with so many rows, the starts by the formula, with one more for the end; both
    are empty where an example cannot be made. ``data``: the lengths are elements of an argument. ``spans`` are the
    places in the expression that say the length of rows. ``steps`` lead from ``sum`` to the formula.
    ``bytes`` of a record as it lies, ``bytes_apart`` without padding."""

    name: str
    type: str
    variable: str
    length: str
    data: bool
    spans: list[tuple[int, int]]
    rows: list[int]
    starts: list[int]
    start: str
    sum: str
    steps: list[LengthStepView]
    strategy: str
    additions: AdditionsView
    bytes: int
    bytes_apart: int


class PatternView(TypedDict):
    """One pattern: its ``place`` in steps, how it is written, and the ``type`` of what goes on from it; a function that
    has patterns is one level deeper. ``span`` is where it stands in the expression, null behind steps, which make
    another text. ``variables`` are those of the loops that its data are read in."""

    place: str
    pattern: str
    text: str
    type: str
    variables: list[str]
    depth: int
    span: tuple[int, int] | None


class TermTypeView(TypedDict):
    """The ``type`` of the part of the expression at ``span`` that stands for data."""

    span: tuple[int, int]
    type: str


class PatternsView(TypedDict):
    """``sizes`` and ``integers`` are those of the program, which a plan may fix. ``formats`` are those of the tensors
    that are proposed, where it is another one than csr, and ``dimensions`` what the program calls their sizes. ``tree``
    has the patterns as data go through them, ``types`` what each part of the expression is, in the order of the text,
    what is around before what is inside."""

    sizes: list[str]
    integers: list[str]
    arguments: list[ArgumentView]
    tree: list[PatternView]
    formats: dict[str, str]
    dimensions: dict[str, list[str]]
    memory: list[MemoryView]
    types: list[TermTypeView]
