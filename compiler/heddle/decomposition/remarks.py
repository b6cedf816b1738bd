"""What is worth saying of a sum of parts that is no mistake."""

from __future__ import annotations

import re

from heddle.diagnostics import Diagnostic, Fix, Location, Part, Severity
from heddle.formats.printer import format_text
from heddle.signature import TensorSignature


def empty_ranges(tensor: TensorSignature, shape: tuple[int, ...] | None) -> tuple[Diagnostic, ...]:
    """A warning where ``hyb`` cuts more ranges of columns than a tensor of the declared ``shape`` has columns."""
    composition = tensor.format.composition
    if composition is None or composition.macro is None or shape is None:
        return ()
    pieces = (test for part in composition.parts for test in part.tests if test.quantity == "piece")
    ranges, columns = next((test.arguments[0] for test in pieces), 1), max(shape[-1], 1)
    if ranges <= columns:
        return ()
    text = re.sub(r"\d+", str(columns), composition.macro, count=1)
    count = "1 column" if columns == 1 else f"{columns} columns"
    return (
        Diagnostic(
            "format/empty-ranges",
            f"{tensor.name} has {count}, so that of the {ranges:,} ranges of columns in {format_text(tensor.format)} "
            f"{ranges - columns:,} are empty.",
            Location(Part.FORMAT, tensor=tensor.name),
            expected=f"at most {columns} ranges",
            actual=f"{ranges}",
            fixes=(Fix(f"Use {text} for {tensor.name}", formats={tensor.name: text}),),
            severity=Severity.WARNING,
        ),
    )
