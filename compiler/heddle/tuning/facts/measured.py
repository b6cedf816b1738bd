"""For which classes of machines the rules and the offers of formats were measured; elsewhere they say so.

A row per rule of ``rules/table.py`` and per kind of offer of ``formats.py``. Whoever has measured one on another class
adds the class to its row.
"""

from __future__ import annotations

from collections.abc import Mapping

from heddle.tuning.facts.machine import Machine

_AVX512, _AVX2 = ("x86-64-v4",), ("x86-64-v3", "x86-64-v4")
_ALL = ("x86-64-v2", *_AVX2)

MEASURED: Mapping[str, tuple[str, ...]] = {
    # Schedules
    "dense-product": ("x86-64-v3",),
    "register-tiles": _ALL,
    "inner-sums": _AVX512,
    "register-blocks": _ALL,
    "sampled": _AVX512,
    "slotted-rows": _ALL,
    "blocked-rows": _ALL,
    "row-sums": _ALL,
    "scaled-row-sums": _AVX512,
    "sparse-product": _AVX2,
    "sparse-sum": _AVX2,
    "dense-sums": _AVX2,
    "driven-threads": _AVX512,
    "dense-lanes": _AVX512,
    "outer-threads": _AVX512,
    # Formats
    "diagonals": _ALL,
    "runs": _ALL,
    "slices": _AVX512,
    "sorted-slices": _ALL,
    "blocks": _ALL,
    "blocks-for-columns": _ALL,
    "fibres": _AVX2,
    "parts": ("x86-64-v3",),
}


def not_measured(choice: str, machine: Machine) -> str | None:
    """A sentence for a choice that was made by measurements on other classes of machines; None where it was
    measured there, depends on no class (the default loops, GPUs), or no class is stated."""
    classes = MEASURED.get(choice)
    if classes is None or machine.machine_class is None or machine.machine_class in classes:
        return None
    return f"Not measured on {machine.machine_class}: chosen from measurements on {' and '.join(classes)}."
