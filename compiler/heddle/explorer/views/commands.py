"""The command registry -> JSON: one source for completion, forms and the reference."""

from __future__ import annotations

from heddle.explorer.views.commands_schema import CommandSpecView, ParameterView
from heddle.schedule.registry import COMMANDS


def command_views() -> list[CommandSpecView]:
    return [
        CommandSpecView(
            name=spec.name,
            signature=spec.signature,
            summary=spec.summary,
            before=spec.before,
            after=spec.after,
            preconditions=list(spec.preconditions),
            parameters=[
                ParameterView(name=p.name, kind=p.kind, choices=list(p.choices), optional=p.optional, doc=p.doc)
                for p in spec.parameters
            ],
        )
        for spec in COMMANDS.values()
    ]
