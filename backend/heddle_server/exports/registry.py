"""A plan in the forms in which it is taken elsewhere. One table: name, what the file is called, and how it is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from heddle.diagnostics import InternalError
from heddle.pipeline import lower
from heddle.plan import Plan, plan_hash, to_document
from heddle.targets import TARGETS
from heddle_server.exports.bibtex import bibtex
from heddle_server.exports.taco_command import taco_command
from heddle_server.version import VERSION

if TYPE_CHECKING:  # the schema needs pydantic, and the page without a server does without
    from heddle_server.schema.run import RunResult


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """What a plan was measured on, and the result: the files of its data sets by identity. None where it was not."""

    paths: Mapping[str, str] = field(default_factory=dict)
    result: RunResult | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """``make`` raises CompileError for a plan that does not compile; ``measured`` where it looks at a measurement."""

    file_name: str
    media_type: str
    make: Callable[[Plan, Measurement], str]
    measured: bool = False


def of_plan(make: Callable[[Plan], str]) -> Callable[[Plan, Measurement], str]:
    """What looks at the plan alone."""
    return lambda plan, measurement: make(plan)


def source(target: str, comment: str) -> Callable[[Plan], str]:
    """The kernel's text for a target, under a header that says what made it."""

    def make(plan: Plan) -> str:
        result = lower(replace(plan, target=target))
        result.raise_errors()
        if result.source is None:
            raise InternalError("A compile without errors has no code")
        lines = [
            f"Made by Heddle {VERSION} from plan {plan_hash(plan)}",
            plan.expression,
            *(f"{name}: {spec.format}" for name, spec in plan.tensors.items() if spec.format is not None),
            *(f"schedule: {command}" for command in plan.schedule),
        ]
        head = "\n".join(f"{comment} {line}" for text in lines for line in text.splitlines())
        return f"{head}\n\n{result.source.text}"

    return make


def document(plan: Plan) -> str:
    return json.dumps(to_document(plan), indent=2, ensure_ascii=False) + "\n"


def reproduce(plan: Plan, measurement: Measurement) -> str:
    # What measures is more than the other forms need.
    from heddle_server.exports.reproducer import reproducer

    return reproducer(plan, measurement.paths, measurement.result)


EXPORTS: Mapping[str, Export] = {
    "plan": Export("plan.json", "application/json", of_plan(document)),
    **{
        target.name: Export(target.language.file, "text/x-c", of_plan(source(target.name, "//")))
        for target in TARGETS
        if target.language is not None
    },
    "python": Export("reproduce.py", "text/x-python", reproduce, measured=True),
    "taco": Export("taco.sh", "text/x-shellscript", of_plan(taco_command)),
    "bibtex": Export("heddle.bib", "application/x-bibtex", of_plan(bibtex)),
}


def export_text(
    document: object, kind: str, paths: Mapping[str, str] | None = None, result: RunResult | None = None
) -> str:
    """Runs in a compile process."""
    from heddle.plan import parse_plan

    return EXPORTS[kind].make(parse_plan(document), Measurement(paths or {}, result))
