"""A plan that is measured again where an exported script runs, beside what was stored when the script was saved."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.measuring.contender import Contender, Unavailable
from heddle.measuring.entries import unavailable_entry
from heddle.measuring.patterns.prepared import PreparedProgram, bytes_of_program, prepare_program
from heddle.measuring.prepared import Prepared, bytes_moved, prepare_contenders
from heddle.measuring.rounds import Protocol
from heddle.measuring.threads import set_threads
from heddle.measuring.timed import time_contenders
from heddle.measuring.verdicts import conclude
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan
from heddle.result import CompileResult
from heddle.runtime.native import parallel_region

if TYPE_CHECKING:
    from heddle.measuring.schema import Measured, RunInput, Verification

LARGEST_EMBEDDED = 1_000_000
"""Characters of a data file that a script brings along, packed."""

LARGEST_PACKED = 16 << 20
"""Bytes of a file from which on nobody tries to pack it."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data set of a plan. Without its ``content`` (zlib, base 85) a file of that name lies beside the script."""

    name: str
    sha256: str
    content: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """What was measured before: ``measured`` has the entries, which need no samples."""

    date: str
    machine: str
    threads: int
    measured: Measured
    inputs: list[RunInput]


@dataclass(frozen=True, slots=True, eq=False)
class Reproduction:
    """Both are judged by the rules that are installed here."""

    plan: Plan
    threads: int
    verification: Verification
    measured: Measured
    inputs: list[RunInput]
    stored: Stored | None


def pack_file(path: Path) -> DataFile:
    """The file as a script brings it along, or its name alone where it is too large."""
    content = None
    if path.stat().st_size <= LARGEST_PACKED:
        packed = base64.b85encode(zlib.compress(path.read_bytes(), 9)).decode()
        content = packed if len(packed) <= LARGEST_EMBEDDED else None
    return DataFile(path.name, _digest(path), content)


def unpack_file(file: DataFile, folder: Path, scratch: Path) -> Path:
    """Where the data are, unpacked into ``scratch`` or beside the script in ``folder``.

    Raises
    ------
    CompileError
        ``input/no-file`` for a file that does not lie there, and ``input/other-file`` for one with another content.
    """
    if file.content is not None:
        path = scratch / file.name
        path.write_bytes(zlib.decompress(base64.b85decode(file.content)))
        return path
    path = folder / file.name
    if not path.is_file():
        raise _refuse_file(
            "input/no-file",
            f"The plan's data file {file.name} is too large to be in the script, and does not lie beside it.",
            f"{file.name} with the SHA-256 {file.sha256}",
            f"none in {folder}",
        )
    digest = _digest(path)
    if digest != file.sha256:
        raise _refuse_file("input/other-file", f"{path} is not the file that was measured.", file.sha256, digest)
    return path


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _refuse_file(code: str, message: str, expected: str, actual: str) -> CompileError:
    return CompileError(
        Diagnostic(code, message, Location(Part.PLAN, path="/inputs"), expected=expected, actual=actual)
    )


def measure_plan(
    document: object,
    paths: Mapping[str, str],
    stored: Stored | None,
    report: Callable[[str], None],
    protocol: Protocol | None = None,
) -> Reproduction:
    """Compiles, verifies and times the plan as the explorer does.

    Parameters
    ----------
    document
        The plan as JSON values.
    paths
        The files of the data sets that it names.
    report
        Is told what begins.

    Raises
    ------
    CompileError
        The plan, its inputs or this machine are at fault.
    """
    plan = parse_plan(document)
    threads = set_threads(plan.run.threads)
    report("Compiling the kernel")
    result = lower(plan)
    result.raise_errors()
    prepared = _prepare(plan, result, paths, threads, report)
    measured = _time(prepared, threads, report, protocol or Protocol())
    earlier = None if stored is None else _judge_again(stored)
    return Reproduction(plan, threads, prepared.verification, conclude(measured), prepared.inputs, earlier)


def _prepare(
    plan: Plan, result: CompileResult, paths: Mapping[str, str], threads: int, report: Callable[[str], None]
) -> Prepared | PreparedProgram:
    prepare = prepare_contenders if result.bound is None else prepare_program
    return prepare(plan, result, paths, threads, lambda phase, share, message: report(message))


def _bytes_of(prepared: Prepared | PreparedProgram) -> int:
    match prepared:
        case Prepared():
            return bytes_moved(prepared.call)
        case PreparedProgram():
            return bytes_of_program(prepared.call)


def _time(
    prepared: Prepared | PreparedProgram, threads: int, report: Callable[[str], None], protocol: Protocol
) -> Measured:
    right = prepared.verification["ok"]
    timed = [each for each in prepared.contenders if isinstance(each, Contender)] if right else []
    if any(each.threads > 1 for each in timed):
        parallel_region.measure_region(threads)
    report("Timing in rounds")
    together = time_contenders(timed, threads, protocol, lambda share: None, _bytes_of(prepared))
    unavailable = [unavailable_entry(each) for each in prepared.contenders if isinstance(each, Unavailable)]
    control = together.entries[0].get("control") if together.entries else None
    return {"entries": [*together.entries, *unavailable], "control": control, "load": together.load}


def _judge_again(stored: Stored) -> Stored:
    return Stored(stored.date, stored.machine, stored.threads, conclude(stored.measured), stored.inputs)


def read_stored(document: Mapping[str, Any]) -> Stored:
    """What a script has of a stored result."""
    measured = {name: document[name] for name in ("entries", "control", "load") if name in document}
    return Stored(
        document["date"], document["machine"], document["threads"], cast("Measured", measured), document["inputs"]
    )


def read_file(document: Mapping[str, Any]) -> DataFile:
    """What a script has of a data file."""
    return DataFile(document["name"], document["sha256"], document.get("packed"))
