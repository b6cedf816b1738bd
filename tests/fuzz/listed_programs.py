"""Plans of every fuzzer, for what must hold of any program: listing what may come next, and answering a request."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from heddle.plan import Plan
from tests.fuzz.comprehensions.comprehension_programs import draw_comprehension_program
from tests.fuzz.gpu import in_gpu_units
from tests.fuzz.parts.part_programs import draw_part_program
from tests.fuzz.parts.sum_programs import draw_sum_program
from tests.fuzz.scalar_programs import draw_scalar_program
from tests.fuzz.schedules import draw_program
from tests.fuzz.vector_programs import draw_vector_program


def _with_numbers(seed: int) -> Plan:
    return draw_comprehension_program(seed, constants=random.Random(f"numbers of {seed}")).plan("c")


def _on_gpu(seed: int) -> Plan:
    rng = random.Random(f"units of {seed}")
    return in_gpu_units(rng, draw_program(seed), insisting=True).plan(rng.choice(("cuda", "opencl")))


DRAWS: dict[str, Callable[[int], Plan]] = {
    "scalars": lambda seed: draw_scalar_program(seed).plan(),
    "numbers in comprehensions": _with_numbers,
    "schedules": lambda seed: draw_program(seed).plan(),
    "comprehensions": lambda seed: draw_comprehension_program(seed).plan("c"),
    "sums": lambda seed: draw_sum_program(seed).plan(),
    "more scalars": lambda seed: draw_scalar_program(seed).plan(),
    "parts": lambda seed: draw_part_program(seed).plan(),
    "GPU units": _on_gpu,
    "vectors": lambda seed: draw_vector_program(seed).plan(),
}
"""By kind; a seed has each in turn. Scalars and numbers are in four of nine, several statements in as many."""


def draw_plan(seed: int) -> Plan:
    """The plan of a seed. Of one in four only the first commands are there, and so the loops that these leave."""
    plan = list(DRAWS.values())[seed % len(DRAWS)](seed)
    rng = random.Random(f"commands of {seed}")
    if rng.random() < 0.25:
        return replace(plan, schedule=plan.schedule[: rng.randint(0, len(plan.schedule))])
    return plan
