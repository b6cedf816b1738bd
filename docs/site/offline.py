"""Makes the pages fit a policy that runs scripts from files of the site alone: none stands in a page itself.

Tab reaches what scrolls in a page, so that arrow keys scroll it, and what the theme leaves without a name has one.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

SCRIPT = re.compile(r"<script>\s*(.*?)\s*</script>", re.DOTALL)
SCROLLS = re.compile(r'<(pre|div class="table-wrapper[^"]*"|p(?=><img))>')
NAMED = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="This page">',
}
"""What the theme writes, and the same for those who hear it."""
DEPTH = re.compile(r'data-content_root="([./]*)"')


def finish_pages(app: Sphinx, failure: Exception | None) -> None:
    """Moves each script out of the pages into a file, which the pages name instead, and lets Tab reach what scrolls."""
    if failure is not None or app.builder.name != "html":
        return
    files: dict[str, str] = {}
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        root = DEPTH.search(text)

        def name_file(script: re.Match[str], root: str = root[1] if root else "./") -> str:
            name = files.setdefault(script[1], f"inline-{len(files)}.js")
            return f'<script src="{root}_static/{name}"></script>'

        moved = SCRIPT.sub(name_file, SCROLLS.sub(r'<\1 tabindex="0">', text))
        for found, named in NAMED.items():
            moved = moved.replace(found, named)
        if moved != text:
            page.write_text(moved, encoding="utf-8")
    for script, name in files.items():
        (Path(app.outdir) / "_static" / name).write_text(f"{script}\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", finish_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
