"""The pages that are generated when the site is built, by their paths in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from docs import make_glossary
from docs.site.notebooks import NOTEBOOKS
from docs.site.reference.command_line import command_line
from docs.site.reference.commands import commands
from docs.site.reference.formats import formats
from docs.site.reference.gpu_results import gpu_results
from docs.site.reference.http import http
from docs.site.reference.passes import passes
from docs.site.reference.pattern_steps import pattern_steps
from docs.site.reference.python import PYTHON
from docs.site.reference.settings import settings
from docs.site.reference.speed import speed


def sources() -> str:
    """The papers, whose list lies where comments name it. Its rows are anchors, which links of Markdown do not know."""
    text = (Path(__file__).resolve().parents[1] / "sources.md").read_text(encoding="utf-8")
    return re.sub(r"\[([^\]]+)\]\(#(\w+)\)", r'<a href="#\2">\1</a>', text)


PAGES: Mapping[str, Callable[[], str]] = {
    "reference/commands.md": commands,
    "reference/formats.md": formats,
    "reference/passes.md": passes,
    "reference/pattern-steps.md": pattern_steps,
    "reference/command-line.md": command_line,
    "reference/settings.md": settings,
    "reference/http.md": http,
    "reference/glossary.md": make_glossary.glossary,
    "reference/speed.md": speed,
    "reference/gpu-results.md": gpu_results,
    "reference/sources.md": sources,
    **PYTHON,
    **NOTEBOOKS,
}
