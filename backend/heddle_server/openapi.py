"""``python -m heddle_server.openapi``: writes the API description that the front end's client is generated from, or
checks that the committed one is up to date (``--check``). An installation prints it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from heddle_server.main import create_app
from heddle_server.places import INSTALLED

COMMITTED = Path(__file__).resolve().parent / "openapi.json"


def document() -> str:
    return json.dumps(create_app().openapi(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="heddle openapi", description=__doc__)
    parser.add_argument("--output", type=Path, default=None if INSTALLED else COMMITTED, help="where to write it")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file is out of date")
    options = parser.parse_args(arguments)
    text = document()
    if options.output is None:
        print(text, end="")
        return 0
    if not options.check:
        options.output.write_text(text, encoding="utf-8")
        return 0
    if options.output.exists() and options.output.read_text(encoding="utf-8") == text:
        return 0
    print(f"{options.output} is out of date with the API. Run: python -m heddle_server.openapi", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
