"""Value types that the text of a program declares, ``int b``: who passes other values changes the text, not
``dtypes``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from heddle.advice import ComputeIn
from heddle.diagnostics import Diagnostic, OperandError
from heddle.signature import TensorSignature

_WORDS = {"float32": "float", "float64": "double", "int32": "int"}


@contextmanager
def suggest_declaration(tensor: TensorSignature, declared: bool) -> Iterator[None]:
    """What is raised inside for values that ``tensor`` does not hold says how to declare it, where ``declared``."""
    try:
        yield
    except OperandError as error:
        if not declared or not any(
            isinstance(suggestion, ComputeIn) for each in error.diagnostics for suggestion in each.advice
        ):
            raise
        raise OperandError(*(_in_words_of_the_text(each, tensor) for each in error.diagnostics)) from None


def _in_words_of_the_text(diagnostic: Diagnostic, tensor: TensorSignature) -> Diagnostic:
    advice = next((suggestion for suggestion in diagnostic.advice if isinstance(suggestion, ComputeIn)), None)
    if advice is None:
        return diagnostic
    wanted, declared = np.dtype(advice.dtype), np.dtype(advice.instead)
    if wanted.kind == "c":
        return replace(
            diagnostic,
            hint=f"Programs compute with real numbers: pass the real and the imaginary parts of {advice.tensor} as two "
            "tensors.",
        )
    words = ["float", "double"] if wanted.kind == "f" and declared.kind != "f" else [_word(advice.dtype)]
    size = "(…)" if tensor.order else ""
    spelled = " or ".join(f"{word}{size} {advice.tensor}" for word in words)
    return replace(
        diagnostic,
        hint=f"Write {spelled} in the program, in place of {_word(advice.instead)}{size} {advice.tensor}, or convert "
        f"the values yourself with .astype('{advice.instead}').",
    )


def _word(dtype: str) -> str:
    return _WORDS.get(dtype, dtype)
