"""``python -m tools.command MODULE …``: a command as its module is run, which an interruption ends in one line, also
while its imports go on."""

from __future__ import annotations

import runpy
import sys


def main(words: list[str]) -> None:
    """Runs the module that ``words`` begin with, as ``python -m`` does."""
    sys.argv = words
    try:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:
        print("heddle: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1:])
