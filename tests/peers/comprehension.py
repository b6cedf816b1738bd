"""Rows of programs in the language of Tensor Comprehensions, where floats are float32."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.peers.program import Array, Data, Oracle, Program

ROUNDED = 2e-5
"""Tolerance of what is divided and rooted in float32; sums and products of whole numbers are exact."""

CONVOLUTION = "float(N,C,H,W) I, float(M,C,KH,KW) W1"


def define(
    name: str,
    signature: str,
    body: str,
    shapes: str,
    oracle: Oracle | None = None,
    formats: tuple[str, ...] = ("",),
    tolerance: float = 0.0,
    data: Data = Data.INTEGERS,
    dtypes: str = "",
    below: str = "",
    refusal: tuple[str, str] | None = None,
) -> Program:
    """A program of one definition: ``signature`` is ``"float(M) I -> O"``."""
    parameters, _, results = signature.partition(" -> ")
    text = f"def f({parameters}) -> ({results}) {{ {body} }}"
    return Program(
        name, text, shapes, oracle, formats, dtypes, "float32", below, data, 0.5,
        language="comprehension", refusal=refusal, tolerance=tolerance,
    )  # fmt: skip


def slide_windows(image: Array, height: int, width: int, stride: int = 1) -> Array:
    """Of the last two dimensions: (…, H, W, KH, KW)."""
    return sliding_window_view(image, (height, width), (-2, -1))[..., ::stride, ::stride, :, :]


def convolve(image: Array, filters: Array, stride: int = 1) -> Array:
    return np.einsum("nchwkl,mckl->nmhw", slide_windows(image, *filters.shape[2:], stride), filters)
