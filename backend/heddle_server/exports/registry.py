"""A plan in the forms in which it is taken elsewhere. One table: name, what the file is called, and how it is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from heddle.diagnostics import InternalError
from heddle.pipeline import lower
from heddle.plan import Plan, plan_hash, to_document
from heddle.targets import TARGETS
from heddle_server.exports.bibtex import bibtex
from heddle_server.exports.reproducer import reproducer
from heddle_server.exports.taco_command import taco_command
from heddle_server.version import VERSION


@dataclass(frozen=True, slots=True)
class Export:
    """``make`` raises CompileError for a plan that does not compile."""

    file_name: str
    media_type: str
    make: Callable[[Plan], str]


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


EXPORTS: Mapping[str, Export] = {
    "plan": Export("plan.json", "application/json", document),
    **{
        target.name: Export(target.language.file, "text/x-c", source(target.name, "//"))
        for target in TARGETS
        if target.language is not None
    },
    "python": Export("reproduce.py", "text/x-python", reproducer),
    "taco": Export("taco.sh", "text/x-shellscript", taco_command),
    "bibtex": Export("heddle.bib", "application/x-bibtex", bibtex),
}


def export_text(document: object, kind: str) -> str:
    """Runs in a compile process."""
    from heddle.plan import parse_plan

    return EXPORTS[kind].make(parse_plan(document))
