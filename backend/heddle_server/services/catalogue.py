"""What never changes while the service runs: languages, commands, formats, targets, examples, generators, baselines."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter

from heddle.algorithms.methods import METHODS
from heddle.explorer.views import command_views
from heddle.explorer.views.commands_schema import CommandSpecView, FormatPresetView, QuantityView
from heddle.formats.composed.quantities import QUANTITIES
from heddle.formats.presets import PRESETS
from heddle.formats.printer import long_form
from heddle.frontends.table import FRONT_ENDS
from heddle.measuring.baselines.registry import BASELINES
from heddle.measuring.inputs.synthetic.generator import Parameter
from heddle.measuring.inputs.synthetic.generators import GENERATORS
from heddle.plan import parse_plan
from heddle.runtime.native import assembly
from heddle.runtime.native.cache import GENERATOR_VERSION
from heddle.targets import TARGETS
from heddle.tuning.facts.described_machines import DESCRIBED
from heddle_server.schema.catalogue import CatalogueView, VersionView, WorkerView
from heddle_server.schema.dataset import DatasetView, GeneratorParameterView, GeneratorView
from heddle_server.schema.decomposition import MethodView
from heddle_server.schema.download import CollectionView
from heddle_server.schema.plan import BaselineView, ExampleView, MentionView
from heddle_server.schema.run import MachineFacts
from heddle_server.schema.suggestion import MachineName, SuggestionMachineView
from heddle_server.schema.target import CodeLanguageView, LanguageView, TargetView
from heddle_server.version import VERSION

NEEDS_SERVER = "Machine code needs a Heddle server: it is compiled on a machine."
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
EXAMPLE = TypeAdapter(ExampleView)
WORDS = EXAMPLES / "words" / "papers.json"
"""What the papers call the examples, where they print them, and what their readers may type: one line an example."""


class Catalogue:
    @cached_property
    def examples(self) -> list[ExampleView]:
        """Raises ValueError, naming the file, where one of them is not valid."""
        return read_examples()

    @cached_property
    def commands(self) -> list[CommandSpecView]:
        return command_views()

    @cached_property
    def formats(self) -> list[FormatPresetView]:
        return [
            {
                "name": preset.name,
                "order": preset.order,
                "text": long_form(preset.instance(preset.order or max(preset.least, 1))),
                "summary": preset.summary,
            }
            for preset in PRESETS
        ]

    @cached_property
    def quantities(self) -> list[QuantityView]:
        return [
            {
                "name": quantity.name,
                "spelled": quantity.spelled,
                "summary": quantity.summary,
                "matrices": quantity.matrices,
            }
            for quantity in QUANTITIES.values()
        ]

    @cached_property
    def languages(self) -> list[LanguageView]:
        return [
            {"name": front_end.name, "title": front_end.title, "example": front_end.example, "editor": front_end.editor}
            for front_end in FRONT_ENDS
        ]

    @cached_property
    def targets(self) -> list[TargetView]:
        return [
            {
                "name": target.name,
                "title": target.title,
                "language": cast(CodeLanguageView, asdict(target.language)) if target.language is not None else None,
                "units": [unit.value for unit in target.units],
                "needs": target.needs,
                "features": sorted(feature.value for feature in target.features),
            }
            for target in TARGETS
        ]

    @cached_property
    def suggestion_machines(self) -> list[SuggestionMachineView]:
        return [{"name": "server", "title": "the server's machine"}, *self.described_machines]

    @cached_property
    def described_machines(self) -> list[SuggestionMachineView]:
        """Those for which a schedule is chosen where there is no server."""
        return [{"name": cast(MachineName, known.name), "title": known.title} for known in DESCRIBED]

    @cached_property
    def generators(self) -> list[GeneratorView]:
        return generator_views()

    @cached_property
    def baselines(self) -> list[BaselineView]:
        return [
            {
                "name": baseline.name,
                "title": baseline.title,
                "computes": baseline.computes,
                "resource": baseline.resource.value,
                "missing": baseline.missing,
            }
            for baseline in BASELINES.values()
        ]

    @cached_property
    def methods(self) -> list[MethodView]:
        return [
            {
                "name": method.name,
                "known_as": method.known_as,
                "title": method.title,
                "reproducible": method.reproducible,
                "shared": method.shared,
            }
            for method in METHODS
        ]

    def everything(
        self,
        datasets: list[DatasetView],
        collections: list[CollectionView],
        machine: MachineFacts | None,
        machines: list[WorkerView],
    ) -> CatalogueView:
        """What stands here but for the examples, with what changes while the service runs."""
        return {
            "languages": self.languages,
            "commands": self.commands,
            "formats": self.formats,
            "quantities": self.quantities,
            "generators": self.generators,
            "baselines": self.baselines,
            "collections": collections,
            "datasets": datasets,
            "suggestion_machines": self.described_machines if machine is None else self.suggestion_machines,
            "machine": machine,
            "machines": machines,
            "version": version_view(),
            "no_assembly": assembly.obstacle() if machine is not None else NEEDS_SERVER,
        }


def version_view() -> VersionView:
    return {"heddle": VERSION, "generator": GENERATOR_VERSION}


def read_examples(directory: Path = EXAMPLES) -> list[ExampleView]:
    """The examples in the order of their file names. Raises ValueError, naming the file, for one that is not valid."""
    return [read_example(path) for path in sorted(directory.glob("*.json"))]


def read_example(path: Path) -> ExampleView:
    """``NN-id.json``: the number orders the menu, the rest is the id, by which the papers' words are known."""
    try:
        identity = path.stem.partition("-")[2]
        document = {"id": identity, "mention": mention_of(identity), **json.loads(path.read_text(encoding="utf-8"))}
        example = EXAMPLE.validate_python(document, strict=True)
        parse_plan(example["plan"])
    except Exception as error:
        raise ValueError(f"The example {path.name} is not valid: {error}") from error
    return example


def mention_of(identity: str) -> MentionView:
    """What the papers say of an example. Raises ValueError where the table has no line for it."""
    table = _words()
    if identity not in table["mentions"]:
        raise ValueError(f"words/{WORDS.name} has no line for {identity}: what is it called, and where?")
    mention = table["mentions"][identity]
    return {
        "paper": table["papers"][mention["paper"]] if mention["paper"] else None,
        "term": mention["term"],
        "place": mention["place"],
        "words": mention["words"],
    }


@cache
def _words() -> Any:
    return json.loads(WORDS.read_text(encoding="utf-8"))


def generator_views() -> list[GeneratorView]:
    """What the page's form needs to know of each generator."""
    return [
        {
            "name": generator.name,
            "title": generator.title,
            "summary": generator.summary,
            "order": generator.order,
            "parameters": [_parameter_view(parameter) for parameter in generator.parameters],
        }
        for generator in GENERATORS
    ]


def _parameter_view(parameter: Parameter) -> GeneratorParameterView:
    return {
        "name": parameter.name,
        "title": parameter.title,
        "kind": parameter.kind,
        "default": parameter.default,
        "minimum": parameter.minimum,
        "maximum": parameter.maximum,
    }
