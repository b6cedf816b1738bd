"""Builds, verifies and times candidates of a search on the operands of its plan."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from backend.engine.quiet_time import QuietTime
from backend.worker.inputs import Inputs, make_inputs
from backend.worker.reference import Reference
from backend.worker.verified import references_of, verified
from compiler.diagnostics import CompileError, InternalError
from compiler.formats.printer import format_text
from compiler.frontends.table import no_statements
from compiler.notation.nodes import Assignment
from compiler.pipeline import lower
from compiler.plan import Plan, plan_hash
from compiler.runtime.kernels.calling import BoundCall
from compiler.runtime.kernels.kernel import Kernel
from compiler.runtime.packing.pack import pack
from compiler.runtime.tensors.coordinates import Entries
from compiler.runtime.tensors.tensor import Tensor
from compiler.signature import Signature
from compiler.tuning.session.driver import Outcome

BATCH = 8
"""Candidates that are built before they are timed: a search that is stopped loses no more."""

BUILDERS = 2
"""Compilers at once. Nothing is timed meanwhile."""

SAMPLES, FEW, HOPELESS = 10, 3, 1.5
"""Of a candidate; after a few of them it ends where the shortest took that many times as long as the fastest so far."""

SAMPLE_SECONDS = 0.0005
"""Shorter calls are timed several at a time."""


@dataclass(slots=True, eq=False)
class Bench:
    """``references`` are those of every result; ``origin`` is for the report of a wrong one; ``left`` says how many
    seconds there are."""

    plan: Plan
    assignment: Assignment
    signature: Signature
    inputs: Inputs
    references: Mapping[str, Reference]
    quiet: QuietTime
    left: Callable[[], float]
    report: Callable[[str], None]
    origin: str
    best: float = float("inf")
    _packed: dict[tuple[str, str, str], Tensor] = field(default_factory=dict)

    @property
    def sparse(self) -> dict[str, Entries]:
        """The sparse operands, which rules look at."""
        return {name: one for name, one in self.inputs.operands.items() if isinstance(one, Entries)}

    def evaluate(self, plans: Sequence[Plan]) -> Iterator[Outcome]:
        """As ``Evaluate`` of the driver: batch by batch, all of one built before the first is timed."""
        for at in range(0, len(plans), BATCH):
            batch = plans[at : at + BATCH]
            if self.left() <= 0:
                return
            self.report(f"Building {len(batch)} candidates")
            with ThreadPoolExecutor(BUILDERS) as pool:
                built = list(pool.map(self._built, batch))
            self.report(f"Timing {len(batch)} candidates")
            with self.quiet:
                for plan, kernel in zip(batch, built, strict=True):
                    if self.left() <= 0:
                        return
                    self.quiet.pause()
                    yield self._outcome(plan, kernel)

    def call(self, plan: Plan) -> BoundCall:
        """The kernel of ``plan`` on its operands, verified in every result.

        Raises:
            CompileError: it does not compile, or its operands do not fit its formats. InternalError: it is wrong.
        """
        built = self._built(plan)
        if isinstance(built, CompileError):
            raise built
        return self._verified(plan, built)

    def _built(self, plan: Plan) -> Kernel | CompileError:
        try:
            result = lower(plan)
            result.raise_errors()
            return Kernel(result)
        except CompileError as error:
            return error

    def _outcome(self, plan: Plan, kernel: Kernel | CompileError) -> Outcome:
        if isinstance(kernel, CompileError):
            return Outcome(None, reason=kernel.diagnostics[0].message)
        try:
            call = self._verified(plan, kernel)
        except CompileError as error:
            return Outcome(None, reason=error.diagnostics[0].message)
        samples = samples_of(call.timed, self.best)
        seconds = float(np.median(samples))
        self.best = min(self.best, seconds)
        return Outcome(seconds, len(samples))

    def _verified(self, plan: Plan, kernel: Kernel) -> BoundCall:
        signature = kernel.result.signature
        assert signature is not None
        call = kernel.bind(**{tensor.name: self._tensor(tensor.name, signature) for tensor in signature.inputs})
        call.run()
        found = verified(call, self.references, signature)
        if not found["ok"]:
            raise InternalError(
                f"A candidate of a search is wrong by {found['max_error']:.2g} ({self.origin}, plan "
                f"{plan_hash(plan)[:12]}): {'; '.join(plan.schedule) or 'no command'}"
            )
        return call

    def _tensor(self, name: str, signature: Signature) -> Tensor:
        tensor = signature.tensors[name]
        key = (name, format_text(tensor.format), tensor.dtype)
        if key not in self._packed:
            self._packed[key] = pack(self.inputs.operands[name], tensor.format, tensor.dtype, name, tensor.fill)
        return self._packed[key]


def bench_of(
    plan: Plan,
    paths: Mapping[str, str],
    quiet: QuietTime,
    left: Callable[[], float],
    report: Callable[[str], None],
    origin: str,
) -> Bench:
    """Makes the operands of ``plan`` and the reference. Raises CompileError where the plan or its inputs are at fault,
    also its schedule: what is searched must begin with a program that compiles."""
    result = lower(plan)
    result.raise_errors()
    assignment, signature = result.assignment, result.signature
    if assignment is None or signature is None:
        raise no_statements(plan.language, "a search for schedules")
    report("Making the operands and the reference")
    inputs = make_inputs(plan, assignment, signature, paths)
    references = references_of(plan, assignment, signature, inputs)
    return Bench(plan, assignment, signature, inputs, references, quiet, left, report, origin)


def samples_of(call: Callable[[], object], best: float) -> list[float]:
    """Seconds of a call, warm; few samples of what is hopeless beside ``best``. For ranking alone: the times that are
    shown are those of the final comparison."""
    once = elapsed(call, 1)
    if once > 4 * HOPELESS * best:
        return [once]
    repeats = max(1, round(SAMPLE_SECONDS / max(elapsed(call, 1), 1e-9)))
    samples: list[float] = []
    for number in range(SAMPLES):
        samples.append(elapsed(call, repeats) / repeats)
        if number + 1 >= FEW and min(samples) > HOPELESS * best:
            break
    return samples


def elapsed(call: Callable[[], object], repeats: int) -> float:
    start = time.perf_counter_ns()
    for _ in range(repeats):
        call()
    return (time.perf_counter_ns() - start) * 1e-9
