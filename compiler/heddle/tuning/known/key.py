"""For whom a schedule was found: what its time depends on besides the program and the schedule itself.

Operands are packed alike everywhere, aligned to lines of a cache, so that alignment is no part of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import log2
from typing import Any

from heddle.formats.printer import format_text
from heddle.frontends.table import assignment_of
from heddle.plan import Plan
from heddle.runtime.native import cpu, toolchain
from heddle.runtime.native.cache import GENERATOR_VERSION
from heddle.semantics.declared import declared_signature
from heddle.tuning.facts.program import program_of
from heddle.tuning.facts.statistics import Statistics
from heddle.tuning.known.canonical import Canonical
from heddle.tuning.known.resolved import resolve_sizes

KEY_VERSION = 1
PATTERN = ("rows", "entries", "mean", "longest", "empty", "fibres", "bandwidth")
"""Of a sparse operand, each as the power of two next to it, in this order; -1 for what is not known."""


@dataclass(frozen=True, slots=True)
class Key:
    """``program`` is the digest of the canonical form. ``tensors`` has, by canonical name, the dtype, the format, the
    fill, the shape (None where it is not known) and, of sparse operands that were looked at, their ``PATTERN``.
    ``machine`` names processor and threads, ``compiler`` hashes whatever changes what it makes."""

    program: str
    tensors: Mapping[str, Mapping[str, Any]]
    target: str
    machine: str
    compiler: str
    generator: str
    order: int
    convert: str
    version: int = KEY_VERSION

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "tensors": {name: dict(self.tensors[name]) for name in sorted(self.tensors)}}

    @property
    def digest(self) -> str:
        text = json.dumps(self.document(), sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()


def key_of(
    plan: Plan,
    canonical: Canonical,
    statistics: Mapping[str, Statistics] | None = None,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
    machine: str | None = None,
) -> Key:
    """The key of ``plan`` here; ``statistics`` and ``shapes`` of its operands as far as they are known.

    Raises
    ------
    CompileError
        the expression or a format is wrong.
    """
    plan = resolve_sizes(plan)
    signature = declared_signature(plan, assignment_of(plan.language, plan.expression, plan.sizes))
    program, known = program_of(plan, statistics, shapes=shapes), statistics or {}
    tensors: dict[str, dict[str, Any]] = {}
    for name, tensor in {**signature.tensors, **signature.temporaries}.items():
        sizes = [program.sizes.get(index) for index in tensor.indices]
        facts: dict[str, Any] = {"dtype": tensor.dtype, "format": format_text(tensor.format), "shape": sizes}
        if tensor.fill != 0 or isinstance(tensor.fill, bool):
            facts["fill"] = repr(tensor.fill)
        if name in known and not tensor.format.is_dense:
            facts["features"] = features_of(known[name])
        tensors[canonical.tensors[name]] = facts
    compiler = hashlib.sha256(toolchain.discover().identity().encode()).hexdigest()[:16]
    return Key(
        canonical.digest, tensors, plan.target, machine or machine_name(plan.run.threads), compiler,
        GENERATOR_VERSION, plan.version, plan.options.convert,
    )  # fmt: skip


def machine_name(threads: int | None) -> str:
    """The processor and the threads that kernels have: ``b3f0…/2``."""
    return f"{cpu.fingerprint()}/{min(threads or cpu.available_cores(), cpu.available_cores())}"


def features_of(known: Statistics) -> list[int]:
    values = (
        known.rows, known.nonzeros, known.mean, known.longest, known.empty, known.fibres,
        -1 if known.bandwidth is None else known.bandwidth,
    )  # fmt: skip
    return [-1 if value < 0 else round(log2(value + 1)) for value in values]
