"""All that a page offers before anybody has asked for something, in one answer."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from heddle.explorer.views.commands_schema import CommandSpecView, FormatPresetView, QuantityView
from heddle_server.schema.dataset import DatasetView, GeneratorView
from heddle_server.schema.download import CollectionView
from heddle_server.schema.plan import BaselineView
from heddle_server.schema.run import MachineFacts
from heddle_server.schema.suggestion import SuggestionMachineView
from heddle_server.schema.target import LanguageView


class VersionView(TypedDict):
    """``generator`` is the version of the generated code: kernels of another one are built again."""

    heddle: str
    generator: str


class WorkerView(TypedDict):
    """A worker that runs can be timed on. Workers with the same ``machine`` share its processors, so that only one of
    them times a run at a time. ``name`` is its operator's, or its address. ``targets`` are those that its ``resources``
    can run. ``obstacle`` says why a worker gets no runs; null for one that does. ``failed_probes`` says by capability
    (`opencl`, `gpu`, `mkl`) how the library ended that was asked for it: such a capability is not offered."""

    name: str
    machine: str
    resources: list[str]
    targets: list[str]
    busy: bool
    obstacle: str | None
    facts: MachineFacts
    sandbox: dict[str, Any]
    failed_probes: dict[str, str]


class CatalogueView(TypedDict):
    """What the routes of these names answer (`/suggest/machines` the ``suggestion_machines``), but for the examples,
    which are more than the rest together. ``machine`` is null where nothing can be timed; ``no_assembly`` says why no
    machine code can be shown; null where it can."""

    languages: list[LanguageView]
    commands: list[CommandSpecView]
    formats: list[FormatPresetView]
    quantities: list[QuantityView]
    generators: list[GeneratorView]
    baselines: list[BaselineView]
    collections: list[CollectionView]
    datasets: list[DatasetView]
    suggestion_machines: list[SuggestionMachineView]
    machine: MachineFacts | None
    machines: list[WorkerView]
    version: VersionView
    no_assembly: str | None
