"""Builds the site: ``python -m docs.site.build OUT``. A warning of Sphinx fails the build.

The sources are copied beside the generated pages first, so that nothing generated lies among what people write.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from sphinx.cmd.build import build_main

from docs.site.generated import PAGES
from docs.site.links import for_site

DOCS = Path(__file__).resolve().parent.parent
WORK = DOCS.parent / "build" / "docs-work"
"""Sources as Sphinx reads them, and what it remembers between builds."""

WRITTEN = ("learn", "how-to", "understand", "reference", "images")
"""Folders of documents; further ones are of the repository alone."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./heddle docs", description="Build the documents as a site.")
    parser.add_argument(
        "out",
        nargs="?",
        type=Path,
        default=DOCS.parent / "build" / "docs",
        help="the folder to write, build/docs by default",
    )
    out = parser.parse_args(arguments).out.resolve()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"heddle: {out} cannot be the folder of the site: {error.strerror}", file=sys.stderr)
        return 1
    sources = WORK / "sources"
    stage(sources)
    options = [
        "--builder",
        "html",
        "--fail-on-warning",
        "--keep-going",
        "--quiet",
        "--write-all",
        "--jobs",
        "auto",
        "--doctree-dir",
        WORK / "doctrees",
    ]
    # Every page shows the list of pages: all are written, though only what has changed is read.
    code = build_main([str(option) for option in (*options, "--conf-dir", DOCS / "site", sources, out)])
    if code == 0:
        print(f"{out / 'index.html'}")
    return code


def stage(sources: Path) -> None:
    """The written and the generated pages, in ``sources``. A file that has not changed keeps its time of change."""
    wanted = {path.relative_to(DOCS): content(path) for path in written()}
    wanted |= {Path(name): make().encode() for name, make in PAGES.items()}
    for path in sorted(sources.rglob("*")) if sources.is_dir() else []:
        if path.is_file() and path.relative_to(sources) not in wanted:
            path.unlink()
    for name, text in wanted.items():
        target = sources / name
        if not target.is_file() or target.read_bytes() != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)


def content(path: Path) -> bytes:
    """A picture as it is, a page with the links of the site."""
    if path.suffix != ".md":
        return path.read_bytes()
    return for_site(PurePosixPath(path.relative_to(DOCS)), path.read_text(encoding="utf-8")).encode()


def written() -> Iterator[Path]:
    """The pages that people write, their pictures, and the files that they show."""
    yield from (DOCS / name for name in (*TOP, *ATTACHED))
    for folder in WRITTEN:
        yield from (
            path for path in sorted((DOCS / folder).rglob("*")) if path.suffix in (".md", ".png", ".svg", ".py")
        )


TOP = ("index.md", "architecture.md", "a-plans-way.md")
"""Pages beside the four parts."""
ATTACHED = ("nginx.conf",)
"""Files that a page gives to its readers."""

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
