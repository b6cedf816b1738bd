"""./heddle test [PART …] [ARGUMENT …]: runs the suite or parts of it, then says what passed or failed, in what time."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from tools.node import ensure_node
from tools.paths import ROOT
from tools.progress import SetupError, say
from tools.python_environment import ensure_packages
from tools.suite import SEED, SUITE, Count, Part

GROUPS = tuple(dict.fromkeys(group for part in SUITE for group in part.groups))
FULL = "full"
Row = tuple[Part, Count, float]
"""A part, what came of it, and its seconds."""
USAGE = f"""usage: ./heddle test                      every part; of long tables of combinations a sample, by the commit
       ./heddle test fast                 what to run while typing, in a minute: a part of the parts below
       ./heddle test full                 every part and every combination
       ./heddle test PART … [ARGUMENT …]  some of: {", ".join(GROUPS)}
       ./heddle test {SEED}=TEXT …  another sample
       ./heddle test mutations [WORD …]   whether the sample notices mistakes that are planted (not part of the suite)

Arguments go to the runners of the parts (pytest or vitest), e.g. ./heddle test python -k split -x: with them every
combination runs that they choose."""


def run_suite(arguments: list[str]) -> int:
    """The exit code: 0 when all that was asked for passed."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    words = list(itertools.takewhile(_says_what_to_run, arguments))
    passed_on = arguments[len(words) :]
    if passed_on and not words:
        print(f"heddle: there is no part {arguments[0]!r} of the tests.\n\n{USAGE}", file=sys.stderr)
        return 2
    chosen = {word for word in words if word in GROUPS}
    parts = [part for part in SUITE if _is_chosen(part, chosen)]
    sampling = [] if passed_on or FULL in words else [_seed(words)]

    started = time.monotonic()
    beside = [part for part in parts if part.beside]
    if any(part.node_only for part in beside):
        ensure_node()  # a small package, without which these would wait for all the others
    with ThreadPoolExecutor(os.cpu_count()) as pool, ThreadPoolExecutor() as early:
        options = {part.title: [*passed_on, *(sampling if part.samples else [])] for part in parts}
        begun = {part.title: pool.submit(_run, part, options[part.title]) for part in beside if part.node_only}
        ensure_packages("runtime", "test", "docs", "devices")
        begun |= {part.title: pool.submit(_run, part, options[part.title]) for part in beside if not part.node_only}
        for part in parts:
            if part.early is not None:
                early.submit(part.early, passed_on)
        rows: dict[str, Row] = {}
        in_turn = [part for part in parts if not part.beside]
        for part in in_turn:
            # With arguments somebody looks for something, and a debugger needs the terminal.
            if part.with_next is not None and part is not in_turn[-1] and not passed_on:
                together = replace(part, run=part.with_next)
                begun[part.title] = early.submit(_run, together, options[part.title])
            else:
                _print_title(part)
                rows[part.title] = _run(part, options[part.title])
            for title, row in begun.items():
                if title not in rows and row.done():
                    rows[title] = _told(row.result())
        for title, row in begun.items():
            if title not in rows:
                rows[title] = _told(row.result())
    return _summary([rows[part.title] for part in parts], time.monotonic() - started)


def _print_title(part: Part) -> None:
    print(f"\n━━ {part.title} {'━' * (76 - len(part.title))}", flush=True)


def _told(row: Row) -> Row:
    """The same, when what a part that ran beside others had to say is printed."""
    part, count, _ = row
    _print_title(part)
    print(count.output, end="", flush=True)
    return row


def _is_chosen(part: Part, groups: set[str]) -> bool:
    return not groups.isdisjoint(part.groups) if groups else not part.named_only


def _says_what_to_run(word: str) -> bool:
    return word in GROUPS or word == FULL or word.startswith(f"{SEED}=")


def _seed(words: list[str]) -> str:
    """The seed that was asked for, else the commit: what it draws, it draws again."""
    given = [word for word in words if word.startswith(f"{SEED}=")]
    return given[-1] if given else f"{SEED}={commit()}"


def commit() -> str:
    """Of the checkout; a copy without git has one seed."""
    try:
        command = ["git", "rev-parse", "--short=12", "HEAD"]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "0"


def _run(part: Part, arguments: list[str]) -> Row:
    """A part whose set-up fails counts as failed; the others still run."""
    started = time.monotonic()
    try:
        count = part.run(arguments)
    except SetupError as error:
        say(str(error))
        count = Count(failed=1)
    return part, count, time.monotonic() - started


def _of_processors(count: Count) -> str:
    """What parts cost, which other load of the machine changes little; what only sets something up has no number."""
    return "" if count.processor_seconds is None else f", {count.processor_seconds:.1f} processor-seconds"


def _summary(rows: list[Row], elapsed: float) -> int:
    print(f"\n━━ summary {'━' * 69}")
    total = Count()
    for part, count, seconds in rows:
        mark = "✗" if count.failed else "✓"
        skipped = f", {count.skipped} skipped" if count.skipped else ""
        row = f" {mark} {part.title:<28} {count.passed:>6} passed, {count.failed} failed{skipped}  {seconds:7.1f} s"
        print(f"{row}{_of_processors(count)}")
        total += count
    print(f"   {elapsed:.0f} s in all{_of_processors(total)}\n")
    if total.reasons:
        print(" skipped, by reason:")
        for reason, tests in sorted(total.reasons.items(), key=lambda item: (-item[1], item[0])):
            print(f" {tests:>6}  {reason}")
        print()
    skipped = f", {total.skipped} skipped" if total.skipped else ""
    print(f"{total.passed} passed, {total.failed} failed{skipped}", flush=True)
    return 1 if total.failed or not total.passed else 0
