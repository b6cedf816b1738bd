"""./heddle test [PART …] [ARGUMENT …]: runs the suite or parts of it, then says what passed or failed, in what time."""

from __future__ import annotations

import itertools
import sys
import time

from tools.progress import SetupError, say
from tools.python_environment import ensure_packages
from tools.suite import SUITE, Count, Part

GROUPS = tuple(dict.fromkeys(group for part in SUITE for group in part.groups))
USAGE = f"""usage: ./heddle test                      everything
       ./heddle test PART … [ARGUMENT …]  some of: {", ".join(GROUPS)}

Arguments go to the runners of the parts (pytest or vitest), e.g. ./heddle test python -k split -x"""


def run_suite(arguments: list[str]) -> int:
    """The exit code: 0 when all that was asked for passed."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    if arguments and arguments[0] not in GROUPS:
        print(f"heddle: there is no part {arguments[0]!r} of the tests.\n\n{USAGE}", file=sys.stderr)
        return 2
    chosen = set(itertools.takewhile(GROUPS.__contains__, arguments))
    parts = [part for part in SUITE if not chosen or not chosen.isdisjoint(part.groups)]
    passed_on = list(itertools.dropwhile(GROUPS.__contains__, arguments))
    ensure_packages("runtime", "test", "devices")

    rows: list[tuple[Part, Count, float]] = []
    for part in parts:
        print(f"\n━━ {part.title} {'━' * (76 - len(part.title))}", flush=True)
        started = time.monotonic()
        rows.append((part, _run(part, passed_on), time.monotonic() - started))
    return _summary(rows)


def _run(part: Part, arguments: list[str]) -> Count:
    """A part whose set-up fails counts as failed; the others still run."""
    try:
        return part.run(arguments)
    except SetupError as error:
        say(str(error))
        return Count(failed=1)


def _summary(rows: list[tuple[Part, Count, float]]) -> int:
    print(f"\n━━ summary {'━' * 69}")
    total = Count()
    for part, count, seconds in rows:
        mark = "✗" if count.failed else "✓"
        skipped = f", {count.skipped} skipped" if count.skipped else ""
        print(f" {mark} {part.title:<28} {count.passed:>6} passed, {count.failed} failed{skipped}  {seconds:7.1f} s")
        total += count
    print(f"   {sum(seconds for _, _, seconds in rows):.0f} s in all\n")
    skipped = f", {total.skipped} skipped" if total.skipped else ""
    print(f"{total.passed} passed, {total.failed} failed{skipped}", flush=True)
    return 1 if total.failed or not total.passed else 0
