"""Where a saved kernel was compiled, whether this machine can run it, and whether this user saved it."""

from __future__ import annotations

import hashlib
import hmac
import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from heddle.diagnostics import CompileError, Diagnostic, OperandError
from heddle.runtime.native import cache, cpu, machine_class
from heddle.runtime.native.cache_folder import user_caches
from heddle.runtime.native.secret_file import secret, user_number
from heddle.version import VERSION

_INSTRUCTIONS = ("abm", "adx", "avx", "bmi", "f16c", "fma", "gfni", "movbe", "popcnt", "sse", "ssse", "tbm", "xop")
"""How the features of x86 processors begin that compilers make code of unasked."""


def describe_origin() -> dict[str, object]:
    """What a file says of the machine and the Heddle that it comes from."""
    requested = machine_class.read_requested_class()
    return {
        "heddle": VERSION,
        "generator": cache.GENERATOR_VERSION,
        "system": platform.system(),
        "machine": platform.machine(),
        "class": machine_class.in_force().name,
        "processor": cpu.model(),
        "instructions": [] if requested is not None else instructions(),
    }


def instructions() -> list[str]:
    """The features of this processor that machine code made for it may need."""
    features = cpu.features()
    if machine_class.detect() not in machine_class.CLASSES[:-1]:
        return list(features)
    return [feature for feature in features if feature.startswith(_INSTRUCTIONS)]


def require_origin(origin: Mapping[str, object], name: str) -> None:
    """Refuses a file of another version of Heddle, or of machine code that this machine does not run.

    Raises
    ------
    CompileError
        ``runtime/saved-version`` or ``runtime/saved-elsewhere``.
    """
    made = (origin.get("heddle"), origin.get("generator"))
    if made != (VERSION, cache.GENERATOR_VERSION):
        raise refuse_version(name, str(origin.get("heddle")))
    here, there = (platform.system(), platform.machine()), (origin.get("system"), origin.get("machine"))
    if here != there:
        raise _elsewhere(name, f"{there[0]} on {there[1]}", f"{here[0]} on {here[1]}")
    listed = origin.get("instructions")
    needed = [str(feature) for feature in listed] if isinstance(listed, list) else []
    missing = sorted({*needed} - {*cpu.features()}) if cpu.features() else []
    classes = [each.name for each in machine_class.CLASSES]
    machine, mine = str(origin.get("class")), machine_class.detect().name
    lower = machine in classes and mine in classes and classes.index(mine) < classes.index(machine)
    if missing or lower:
        lacks = f", whose processor has {', '.join(missing[:6])}" if missing else ""
        raise _elsewhere(name, f"a machine of the class {machine} ({origin.get('processor')}){lacks}", mine)


def refuse_version(name: str, version: str) -> CompileError:
    """The error for a file whose code is not what this version of Heddle would make of its plan."""
    return CompileError(
        Diagnostic(
            code="runtime/saved-version",
            message=f"{name} was saved by Heddle {version}, and this is Heddle {VERSION}: the arguments of its kernel "
            "may be others.",
            expected=f"a file of Heddle {VERSION}",
            actual=f"Heddle {version}",
            hint="Compile it again: the file is a zip archive that has the plan as plan.json.",
        )
    )


def _elsewhere(name: str, there: str, here: str) -> CompileError:
    return CompileError(
        Diagnostic(
            code="runtime/saved-elsewhere",
            message=f"{name} holds machine code for {there}; this is {here}.",
            expected="a machine of the same class",
            actual=here,
            hint=f"Save it on a machine like this one, or with {machine_class.VARIABLE} set to a class that both have "
            "(x86-64-v2).",
        )
    )


def seal(content: bytes) -> str:
    """A keyed hash by which this user knows files of their own; empty where no secret can be kept."""
    try:
        key = secret(user_caches(sys.platform, os.environ, Path.home) / "heddle" / f"saved-{user_number()}.key")
    except (OSError, CompileError):
        return ""
    return hmac.new(key, content, hashlib.sha256).hexdigest()


def require_trust(known: str, content: bytes, name: str) -> None:
    """Refuses machine code of which nobody knows who made it.

    Raises
    ------
    OperandError
        ``runtime/saved-by-others``.
    """
    mine = seal(content)
    if not mine or not hmac.compare_digest(mine, known):
        raise OperandError(
            Diagnostic(
                code="runtime/saved-by-others",
                message=f"{name} holds machine code, which you did not save on this machine or which was changed "
                "since. It would run with all your rights.",
                expected="a file that this user saved here, or trust=True",
                actual="a file from elsewhere",
                hint="If you trust whoever made the file: hd.load(path, trust=True). Else compile its plan, "
                "plan.json in the archive.",
            )
        )
