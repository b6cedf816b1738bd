"""Probes of this machine: what it offers beyond its processor, asked of each library in a process of its own.

Drivers and OpenCL runtimes are native code of others, and some end their process where they find what they do not
expect. Such an end costs the one capability, which the declaration then names with the reason.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from heddle.diagnostics import CompileError
from heddle.measuring.schema import MklFacts
from heddle.runtime.native import cpu, toolchain
from heddle.runtime.native.cache_folder import cache_root, write_atomically
from heddle.targets import CUDA
from heddle_server.engine.capability import Capability
from heddle_server.engine.children.child_process import run_child
from heddle_server.engine.children.limits import run_limits
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.children.sight import sight_of
from heddle_server.engine.cluster.resources import CPU
from heddle_server.settings import Settings

logger = logging.getLogger("heddle.worker")

PROBE = "heddle_server.worker.probe_child"


PACKAGES = {Capability.OPENCL: "pyopencl", Capability.GPU: "cupy", Capability.MKL: "mkl"}
"""Without its module, or of MKL its distribution, there is nothing to ask."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the probes of a machine have found out.

    Attributes
    ----------
    resources
        what runs may need of the machine, the processor included.
    mkl
        what MKL says of itself; None where there is none, or where its probe failed.
    gpu
        the card with its driver and CUDA, in a line; None where there is none.
    failures
        by capability, how its probe ended instead of answering.
    sandbox
        what the system allows a child process.
    """

    resources: frozenset[str]
    mkl: MklFacts | None
    gpu: str | None
    failures: dict[str, str]
    sandbox: dict[str, Any]


def probe_machine(settings: Settings, module: str = PROBE) -> Findings:
    """Asks all at once, each under a run's own limits. Blocks for about a second."""
    openmp = _openmp()
    remembered = _remembered_mkl(openmp)
    capabilities = [Capability.OPENCL, *_list_installed(Capability.GPU)]
    capabilities += _list_installed(Capability.MKL) if remembered is None else ()
    with ThreadPoolExecutor(len(capabilities)) as pool:
        jobs = ({"capability": capability.value, "openmp": openmp} for capability in capabilities)
        outcomes = dict(zip(capabilities, pool.map(lambda job: _ask(settings, module, job), jobs), strict=True))
    answers = {capability: outcome.result["answer"] for capability, outcome in outcomes.items() if outcome.result}
    failures = {
        capability.value: describe_failure(outcome)
        for capability, outcome in outcomes.items()
        if outcome.result is None
    }
    for capability, reason in failures.items():
        logger.warning("this machine does not offer %s: asked for it, its library %s", capability, reason)
    mkl: MklFacts | None = answers.get(Capability.MKL) or remembered
    if mkl is not None and remembered is None:
        _remember_mkl(openmp, mkl)
    offered = {capability.value for capability in (Capability.OPENCL, Capability.GPU) if answers.get(capability)}
    card = answers.get(Capability.GPU)
    gpu = card if isinstance(card, str) else None
    return Findings(frozenset({CPU, *offered}), mkl, gpu, failures, outcomes[Capability.OPENCL].sandbox)


def describe_failure(outcome: Outcome) -> str:
    """How a probe ended that gave no answer, as a sentence without its subject."""
    match outcome.ending:
        case "crashed":
            ended = f"ended its process ({outcome.signal})"
        case "timeout":
            ended = "did not answer in time"
        case "oom":
            ended = "took more memory than a run may"
        case "failed" | "refused" | "cancelled" | "done":
            ended = "ended without an answer"
        case _:
            raise AssertionError(outcome.ending)
    return f"{ended}: {outcome.last_words}" if outcome.last_words else ended


def _ask(settings: Settings, module: str, job: dict[str, Any]) -> Outcome:
    # The limits of a GPU's run: its driver reserves more addresses than it uses.
    limits = run_limits(settings, CUDA.name)
    return run_child(module, job, limits, lambda _: None, threading.Event(), sight_of(settings))


def _list_installed(capability: Capability) -> Iterator[Capability]:
    match capability:
        case Capability.MKL:
            there = _mkl_version() is not None
        case Capability.OPENCL | Capability.GPU:
            there = importlib.util.find_spec(PACKAGES[capability]) is not None
        case _:
            raise AssertionError(capability)
    if there:
        yield capability


def _openmp() -> str | None:
    """The threads of our kernels, which MKL is told to use as well."""
    try:
        return toolchain.discover().openmp
    except CompileError:
        return None


def _mkl_version() -> str | None:
    try:
        return version(PACKAGES[Capability.MKL])
    except PackageNotFoundError:
        return None


def _mkl_file(openmp: str | None) -> Path:
    facts = f"{_mkl_version()}\n{openmp}\n{cpu.fingerprint()}"
    return cache_root() / "machine" / f"mkl-{hashlib.sha256(facts.encode()).hexdigest()[:16]}.json"


def _remembered_mkl(openmp: str | None) -> MklFacts | None:
    """MKL takes longer to load than all else of a start; the same version says the same on the same processor."""
    try:
        facts: MklFacts = json.loads(_mkl_file(openmp).read_text(encoding="utf-8"))
        return facts
    except (OSError, ValueError):
        return None


def _remember_mkl(openmp: str | None, facts: MklFacts) -> None:
    try:
        write_atomically(_mkl_file(openmp), json.dumps(facts).encode())
    except OSError:
        logger.debug("the cache may only be read: MKL is asked again next time")
