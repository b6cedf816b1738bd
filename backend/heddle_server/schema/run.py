"""One run: its state, its progress and its result."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from heddle.explorer.views.diagnostics_schema import FixView
from heddle.measuring.schema import Conclusion, Control, Entry, Load, MklFacts, Ratio, RunInput, Verification
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.problem import Problem

RunState = Literal[
    "queued", "leased", "running", "done", "failed", "refused", "cancelled", "timeout", "oom", "crashed", "lost"
]
ACTIVE_STATES: tuple[RunState, ...] = ("leased", "running")
FINAL_STATES: tuple[RunState, ...] = (
    "done", "failed", "refused", "cancelled", "timeout", "oom", "crashed", "lost",
)  # fmt: skip


class Diagnosis(TypedDict):
    """What held the kernel back most, with the numbers of this run, and a repair that compiles; ``fix`` is null where
    no edit of the plan helps. ``rule`` names what found it."""

    rule: str
    text: str
    fix: FixView | None


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


class RunLaunch(TypedDict):
    """One launch of the kernel on a GPU or an OpenCL device, as ``Launched`` of
    ``heddle.runtime.kernels.offload.device_calls``. ``registers`` and ``occupancy`` are null where the device does not
    tell; ``beyond`` says why indices have 64 bits. Results of before have neither it nor ``index_bits``."""

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
