"""Whether the suite notices mistakes: ``./heddle test mutations [WORD …] [--full] [--protections]``.

Each planted mistake (or each whose name has all the words) is made in a copy of the working tree, where the tests of
its area run until one fails, with the combinations that ``./heddle test`` would run, or with all of them. The test
that failed must pass without the mistake.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.mutations.mutation import Mutation
from tests.mutations.planted import PLANTED
from tests.mutations.protections import PROTECTIONS
from tests.mutations.seams import AT_SEAMS
from tests.search_path import search_path
from tools.run_suite import commit
from tools.suite import SEED

MISTAKES = (*PLANTED, *AT_SEAMS, *PROTECTIONS)
ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("compiler/heddle", "backend/heddle_server")
NEVER_THE_SAME = 3_600_000_000_000
"""Nanoseconds: a mistake that is planted dates from an hour ahead, and each from another moment."""
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+?::[^\[\n]*?(?:\[.*?\])?)(?= - |$)", re.MULTILINE)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="heddle test mutations", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="only mistakes whose name has all of these words")
    parser.add_argument("--full", action="store_true", help="run every combination")
    parser.add_argument("--protections", action="store_true", help="only those that take a protection away")
    options = parser.parse_args(arguments)
    mistakes = PROTECTIONS if options.protections else MISTAKES
    chosen = [mutation for mutation in mistakes if set(options.words) <= set(mutation.name.split())]
    sample = [] if options.full else [f"{SEED}={commit()}"]
    missed = 0
    with tempfile.TemporaryDirectory(prefix="heddle-mutations-") as folder:
        sound = copy(Path(folder, "sound"))
        mistaken = shutil.copytree(sound, Path(folder, "mistaken"))
        sources = {path: path.read_text("utf-8") for path in source_files(mistaken)}
        for mutation in chosen:
            started = time.monotonic()
            verdict, noticed = judge(mutation, sound, mistaken, sources, sample)
            missed += not noticed
            mark = "✓" if noticed else "✗"
            print(f" {mark} {mutation.name}\n     {verdict}  ({time.monotonic() - started:.0f} s)", flush=True)
    print(f"\n{len(chosen) - missed} of {len(chosen)} mistakes noticed")
    return 1 if missed or not chosen else 0


def copy(folder: Path) -> Path:
    """The files of the working tree that git does not ignore, with the environment of this one."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def source_files(folder: Path) -> Iterator[Path]:
    """The files of a copy in which mistakes can be planted."""
    return (path for name in FOLDERS for ending in ("*.py", "*.c") for path in (folder / name).rglob(ending))


def judge(
    mutation: Mutation, sound: Path, mistaken: Path, sources: Mapping[Path, str], sample: list[str]
) -> tuple[str, bool]:
    """What became of a mistake, and whether it was noticed. It is made in the copy ``mistaken``, whose ``sources`` are
    sound before and after."""
    if (count := sum(source.count(mutation.text) for source in sources.values())) != 1:
        return f"cannot be planted: its text stands {count} times", False
    path = next(path for path, source in sources.items() if mutation.text in source)
    with planted(path, sources[path].replace(mutation.text, mutation.mistake)):
        failure = first_failure(mistaken, [*mutation.tests, *sample])
    if failure is None:
        return "not noticed", False
    if first_failure(sound, [failure]) is not None:
        return f"{failure} fails without the mistake as well", False
    return failure, True


@contextmanager
def planted(path: Path, text: str) -> Iterator[None]:
    """A file with another text for a while. Both have dates of their own, by which Python knows which bytecode is
    whose."""
    sound, date = path.read_bytes(), path.stat().st_mtime_ns
    path.write_text(text, "utf-8")
    os.utime(path, ns=(date, time.time_ns() + NEVER_THE_SAME))
    try:
        yield
    finally:
        path.write_bytes(sound)
        os.utime(path, ns=(date, date))


def first_failure(folder: Path, arguments: list[str]) -> str | None:
    """The test that fails first in a copy of the working tree; None where all pass."""
    options = ["-x", "-q", "-p", "no:cacheprovider"]
    environment = {
        **os.environ,
        "PYTHONPATH": search_path(folder),
        "OMP_WAIT_POLICY": "passive",
        "HEDDLE_CACHE": str(folder.parent / "cache"),
    }
    command = [sys.executable, "-P", "-m", "pytest", *options, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    failure = _FAILURE.search(done.stdout)
    if failure is None:
        raise SystemExit(f"the tests did not run:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return failure.group(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
