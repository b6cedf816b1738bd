"""Pruned weights times inputs, beside the dense product of NumPy's and PyTorch's BLAS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.operators.racing import SPMM, Contender, Result, automatic, made, packed, race, summed_up

TOKENS = 512
WEIGHTS = ((768, 768), (3072, 768), (768, 3072))
BLOCKED, SCATTERED = (0.2, 0.125, 0.05), (0.05, 0.02)


def weights(seconds: float) -> Iterator[Result]:
    for rows, columns in WEIGHTS:
        inputs = (1 - np.random.default_rng(2).random((columns, TOKENS))).astype(np.float32)
        cases = [
            *((f"blocks of {size}", {"generator": "pruned-blocks", "size": size}, BLOCKED, size) for size in (16, 32)),
            ("unstructured", {"generator": "pruned"}, SCATTERED, 0),
        ]
        for title, given, densities, size in cases:
            for density in densities:
                entries = made({**given, "density": density, "seed": 1}, (rows, columns), "float32")
                dense = np.zeros((rows, columns), dtype=np.float32)
                dense[entries.columns] = entries.values
                formats = ("csr", "bcsr(4)", "bcsr(4,4)", f"bcsr({size},{size})") if size else ("csr",)
                contenders = {
                    f"heddle {format}": automatic(SPMM, format, packed(entries, format), {"B": inputs})
                    for format in formats
                }
                contenders.update(dense_products(dense, inputs))
                raced = race(contenders, dense.astype(float) @ inputs, seconds)
                yield summed_up(f"{rows} × {columns}, {title}, density {density}", raced, "heddle", ("blas",))


def dense_products(dense: Any, inputs: Any) -> dict[str, Contender]:
    result = np.empty((dense.shape[0], inputs.shape[1]), dtype=np.float32)
    found: dict[str, Contender] = {"blas of numpy": (lambda: np.matmul(dense, inputs, out=result), lambda: result)}
    try:
        import torch  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return found
    torch.set_num_threads(1)
    a, b = torch.from_numpy(dense), torch.from_numpy(inputs)
    c = torch.empty((dense.shape[0], inputs.shape[1]))
    return {**found, "blas of torch": (lambda: torch.mm(a, b, out=c), lambda: c.numpy())}
