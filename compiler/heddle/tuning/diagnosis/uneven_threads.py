"""Threads that wait for one that got most of the nonzeros: a few rows hold them."""

from __future__ import annotations

import numpy as np

from heddle.counts import reduceat
from heddle.schedule.primitives.divide import Divide
from heddle.schedule.primitives.parallelize import Parallelize
from heddle.schedule.primitives.split import Split
from heddle.tuning.diagnosis.finished import Diagnosis, Finished
from heddle.tuning.rules.threads import PARTS_PER_THREAD, least_work

UNEVEN = 1.25
"""How many times its share the largest piece of work must be."""


def uneven_threads(run: Finished) -> Diagnosis | None:
    """A piece that one thread does alone (a tile of rows, a part of them) holds more than a thread's share."""
    driver, threads = run.program.driver, run.program.machine.threads
    lengths = None if driver is None else run.row_lengths(driver)
    if driver is None or lengths is None or threads < 2 or not lengths.sum():
        return None
    if (run.program.work(driver) or 0) < least_work(run.program.machine):
        return None
    row = run.program.list_stored_variables(driver)[0]
    shared = {
        command.variable
        for _, command in run.commands
        if isinstance(command, Parallelize) and command.unit == "CPUThread"
    }
    for place, command in run.commands:
        if not isinstance(command, Split | Divide) or command.variable != row or command.outer not in shared:
            continue
        rows = command.size if isinstance(command, Split) else -(-lengths.size // command.parts)
        loads = reduceat(np.add, lengths, np.arange(0, lengths.size, rows))
        share = float(loads.max() / lengths.sum())
        if share * threads < UNEVEN:
            return None
        # A row that is a thread's share by itself cannot be shared out by rows.
        parts = PARTS_PER_THREAD * threads
        balance = f"balance({row}, {command.outer}, {command.inner}, {driver.tensor}, {parts})"
        schedule = [balance if number == place else text for number, text in enumerate(run.plan.schedule)]
        fix = run.with_schedule(f"Share out nonzeros, {parts} parts", *schedule)
        if fix is None or lengths.max() * threads >= UNEVEN * lengths.sum():
            return None
        text = (
            f"One of {loads.size:,} parts of {row} holds {share:.0%} of the {int(lengths.sum()):,} nonzeros of "
            f"{driver.tensor}, where each of {threads} threads should have {1 / threads:.0%}: the others wait for it."
        )
        return Diagnosis("uneven-threads", text, fix)
    return None
