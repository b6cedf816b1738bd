"""The directive ``{plan}``: a plan as JSON becomes a link that opens it in the explorer.

The link is relative, so that it works where the site lies under ``docs/`` of the explorer, whatever the host.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

READABLE = "j1."
"""The spelling of addresses that is percent-encoded JSON (frontend/src/state/address/url-codec.ts)."""


class PlanLink(SphinxDirective):
    """The argument is the text of the link."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        address = f"{to_explorer(self.env.docname)}#{fragment(json.loads(chr(10).join(self.content)))}"
        link = nodes.reference("", self.arguments[0], refuri=address, classes=["plan"])
        return [nodes.paragraph("", "", link)]


def to_explorer(document: str) -> str:
    """From a page of the site to the explorer, whose folder ``docs/`` it is in."""
    return "../" * (document.count("/") + 1)


def fragment(plan: object) -> str:
    return READABLE + quote(json.dumps(plan, separators=(",", ":"), ensure_ascii=False), safe="")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("plan", PlanLink)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
