"""The pages that are generated when the site is built, by their paths in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
from docs.site.reference.sources import sources
from docs.site.reference.speed import speed

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
