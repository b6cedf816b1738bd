"""The pages that are generated when the site is built, by their paths in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docs import make_glossary, make_schedule_reference

PAGES: Mapping[str, Callable[[], str]] = {
    "reference/commands.md": make_schedule_reference.reference,
    "reference/glossary.md": make_glossary.glossary,
}
