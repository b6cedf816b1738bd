"""What was measured and what it allows to say: the types of contenders, comparisons and conclusions."""

from __future__ import annotations

import sys
from typing import Literal, NotRequired

# As the description of the API needs it, which is made from such types: not that of Python 3.11.
if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict


class Verification(TypedDict):
    ok: bool
    reference: str
    max_error: float
    tolerance: float


class Quotient(TypedDict):
    """How many times as long an entry takes as Heddle; above 1, Heddle is faster. ``value`` is the quotient of the two
    medians, ``low`` and ``high`` its 95 % bootstrap interval over rounds; ``paired`` is the median of the quotients
    round by round, which tells something else only where the machine was noisy."""

    value: float
    low: float
    high: float
    paired: float
    verdict: Literal["faster", "slower", "inconclusive"]


class Ratio(Quotient):
    """The one comparison that table, figures, page, shell and JSON show; ``statement`` says in words who is slower.
    ``doubt`` says why nothing follows from it; null where something does, and where the two are told to be alike."""

    statement: str
    doubt: NotRequired[str | None]


class Control(TypedDict):
    """The A/A control: Heddle's kernel timed as two contenders. ``value`` is the ratio of the two, with its 95 %
    interval. ``resolution`` is the smallest difference that this run can tell; ``quiet`` where nothing is known to have
    made it larger than usual."""

    value: float
    low: float
    high: float
    resolution: float
    quiet: bool


class Conclusion(TypedDict):
    """What the run allows to say. ``noisy``: from some of its comparisons nothing follows, because the machine was
    busy; ``reasons`` says how. ``headline`` is the whole in words."""

    noisy: bool
    headline: str
    reasons: list[str]


Identity = Literal["heddle", "unscheduled", "notation", "scipy", "mkl", "numpy", "cusparse", "torch", "pyg", "callable"]
"""The kernel of a plan, the same without its schedule, for a program of patterns what computes the same in index
notation, or a baseline by its name. ``callable`` is a function of a person, which only the library times."""


class Preparation(TypedDict):
    name: str
    ns: float


class Entry(TypedDict):
    """One timed contender. ``low_ns`` and ``high_ns`` bound the median (95 % bootstrap interval). ``control`` is the
    A/A control of this contender: it timed as two, in the same rounds. ``flagged`` are the numbers of the rounds in
    which its ``threads`` could not have their cores, ``flagged_share`` their share of all. Results of before have none
    of them."""

    id: Identity
    label: str
    available: bool
    reason: str | None
    median_ns: float | None
    low_ns: float | None
    high_ns: float | None
    quartiles_ns: list[float] | None
    samples_ns: list[float]
    ratio_to_heddle: Ratio | None
    gigabytes_per_second: float | None
    bandwidth_share: float | None
    preparation: list[Preparation]
    note: str | None
    threads: NotRequired[int]
    control: NotRequired[Control | None]
    flagged: NotRequired[list[int]]
    flagged_share: NotRequired[float]


class MklFacts(TypedDict):
    version: str
    threading: str
    dispatch: str


class RegionTime(TypedDict):
    """What an empty parallel region took in the rounds, once in each, in nanoseconds: the median with its 95 %
    interval."""

    median: float
    low: float
    high: float


class Load(TypedDict):
    """What the system said during the rounds; each is null where it does not say. ``involuntary`` counts how often a
    thread of this run was put off its core though it could go on; ``pressure`` and ``steal`` are the shares of the time
    in which a thread that could go on waited for a core, and in which another virtual machine had one. ``region_ns`` is
    an empty parallel region on all threads of the run; in ``flagged`` of the ``rounds`` a contender could not have its
    cores."""

    involuntary: int | None
    pressure: float | None
    steal: float | None
    region_ns: RegionTime | None
    rounds: int
    flagged: int


class Measured(TypedDict):
    """What was timed together, of which the first that is available is ours; judged once it has a conclusion."""

    entries: list[Entry]
    control: NotRequired[Control | None]
    load: NotRequired[Load | None]
    conclusion: NotRequired[Conclusion]
    judged_by: NotRequired[str]


class RunInput(TypedDict):
    """An operand that was measured with: where it came from, in words, and the hash of its entries."""

    tensor: str
    source: str
    shape: list[int]
    nnz: int
    sha256: str
