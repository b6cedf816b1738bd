"""``--input A=my.mtx``: operands of a plan from files of a person."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from heddle.cli.parsing import UsageError
from heddle.cli.source import SourceError
from heddle.diagnostics import nearest
from heddle.frontends.table import assignment_of
from heddle.notation.nodes import operand_accesses
from heddle.plan import Plan

ENDINGS = (".mtx", ".tns", ".smtx")


def with_inputs(plan: Plan, named: Sequence[str]) -> tuple[Plan, dict[str, str]]:
    """``plan`` that reads these operands from files, and the files by the identities that it names them by.

    Raises
    ------
    UsageError
        For what is not ``TENSOR=FILE``, and for a tensor that the plan does not read.
    SourceError
        For a file that is not there, or of another kind.
    """
    if not named:
        return plan, {}
    assignment = assignment_of(plan.language, plan.expression, plan.sizes)
    operands = tuple(dict.fromkeys(access.tensor for access in operand_accesses(assignment)))
    inputs, paths = dict(plan.inputs), dict[str, str]()
    for text in named:
        tensor, equals, name = text.partition("=")
        if not equals or not tensor.strip() or not name:
            raise UsageError(f"--input takes TENSOR=FILE, found {text!r}")
        tensor = tensor.strip()
        if tensor not in operands:
            alike = nearest(tensor, operands, 1)
            meant = f"; did you mean {alike[0]}?" if alike else ""
            raise UsageError(f"--input names {tensor}; the plan reads {', '.join(operands)}{meant}")
        path = Path(name).expanduser()
        identity = f"sha256:{_digest(path)}"
        inputs[tensor] = {"upload": identity}
        paths[identity] = str(path.resolve())
    return replace(plan, inputs=inputs), paths


def _digest(path: Path) -> str:
    ending = path.name.removesuffix(".gz")
    if not ending.endswith(ENDINGS):
        kinds = ", ".join(ENDINGS)
        raise SourceError(
            f"{path} is of no kind that runs read: expected {kinds}, each also with .gz; hd.write makes them"
        )
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise SourceError(f"{path} does not exist") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None
