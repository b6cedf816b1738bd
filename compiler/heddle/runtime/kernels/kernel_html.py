"""A kernel in a notebook: what it computes, on which formats, by which schedule; its loops, and its code folded."""

from __future__ import annotations

from html import escape
from typing import Protocol

from heddle.formats.printer import format_text
from heddle.loop_ir.printing.printer import print_structured
from heddle.plan.html_table import table
from heddle.runtime.kernels.compiled import Compiled
from heddle.signature import Signature

_MOST_LOOPS = 4_000
_MOST_CODE = 8_000
"""Characters of a text that are shown, so that a notebook stays small."""


class ShownKernel(Protocol):
    """What is shown of a kernel."""

    result: Compiled
    signature: Signature
    target: str

    @property
    def source(self) -> str:
        """The generated text."""
        ...


def kernel_html(kernel: ShownKernel) -> str:
    """Expression, formats and dtypes, schedule, loops, and the generated text behind a fold."""
    result = kernel.result
    facts = [("computes", result.plan.expression)]
    facts += [(tensor.name, f"{format_text(tensor.format)}, {tensor.dtype}") for tensor in kernel.signature.arguments]
    facts += [("target", kernel.target), ("schedule", "; ".join(result.plan.schedule) or "none")]
    loops = "" if result.function is None else print_structured(result.function).text
    return (
        f"<div><strong>{escape(type(kernel).__name__)}</strong>{table(facts)}"
        f"{_fold('Loops', loops, _MOST_LOOPS)}{_fold('Code', kernel.source, _MOST_CODE)}</div>"
    )


def _fold(title: str, text: str, most: int) -> str:
    if not text:
        return ""
    more = f"\n… {len(text) - most:,} characters more" if len(text) > most else ""
    return f"<details><summary>{title}</summary><pre>{escape(text[:most] + more, quote=False)}</pre></details>"
