"""Links of the repository as they are in the site, which has its documents alone.

On a forge a link to a file leads there, and the papers lie in ``docs/sources.md``. In the site a file is named by its
path, and papers and terms are pages of the reference.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

FOLDERS = ("compiler", "backend", "frontend", "tests", "benchmarks", "tools")
"""Those of the repository whose files a page may link to."""
MOVED = {"sources.md": "reference/sources", "glossary.md": "reference/glossary"}
"""Documents of the repository that are generated with the site, and their pages there."""
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
            # Anchors that a page writes itself are unknown to links of Markdown.
            address = f"{up}{MOVED[target]}"
            return f'<a href="{address}.html{anchor}">{label}</a>' if anchor else f"[{label}]({address}.md)"
        return link[0]

    return _LINK.sub(replaced, text)
