"""Checks drawn programs in processes of their own: a kernel that kills its process or never ends is one more result."""

from __future__ import annotations

import multiprocessing
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

import psutil

from heddle.diagnostics import CompileError
from heddle.plan import to_document
from tests.compiler.codegen.machines import runs
from tests.fuzz.check_listing import check_listing
from tests.fuzz.check_program import (
    check_on_class,
    check_on_opencl_devices,
    check_program,
    check_that_class_compiles,
    check_that_cuda_compiles,
)
from tests.fuzz.comprehensions.check_comprehension_program import check_comprehension_program
from tests.fuzz.comprehensions.comprehension_programs import ComprehensionProgram, draw_comprehension_program
from tests.fuzz.gpu import draw_gpu_program, in_gpu_units
from tests.fuzz.listed_programs import draw_plan
from tests.fuzz.parts.part_programs import draw_part_program
from tests.fuzz.parts.sum_programs import check_in_used_memory, check_sum, draw_sum_program, is_sum
from tests.fuzz.patterns.check_pattern_program import check_pattern_program
from tests.fuzz.patterns.pattern_programs import PatternProgram, draw_pattern_program
from tests.fuzz.patterns.pattern_steps import check_law, draw_stepped_program
from tests.fuzz.scalar_programs import draw_scalar_program
from tests.fuzz.schedules import Program, draw_program
from tests.fuzz.vector_programs import draw_vector_program

SECONDS_PER_PROGRAM = 120
WAITS = 10
"""How many times that a program that uses no processor is waited for."""
GPU = ("interpreter", "opencl", "cuda")
"""Targets of programs whose loops have GPU units."""
CLASSES = ("v2", "v3", "v4")
"""Of x86-64 processors: the target ``c-v2`` is C built for x86-64-v2."""
RIGHT, REFUSED, WRONG, CRASH = "right", "refused", "wrong", "crash"


@dataclass(frozen=True)
class Report:
    """What came of one program. ``refused`` holds the codes of commands and programs; ``message`` explains failures."""

    seed: int
    kind: str
    commands: int = 0
    refused: tuple[str, ...] = ()
    message: str = ""

    @property
    def failed(self) -> bool:
        return self.kind in (WRONG, CRASH)


Check = Callable[[int, tuple[str, ...]], Report]
Drawn = Program | PatternProgram | ComprehensionProgram
Draw = Callable[[int, tuple[str, ...]], Drawn]


@dataclass(frozen=True)
class _Worker:
    process: multiprocessing.process.BaseProcess
    connection: Connection
    seed: int
    start: float
    processor_at_start: float
    patience: float

    @property
    def is_late(self) -> bool:
        """A busy machine gives a process little of its time: what a program may take is counted in the processor's
        seconds, and in those of the clock only for one that waits for ever."""
        waited = time.monotonic() - self.start
        used = _processor_seconds(self.process) - self.processor_at_start
        return waited > self.patience and (used > self.patience or waited > WAITS * self.patience)


def _processor_seconds(process: multiprocessing.process.BaseProcess) -> float:
    """Of a process and those that it started; of one that ended none."""
    try:
        times = psutil.Process(process.pid).cpu_times()
    except psutil.Error:
        return 0.0
    return times.user + times.system + times.children_user + times.children_system


def drawn(seed: int, targets: tuple[str, ...]) -> Program:
    """A program of any kind."""
    if seed % 2 and any(target.startswith("c-") for target in targets):
        return draw_vector_program(seed)
    if seed % 4 == 2 and targets != GPU:
        return draw_sum_program(seed) if seed % 8 == 2 else draw_scalar_program(seed)
    return draw_gpu_program(seed) if targets == GPU else draw_program(seed)


def drawn_in_patterns(seed: int, targets: tuple[str, ...]) -> PatternProgram:
    """A program in patterns, whatever its targets; two of three have steps."""
    return draw_stepped_program(seed) if seed % 3 else draw_pattern_program(seed)


def drawn_comprehension(seed: int, targets: tuple[str, ...]) -> ComprehensionProgram:
    """A tensor comprehension, whatever its targets; every other one with numbers and scalars."""
    numbers = random.Random(f"numbers of {seed}") if seed % 2 else None
    return draw_comprehension_program(seed, constants=numbers)


def drawn_in_parts(seed: int, targets: tuple[str, ...]) -> Program:
    """A program with an operand that is a sum of parts: any expression and composition, or a schedule over parts."""
    program = draw_part_program(seed) if seed % 2 else draw_sum_program(seed)
    return in_gpu_units(random.Random(f"units of {seed}"), program, insisting=True) if targets == GPU else program


def drawn_with_vectors(seed: int, targets: tuple[str, ...]) -> Program:
    """A program whose loops compute with vectors, whatever its targets."""
    return draw_vector_program(seed)


def plan_document(seed: int, targets: tuple[str, ...], draw: Draw = drawn) -> dict[str, object]:
    """The program of a seed as a Plan for the last of its targets."""
    return to_document(draw(seed, targets).plan(targets[-1].partition("-")[0]))


def check_seed(seed: int, targets: tuple[str, ...], draw: Draw = drawn) -> Report:
    """Draws the program and checks it on each target; every exception is a failure."""
    commands, refused, target = 0, (), "draw"
    try:
        program = draw(seed, targets)
        commands, refused = len(program.schedule), program.refused
        for target in targets:
            codes = _check(program, seed, target)
            if codes:
                return Report(seed, REFUSED, commands, (*refused, *codes))
    except AssertionError as error:
        return Report(seed, WRONG, commands, refused, f"on {target}: {error}")
    except CompileError as error:
        codes = ", ".join(one.code for one in error.diagnostics)
        return Report(seed, WRONG, commands, refused, f"on {target}: refused only when called, {codes}: {error}")
    except Exception as error:
        return Report(seed, CRASH, commands, refused, f"on {target}: {type(error).__name__}: {error}")
    return Report(seed, RIGHT, commands, refused)


def check_listed(seed: int, targets: tuple[str, ...]) -> Report:
    """Lists what may come next in the plan of a seed, and compiles some of it; ``commands`` are those."""
    try:
        listed = check_listing(draw_plan(seed), seed)
    except AssertionError as error:
        return Report(seed, WRONG, message=str(error))
    except Exception as error:
        return Report(seed, CRASH, message=f"{type(error).__name__}: {error}")
    return Report(seed, RIGHT, listed.offered + listed.refused)


def listed_document(seed: int, targets: tuple[str, ...]) -> dict[str, object]:
    """The plan of a seed."""
    return to_document(draw_plan(seed))


def _check(program: Drawn, seed: int, target: str) -> tuple[str, ...]:
    if isinstance(program, PatternProgram):
        check_law(program)
        return check_pattern_program(program, target)
    if isinstance(program, ComprehensionProgram):
        return check_comprehension_program(program, target)
    match target:
        case "opencl" if is_sum(program):
            return check_on_opencl_devices(program, seed) or check_in_used_memory(program, seed, target)
        case "opencl":
            return check_on_opencl_devices(program, seed)
        case "cuda":
            return check_that_cuda_compiles(program)
        case _ if target.startswith("c-"):
            isa = target.removeprefix("c-")
            return check_on_class(program, seed, isa) if runs(isa) else check_that_class_compiles(program, isa)
        case _ if is_sum(program):
            return check_sum(program, seed, target)
        case _:
            return check_program(program, seed, target)


def reports(
    first: int,
    targets: tuple[str, ...],
    processes: int,
    seconds: float,
    check: Check = check_seed,
    patience: float = SECONDS_PER_PROGRAM,
    programs: int | None = None,
    least: int = 0,
) -> Iterator[Report]:
    """Programs of the seeds from ``first`` on, until ``seconds`` have passed and ``least`` programs were drawn, or
    ``programs`` were; started ones are finished.

    One that takes longer than ``patience`` seconds of a processor never ends, as far as we can know.
    """
    end = time.monotonic() + seconds
    seed = first
    workers = []
    try:
        for _ in range(processes):
            workers.append(_start(seed, targets, check, patience))
            seed += 1
        while workers:
            ready = wait(
                [worker.connection for worker in workers], min(1.0, min(worker.patience for worker in workers))
            )
            for worker in list(workers):
                late = worker.is_late
                if worker.connection not in ready and not late:
                    continue
                workers.remove(worker)
                report = _receive(worker, late and worker.connection not in ready)
                alive = worker.process.is_alive() and report.kind != CRASH
                wanted = time.monotonic() < end or seed < first + least
                if wanted and (programs is None or seed < first + programs):
                    workers.append(_again(worker, seed, patience) if alive else _start(seed, targets, check, patience))
                    seed += 1
                else:
                    _stop(worker)
                if not alive:
                    _stop(worker)
                yield report
    finally:
        for worker in workers:
            _stop(worker)


def _start(seed: int, targets: tuple[str, ...], check: Check, patience: float) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, targets, check), daemon=True)
    process.start()
    theirs.close()
    ours.send(seed)
    return _Worker(process, ours, seed, time.monotonic(), _processor_seconds(process), patience)


def _again(worker: _Worker, seed: int, patience: float) -> _Worker:
    worker.connection.send(seed)
    return _Worker(
        worker.process, worker.connection, seed, time.monotonic(), _processor_seconds(worker.process), patience
    )


def _work(connection: Connection, targets: tuple[str, ...], check: Check) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the parent, which ends its workers.
    while True:
        try:
            seed = connection.recv()
        except EOFError:
            return
        connection.send(check(seed, targets))


def _receive(worker: _Worker, late: bool) -> Report:
    if late:
        worker.process.kill()
        return Report(worker.seed, CRASH, message=f"did not end within {worker.patience:g} s")
    try:
        report: Report = worker.connection.recv()
    except (EOFError, ConnectionResetError):
        worker.process.join(10)
        return Report(worker.seed, CRASH, message=f"the process died with exit code {worker.process.exitcode}")
    return report


def _stop(worker: _Worker) -> None:
    worker.connection.close()
    worker.process.kill()
    worker.process.join()
