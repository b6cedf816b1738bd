"""``./heddle bench --isa v2,v3,v4``: the same suites once for each class of machines, and a table of all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.suite.case import PLAIN
from benchmarks.suite.summary import PRODUCTS, title_of
from heddle.runtime.native.machine_class import CLASSES, NATIVE, VARIABLE, parse_name, require_executable

INTERRUPTED = 130
"""The exit code of a command that was ended with Ctrl+C."""

REPORTED = ((PRODUCTS, "mkl"), (f"{PRODUCTS}+formats", "mkl"), (PRODUCTS, PLAIN), ("all", "best opponent"))
"""Kernels and opponents whose means are compared across the classes."""


def class_named(text: str) -> str:
    """``native``, or the full name of a class that this processor can run.

    Raises
    ------
    CompileError
        there is no such class, or the processor lacks its instructions.
    """
    if text == NATIVE:
        return NATIVE
    one = parse_name(text)
    require_executable(one)
    return one.name


def measure_classes(arguments: Sequence[str], names: Iterable[str], output: Path) -> int:
    """Runs the command again for each class, in a process that is told the class, into its own folder. The exit
    code: the first that is not 0."""
    code = 0
    for name in dict.fromkeys(names):
        print(f"{name}:", flush=True)
        command = [sys.executable, "-P", "-m", "benchmarks", *arguments, "--isa=", f"--output={output / name}"]
        path = os.pathsep.join(sys.path)
        environment = {**os.environ, VARIABLE: name, "PYTHONPATH": path}
        code = subprocess.run(command, env=environment, check=False).returncode or code
        if code == INTERRUPTED:
            break
    for path in write_classes(output):
        print(f"wrote {path}")
    return code


def write_classes(output: Path) -> list[Path]:
    """Writes classes.txt from the results of each class that lie in ``output``; nothing where there are none."""
    folders = [output / name for name in (*(one.name for one in CLASSES), NATIVE)]
    found = {folder.name: folder / "kernels.json" for folder in folders if (folder / "kernels.json").exists()}
    if not found:
        return []
    written = output / "classes.txt"
    documents = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in found.items()}
    written.write_text(classes_table(documents) + "\n", encoding="utf-8")
    return [written]


def classes_table(documents: Mapping[str, Mapping[str, Any]]) -> str:
    """Geometric mean and worst case of each class, by what is compared; above 1 Heddle is faster."""
    lines = [
        f"{'class':10s} {'type, threads':20s} {'kernels':17s} {'opponent':14s} {'cases':>5s} {'geo. mean':>9s} "
        f"{'worst':>6s}  on"
    ]
    for name, document in documents.items():
        for wanted in REPORTED:
            for one in document["summary"]:
                if (one["kernel"], one["opponent"]) == wanted:
                    setting = title_of((one["dtype"], one["threads"]))
                    numbers = f"{one['cases']:5d} {one['geometric_mean']:9.2f} {one['worst']:6.2f}"
                    lines.append(
                        f"{name:10s} {setting:20s} {one['kernel']:17s} {one['opponent']:14s} {numbers}  "
                        f"{one['worst_input']}"
                    )
        paths = sorted({one["mkl"]["dispatch"] for one in document["results"] if one.get("mkl")})
        lines.append(f"{name:10s} MKL's code path: {', '.join(paths) or 'MKL took no part'}")
    return "\n".join(lines)
