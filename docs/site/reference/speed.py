"""Claims about speed: a table for each kernel, from what measurements left in benchmarks/results/claims.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docs.site.reference.tables import table

CLAIMS = Path(__file__).resolve().parents[3] / "benchmarks" / "results" / "claims.json"

HEAD = """# Claims about speed

A *claim* is a number that one command measured on one machine, with the commit that it measured. Above 1, Heddle is
faster. The ratio is the geometric mean over all inputs, and the worst input stands beside it.

Every contender is verified first, and all take turns in one run. *Formats* means that the matrix or tensor is in the
fastest of the formats that the rules offer; otherwise it is in CSR, or CSF. The raw results lie in
`benchmarks/archive/`, and [how a time is measured](../understand/how-a-time-is-measured.md) says what a ratio means.

| opponent | what it is |
|---|---|
| best | the fastest opponent for each input |
| mkl | MKL's sparse BLAS, with its optimised form where it has one |
| scipy | SciPy |
| numba, numba-csf | loops in Numba over entries, or over fibres |
| genten | the C++ of GenTen |
| torch | PyTorch |
"""
KERNELS = {
    "spmv": (
        "SpMV",
        "Sparse matrix times vector. Formats with rows in vector lanes load neighbours at once.",
    ),
    "spmm": ("SpMM", "Sparse matrix times a dense matrix of 32 columns."),
    "spmm-8": ("SpMM, 8 columns", "Sparse matrix times a narrow dense matrix."),
    "spmm-128": (
        "SpMM, 128 columns",
        "Sparse matrix times a wide dense matrix; in float32, graphs and weights of networks.",
    ),
    "spmm-512": ("SpMM, 512 columns", "Graphs times features, in float32."),
    "spgemm": ("SpGEMM", "Sparse times sparse, rows of the result in order."),
    "spgemm-unordered": ("SpGEMM, rows in any order", "The same, where nothing has to be sorted."),
    "add": ("Sparse addition", "Two matrices in CSR, merged row by row."),
    "sddmm": ("SDDMM", "The product of two dense matrices, sampled by a sparse one."),
    "ttv": ("TTV", "Sparse tensor times vector."),
    "ttm": ("TTM", "Sparse tensor times a matrix of 32 columns."),
    "mttkrp": ("MTTKRP", "The kernel of decompositions, for tensors of order 3 to 5; the rank is 32."),
    "coo-csr": ("Coordinates to CSR, in order", "Packing, with the check of what is packed."),
    "shuffled-csr": ("Coordinates to CSR, shuffled", "Packing that has to sort."),
    "csr-csc": ("CSR to CSC", "A transposition of the storage."),
    "csr-bcsr": ("CSR to BCSR", "Blocks of 4 × 4."),
    "csr-bcsr-columns": ("CSR to BCSR of one column", "Blocks of 8 × 1."),
    "csr-dia": ("CSR to DIA", "Diagonals that have entries, stored whole."),
}
LIBRARIES = ("torch", "mkl", "genten", "numba-csf", "scipy", "numba")
OPPONENTS = {"best opponent": "best", **{name: name for name in LIBRARIES}}
NUMBERS = """## Other numbers

A suite that is no race of kernels has numbers that were wanted, and those that were found. Without a wanted number, the
number is what it is. What missed is in the table as well.
"""


def speed() -> str:
    entries: list[dict[str, Any]] = json.loads(CLAIMS.read_text(encoding="utf-8"))
    lines = [HEAD]
    for kernel, (title, sentences) in KERNELS.items():
        rows = list(races(entries, kernel))
        if rows:
            head = (
                "machine",
                "class",
                "type, threads",
                "against",
                "inputs",
                "ratio",
                "worst",
                "date, commit",
                "command",
            )
            lines += [f"## {title}", "", sentences, "", *table(head, rows)]
    numbers = (row for entry in entries for row in numbers_of(entry))
    head = ("what", "wanted", "found", "machine", "date, commit", "command")
    return "\n".join((*lines, NUMBERS, *table(head, numbers)))


def races(entries: list[dict[str, Any]], kernel: str) -> Iterator[tuple[str, ...]]:
    for entry in entries:
        claims = [claim for claim in entry["claims"] if is_of(claim.get("kernel", ""), kernel)]
        for claim in headline(claims):
            yield (
                entry["machine"]["cpu"],
                entry["machine"]["class"],
                f"{claim['dtype']}, {claim['threads']}",
                against(claim, kernel),
                str(claim["cases"]),
                f"{claim['geometric_mean']:.2f}",
                f"{claim['worst']:.2f}, {claim['worst_input']}",
                f"{entry['date']}, {entry['commit']}",
                f"`{entry['command']}`",
            )


def headline(claims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of one measurement: the widest type and most threads, the best opponent and the first of LIBRARIES there is."""
    setting = max(((claim["dtype"], claim["threads"]) for claim in claims), default=None)
    opponents = {claim["opponent"] for claim in claims}
    library = next((name for name in LIBRARIES if name in opponents), "best opponent")
    return [
        claim
        for claim in claims
        if (claim["dtype"], claim["threads"]) == setting and claim["opponent"] in {"best opponent", library}
    ]


def is_of(name: str, kernel: str) -> bool:
    stem = name.removesuffix("+formats")
    return stem in {f"mttkrp-{order}" for order in (3, 4, 5)} if kernel == "mttkrp" else stem == kernel


def against(claim: Mapping[str, Any], kernel: str) -> str:
    stem, formats, _ = claim["kernel"].partition("+formats")
    words = [OPPONENTS[claim["opponent"]], stem.removeprefix("mttkrp-") if kernel == "mttkrp" else ""]
    return ", ".join(word for word in (*words, "formats" if formats else "") if word)


def numbers_of(entry: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for claim in entry["claims"]:
        if "number" in claim:
            yield (
                claim["number"] if claim["unit"] in claim["number"] else f"{claim['number']}, {claim['unit']}",
                shown(claim["wanted"]),
                shown(claim["found"]),
                f"{entry['machine']['cpu']}, {entry['machine']['class']}",
                f"{entry['date']}, {entry['commit']}",
                f"`{entry['command']}`",
            )


def shown(number: float | None) -> str:
    return "–" if number is None else f"{number:g}"
