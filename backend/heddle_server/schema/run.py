"""One run: its state, its progress and its result."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from heddle.explorer.views.diagnostics_schema import FixView
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.problem import Problem

RunState = Literal[
    "queued", "leased", "running", "done", "failed", "refused", "cancelled", "timeout", "oom", "crashed", "lost"
]
ACTIVE_STATES: tuple[RunState, ...] = ("leased", "running")
FINAL_STATES: tuple[RunState, ...] = (
    "done", "failed", "refused", "cancelled", "timeout", "oom", "crashed", "lost",
)  # fmt: skip


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


class Diagnosis(TypedDict):
    """What held the kernel back most, with the numbers of this run, and a repair that compiles; ``fix`` is null where
    no edit of the plan helps. ``rule`` names what found it."""

    rule: str
    text: str
    fix: FixView | None


Identity = Literal["heddle", "unscheduled", "notation", "scipy", "mkl", "numpy", "cusparse", "torch", "pyg"]
"""The kernel of a plan, the same without its schedule, for a program of patterns what computes the same in index
notation, or a baseline by its name."""


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


class Spread(TypedDict):
    """The median of several measurements, each in a quiet moment, with the quartiles ``low`` and ``high``; ``times`` is
    how many there were. None at all: no moment was quiet so far, and this is the best of a busy machine."""

    median: float
    low: float
    high: float
    times: int


class MachineFacts(TypedDict):
    """``machine_class`` is what kernels are compiled for and the rules choose for, e.g. ``x86-64-v4``; ``march`` is
    what the compiler is told: ``native``, or the class where HEDDLE_MARCH names one. ``compiler_flags`` are the options
    with which kernels are compiled and linked. Results of before have none of the three.
    ``stream_triad_gbps`` maps a thread count to the measured STREAM triad bandwidth in GB/s: the median of what was
    measured in quiet moments, which ``stream_triad`` shows with its spread. ``waking_ns`` is what an empty parallel
    region of so many threads takes when they sleep, likewise. ``loaded_waking_ns`` is what so many threads cost a short
    kernel while other programs keep all cores busy, over moments that are far apart. ``gpu`` names the card with its
    driver and CUDA where a kernel runs on it; null where none does, and results of before do not have it."""

    cpu: str
    machine_class: NotRequired[str]
    march: NotRequired[str]
    cores: int
    memory_bytes: int
    os: str
    compiler: str | None
    compiler_flags: NotRequired[str]
    python: str
    numpy: str
    scipy: str
    mkl: MklFacts | None
    gpu: NotRequired[str | None]
    stream_triad_gbps: dict[str, float]
    stream_triad: NotRequired[dict[str, Spread]]
    waking_ns: NotRequired[dict[str, Spread]]
    loaded_waking_ns: NotRequired[dict[str, Spread]]
    load: float | None


class RunInput(TypedDict):
    tensor: str
    source: str
    shape: list[int]
    nnz: int
    sha256: str


class RunLaunch(TypedDict):
    """One launch of the kernel on a GPU or an OpenCL device, as ``heddle.runtime.kernels.launch_record.Launched``.
    ``registers`` and ``occupancy`` are null where the device does not tell; ``beyond`` says why indices have 64 bits.
    Results of before have neither it nor ``index_bits``."""

    kernel: str
    blocks: int
    threads: int
    warps: int
    lanes: int
    shared_bytes: int
    registers: int | None
    occupancy: float | None
    index_bits: NotRequired[int]
    beyond: NotRequired[str | None]


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


class Rejudgement(TypedDict):
    """What rules that are newer than a result say of its times. ``ratios`` by the ids of the contenders."""

    judged_by: str
    conclusion: Conclusion
    ratios: dict[str, Ratio]


class RunResult(TypedDict):
    """``worker`` is the name that an operator gave to a worker; not there for the server's own, and for one without.
    ``judged_by`` is the version of the rules that the verdicts and the conclusion are of, as they were stored;
    ``rejudgement`` what the rules of today say, where these are others."""

    verification: Verification
    entries: list[Entry]
    control: NotRequired[Control | None]
    load: NotRequired[Load | None]
    conclusion: NotRequired[Conclusion]
    judged_by: NotRequired[str]
    rejudgement: NotRequired[Rejudgement]
    diagnosis: NotRequired[Diagnosis | None]
    launches: NotRequired[list[RunLaunch]]
    bytes_moved: float
    threads: int
    machine: MachineFacts
    worker: NotRequired[str]
    protocol: dict[str, Any]
    inputs: list[RunInput]
    sandbox: dict[str, Any]
    date: str


class RunsVerdict(TypedDict):
    """Which of two runs has the slower kernel: ``slower`` is its place, 0 or 1, and ``times`` how many times as long it
    takes, in words. Where the runs do not tell, ``slower`` is null and ``statement`` says why."""

    slower: Literal[0, 1] | None
    times: str
    statement: str
    judged_by: str


class Progress(TypedDict):
    """``seconds_left`` is about what the run still takes; null or not there as long as nobody knows."""

    phase: str
    fraction: float | None
    message: str
    seconds_left: NotRequired[float | None]


class Lack(TypedDict):
    """No connected worker offers the ``resource``; the run ends as refused at ``until`` unless one joins."""

    resource: str
    since: str
    until: str


class RunView(TypedDict):
    """Times are ISO 8601 in UTC. ``queue_position`` is 0 for the run that starts next, null once it left the queue.
    ``lack`` is what a queued run waits for that no connected worker offers; null where one does.

    ``measured_by`` names the run whose stored measurement answered this one; null when it was measured itself.
    """

    id: str
    state: RunState
    created: str
    started: str | None
    finished: str | None
    queue_position: int | None
    expected_wait_seconds: float | None
    lack: Lack | None
    measured_by: str | None
    plan: PlanDocument
    plan_hash: str
    progress: Progress | None
    problem: Problem | None
    result: RunResult | None
    figures: list[str]


class Figure(TypedDict):
    data: list[dict[str, Any]]
    layout: dict[str, Any]
