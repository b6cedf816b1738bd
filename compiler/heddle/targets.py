"""The targets: what a kernel can be made for. One record for each says what it is called, which parallel units it has,
what a machine needs to run it and what it can do; whoever asks something of a target asks its record.

What prints its text stands in ``codegen/languages.py`` and what runs it in ``runtime/kernels/executors.py``, by its
name: a record lies below both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import LoopKind

__all__ = ["DEFAULT_TARGET", "TARGETS", "TARGET_NAMES", "CodeLanguage", "Feature", "Resource", "Target", "target_named"]

CodeLanguageName = Literal["c", "cuda", "opencl"]
TargetName = Literal["c", "cuda", "opencl", "interpreter"]


class Feature(StrEnum):
    """What not every target can do."""

    COMPLEX_NUMBERS = "complex-numbers"
    PREFETCHES = "prefetches"
    """Asking for values ahead of time, as the command ``prefetch`` wants."""
    KEPT_COORDINATES = "kept-coordinates"
    """Computing the values of an assembled result in the places that it has (``Kernel.assemble``)."""
    DEVICE_OPERANDS = "device-operands"
    """Reading operands that lie in the memory of a GPU already."""
    MACHINE_CLASSES = "machine-classes"
    """Machine code for the class of this machine, whose speed rules and automatic kernels measure and predict."""
    UNLIMITED_ADDRESSES = "unlimited-addresses"
    """A driver that reserves more addresses than it uses, so that a run cannot be limited by them."""


class Resource(StrEnum):
    """What a machine must have."""

    CPU = "cpu"
    OPENCL = "opencl"
    GPU = "gpu"


@dataclass(frozen=True, slots=True)
class CodeLanguage:
    """Of generated text: the name of its files, and the language whose highlighting suits it in Markdown."""

    name: CodeLanguageName
    title: str
    file: str
    fence: str


@dataclass(frozen=True, slots=True)
class Target:
    """``name`` is what ``Plan.target`` says. ``language`` is None for the interpreter, which runs the loops themselves;
    ``needs`` says what ``resource`` is where not every machine has it."""

    name: TargetName
    title: str
    language: CodeLanguage | None
    units: tuple[LoopKind, ...]
    resource: Resource
    needs: str | None
    features: frozenset[Feature]

    @property
    def only_gpu(self) -> bool:
        """Whether all its loops run on GPU units."""
        return self.units == _GPU


_CPU = (LoopKind.CPU_THREAD, LoopKind.CPU_VECTOR)
_GPU = (LoopKind.GPU_BLOCK, LoopKind.GPU_WARP, LoopKind.GPU_THREAD)
_ON_HOST = frozenset({Feature.COMPLEX_NUMBERS, Feature.PREFETCHES, Feature.KEPT_COORDINATES})

C = Target(
    name="c",
    title="CPU (C, OpenMP)",
    language=CodeLanguage("c", "C", "kernel.c", "c"),
    units=_CPU,
    resource=Resource.CPU,
    needs=None,
    features=_ON_HOST | {Feature.MACHINE_CLASSES},
)
CUDA = Target(
    name="cuda",
    title="GPU (CUDA)",
    language=CodeLanguage("cuda", "CUDA", "kernel.cu", "cuda"),
    units=_GPU,
    resource=Resource.GPU,
    needs="an NVIDIA GPU with CuPy",
    features=frozenset({Feature.DEVICE_OPERANDS, Feature.UNLIMITED_ADDRESSES}),
)
OPENCL = Target(
    name="opencl",
    title="OpenCL (GPU or CPU)",
    language=CodeLanguage("opencl", "OpenCL", "kernel.cl", "c"),
    units=_GPU,
    resource=Resource.OPENCL,
    needs="an OpenCL device",
    features=frozenset(),
)
INTERPRETER = Target(
    name="interpreter",
    title="Checked interpreter",
    language=None,
    units=(*_CPU, *_GPU),
    resource=Resource.CPU,
    needs=None,
    features=_ON_HOST,
)

TARGETS = (C, CUDA, OPENCL, INTERPRETER)
TARGET_NAMES = tuple(target.name for target in TARGETS)
DEFAULT_TARGET = C.name
PRINTED = tuple(target for target in TARGETS if target.language is not None)
"""The targets whose kernels are texts."""


def target_named(name: str) -> Target:
    """The record of the target that ``Plan.target`` names; the reader of plans refuses all others."""
    for target in TARGETS:
        if target.name == name:
            return target
    raise InternalError(f"There is no target {name}")


def names_with(feature: Feature) -> str:
    """The targets that have ``feature``, in a sentence: ``c or interpreter``."""
    return " or ".join(target.name for target in TARGETS if feature in target.features)
