"""A small decomposition, and what it is refused for."""

from __future__ import annotations

from typing import Any

import numpy as np

import heddle as hd
from heddle.diagnostics import Diagnostic
from tests.errors.expect import refusal

TENSOR = np.arange(24.0).reshape(2, 3, 4)


def document(**parameters: object) -> dict[str, Any]:
    return {"algorithm": "cp-als", "parameters": {"rank": 2, **parameters}}


def run(tensor: object = TENSOR, rank: int = 2, **more: Any) -> Diagnostic:
    return refusal(lambda: hd.cp_als(tensor, rank, **more))
