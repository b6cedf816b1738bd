"""Links of the repository as they are in the site, which has its documents alone.

On a forge a link to a file leads there. In the site a file is named by its path, terms are a page of the reference,
and a link to an id of the sources leads to its row, which is no heading.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

FOLDERS = ("compiler", "backend", "frontend", "tests", "benchmarks", "tools")
"""Those of the repository whose files a page may link to."""
MOVED = {"glossary.md": "reference/glossary"}
"""Documents of the repository that are generated with the site, and their pages there."""
_ROW = re.compile(r"#[a-z]\d+")
"""The anchor of an id in ``reference/sources.md``."""
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
        if len(up) == 3 * (len(page.parts) - 1):
            if target == "reference/sources.md" and anchor and _ROW.fullmatch(anchor):
                # Anchors that a page writes itself are unknown to links of Markdown.
                return f'<a href="{up}reference/sources.html{anchor}">{label}</a>'
            if target in MOVED:
                return f"[{label}]({up}{MOVED[target]}.md{anchor or ''})"
        return link[0]

    return _LINK.sub(replaced, text)
