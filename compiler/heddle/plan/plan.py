"""The Plan: the one document that the shell, Python, the HTTP API, links and tests all speak.

Add a version of plans:

For a change in what plans mean where they say nothing, for example the order in which loops start.

1. ``compiler/heddle/plan/plan.py`` (``VERSIONS``) and ``frontend/src/plan/plan.ts`` (``PLAN_VERSIONS``). A plan keeps
   its version; what it meant stays.
2. Fixtures, which nobody changes afterwards: ``tests/compiler/plan/fixtures/``, and an address in
   ``url-codec.test.ts``.
3. The fuzzer draws every version. Examples and experiments move to the new one; compare the code of both.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle.fills.fill import Fill
from heddle.frontends.table import DEFAULT_LANGUAGE
from heddle.plan.html_table import table
from heddle.targets import DEFAULT_TARGET

VERSIONS = (1, 2)
"""Of plans that are read, which say what the plan was written for. 1: without a command the loops go over the result
first, sums inside. 2: they walk memory in order where storage orders leave a choice
(iteration_graph/build/memory_order.py). A plan keeps its version, and a document without one is of version 1, so that
commands and addresses mean forever what they meant."""

VERSION = VERSIONS[-1]
"""Of what is written now."""

DTYPES = (
    "float64",
    "float32",
    "int64",
    "int32",
    "int16",
    "int8",
    "uint64",
    "uint32",
    "uint16",
    "uint8",
    "bool",
    "complex128",
    "complex64",
)
"""What a tensor may hold."""

CONVERSIONS = ("never", "automatic")
"""What happens where the loops need an operand in another storage order: a diagnostic, or a conversion at call time."""


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """What a Plan says of one tensor. None means: the default (dense, float64, shape from the input). ``shape`` is by
    dimension, ``fill`` the value of everything that is not stored."""

    format: str | None = None
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    fill: Fill = 0

    def describe(self) -> str:
        """Format and dtype, and shape and fill where they are not the default."""
        sizes = () if self.shape is None else (" × ".join(map(str, self.shape)) or "a number",)
        fill = (f"fill {self.fill}",) if self.fill != 0 else ()
        return ", ".join((self.format or "dense", self.dtype or "float64", *sizes, *fill))


@dataclass(frozen=True, slots=True)
class RunSpec:
    """How to time a Plan: alongside which libraries, on how many ``threads`` (None: one for each core)."""

    baselines: tuple[str, ...] = ("scipy", "mkl")
    threads: int | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """How to compile. ``convert`` is one of :data:`CONVERSIONS`."""

    convert: str = "never"


@dataclass(frozen=True, slots=True)
class Plan:
    """A program and how to run it, as :func:`heddle.plan.parse_plan` and the arguments of ``hd.compile`` make it.

    ``tensors`` says of each tensor by name what is not the default; ``schedule`` has one command in each text;
    ``inputs`` maps a tensor to a generator, a dataset or an upload (validated JSON objects). ``version`` says in which
    order loops run that no command moves (:data:`VERSIONS`). ``language`` is that of the expression, one of
    :data:`heddle.frontends.table.LANGUAGES`. ``sizes`` fixes sizes and integers that the expression names.
    """

    expression: str
    tensors: dict[str, TensorSpec] = field(default_factory=dict)
    schedule: tuple[str, ...] = ()
    target: str = DEFAULT_TARGET
    inputs: dict[str, dict[str, object]] = field(default_factory=dict)
    run: RunSpec = field(default_factory=RunSpec)
    options: Options = field(default_factory=Options)
    version: int = VERSION
    language: str = DEFAULT_LANGUAGE
    sizes: dict[str, int] = field(default_factory=dict)
    arguments: dict[str, str] = field(default_factory=dict)
    """What each parameter of a program of patterns is in a run: a tensor, or a part of one as ``A.pos``."""

    @property
    def sources(self) -> frozenset[str]:
        """The tensors that arguments are taken from."""
        return frozenset(source.partition(".")[0] for source in self.arguments.values())

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes that the Plan demands, by tensor."""
        return {name: spec.shape for name, spec in self.tensors.items() if spec.shape is not None}

    def _repr_html_(self) -> str:
        """What it computes, what it says of its tensors, and its schedule, for notebooks."""
        facts = [("computes", self.expression), *((name, spec.describe()) for name, spec in self.tensors.items())]
        facts += [("language", self.language), ("target", self.target)]
        facts.append(("schedule", "; ".join(self.schedule) or "none"))
        rows = ((name, text if len(text) <= _MOST else f"{text[:_MOST]}…") for name, text in facts)
        return f"<div><strong>{type(self).__name__}</strong>{table(rows)}</div>"


_MOST = 1_000
"""Characters of a text that a notebook shows."""
