"""Writes docs/glossary.md from the page's table of terms: ``python -m docs.make_glossary [--check]``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "frontend" / "src" / "text" / "glossary.json"
FILE = ROOT / "docs" / "glossary.md"
COMPILER = "compiler/heddle/"
HEAD = """# Glossary

<!-- Made by `python -m docs.make_glossary` from frontend/src/text/glossary.json; do not edit. -->

A term is a word with one meaning in Heddle, the one that the named papers and projects give it. The page explains the
same terms: *Learn* in its header searches them. A path begins in `compiler/heddle/`, one with `/` in the repository.

|term|meaning|used by|in the code|
|---|---|---|---|"""


def glossary() -> str:
    """The whole document."""
    return "\n".join((HEAD, *map(row, json.loads(TABLE.read_text(encoding="utf-8"))), ""))


def row(entry: dict[str, str]) -> str:
    return f"|{entry['term']}|{entry['text']}|{entry['source']}|`{short_path(entry['code'])}`|"


def short_path(code: str) -> str:
    """A path below the compiler, or one of the repository after a slash."""
    return code.removeprefix(COMPILER) if code.startswith(COMPILER) else f"/{code}"


def main(arguments: list[str]) -> int:
    """With ``--check`` the exit code is 1 where the committed document is another one."""
    if arguments == ["--check"]:
        if FILE.read_text(encoding="utf-8") == glossary():
            return 0
        print("docs/glossary.md is out of date: python -m docs.make_glossary", file=sys.stderr)
        return 1
    FILE.write_text(glossary(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
