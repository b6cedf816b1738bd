"""Links of the repository as they are in the site, which has its documents alone.

On a forge a link to a file leads there. In the site a file is named by its path; the terms, the papers, and the ids
that comments cite are pages of the reference.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

FOLDERS = ("compiler", "backend", "frontend", "tests", "benchmarks", "tools")
"""Those of the repository whose files a page may link to."""
MOVED = {
    "glossary.md": ("reference/glossary", ""),
    "references.bib": ("reference/sources", "#papers"),
    "sources.toml": ("reference/sources", ""),
}
"""Files of ``docs/`` that a page of the site is made of: the page, and the part of it."""
_ROW = re.compile(r"#[a-z]\d+")
"""The anchor of an id, which is no heading."""
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+)([^)#\s]+)(#[^)\s]*)?\)")
_FENCE = re.compile(r"^(```+).*?^\1$", re.MULTILINE | re.DOTALL)


def is_in_repository(page: PurePosixPath, target: str) -> bool:
    """Whether a link of ``page``, a path below ``docs/``, leads into another folder of the repository."""
    return target.startswith("../" * len(page.parts)) and target.removeprefix("../" * len(page.parts)).startswith(
        tuple(f"{folder}/" for folder in FOLDERS)
    )


def for_site(page: PurePosixPath, text: str) -> str:
    """The text of ``page``, a path below ``docs/``, with the links that the site has. Listings stay as they are."""
    parts, end = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_replace(page, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join((*parts, _replace(page, text[end:])))


def _replace(page: PurePosixPath, text: str) -> str:
    def replaced(link: re.Match[str]) -> str:
        label, up, target, anchor = link.groups()
        if is_in_repository(page, up + target):
            return f"`{target}`"
        if len(up) == 3 * (len(page.parts) - 1) and target in MOVED:
            address, part = MOVED[target]
            if anchor and _ROW.fullmatch(anchor):
                # Anchors that a page writes itself are unknown to links of Markdown.
                return f'<a href="{up}{address}.html{anchor}">{label}</a>'
            return f"[{label}]({up}{address}.md{anchor or part})"
        return link[0]

    return _LINK.sub(replaced, text)
