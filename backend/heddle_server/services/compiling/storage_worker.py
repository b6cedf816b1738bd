"""What runs in a compile process for a storage picture: the data is made or read, then packed and looked at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.explorer.views.storage.storage import MAX_ENTRIES, refused_storage, storage_view
from heddle.explorer.views.storage.storage_examples import example_entries, example_name
from heddle.measuring.inputs.make_inputs import convert, read_entries
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.operands import as_entries

MAX_FILE_BYTES = 64 << 20
"""Larger files take too long to read for a picture."""

DEFAULT_NNZ = 65536
DEFAULT_RANK, DEFAULT_SUPPORT = 4, 12
"""Of the generator kruskal."""


def storage_document(request: dict[str, Any], path: str | None) -> bytes:
    """The StorageView as JSON bytes; data or a format that cannot be shown is in its diagnostics."""
    tensor, order, dtype = request["tensor"], request["order"], request["dtype"]
    source = source_name(request)
    try:
        entries = requested_entries(tensor, order, dtype, request, path)
        view = storage_view(tensor, order, request["format"], entries, source)
    except CompileError as error:
        view = refused_storage(tensor, source, error)
    return json.dumps(view, separators=(",", ":"), allow_nan=False).encode()


def source_name(request: Mapping[str, Any]) -> str:
    """Where the data comes from, for a person."""
    source = request["input"]
    if request.get("entries") is not None:
        return "entries of your own"
    if source is None:
        return example_name(request["order"])
    if "generator" in source:
        return f"generator {source['generator']}"
    return f"dataset {source['dataset']}" if "dataset" in source else f"upload {str(source['upload'])[:15]}…"


def requested_entries(tensor: str, order: int, dtype: str, request: Mapping[str, Any], path: str | None) -> Entries:
    """The data that ``request`` names: given entries, an input, else the running example. Raises CompileError."""
    source, entries = request["input"], request.get("entries")
    if entries is not None:
        rows = np.array(entries["coordinates"], dtype=np.int64).reshape(len(entries["values"]), order)
        request_entries = Entries(tuple(entries["shape"]), tuple(rows.T), np.array(entries["values"], dtype=np.float64))
        return _type(tensor, request_entries, dtype)
    if source is None:
        return example_entries(order, dtype)
    if path is not None:
        if Path(path).stat().st_size > MAX_FILE_BYTES:
            raise CompileError(_too_large(tensor, f"a file of {Path(path).stat().st_size:,} bytes", MAX_FILE_BYTES))
        return _type(tensor, read_entries(path, tensor, order), dtype)
    shape = tuple(int(size) for size in source.get("shape", ()))
    if len(shape) != order or (order == 0 and "shape" not in source):
        raise CompileError(_no_shape(tensor, order))
    count = expected_entries(source, shape)
    if count > MAX_ENTRIES:
        raise CompileError(_too_large(tensor, f"{count:,} entries", MAX_ENTRIES))
    data = generate(tensor, source, shape, dtype)
    if isinstance(data, Entries):
        return data
    return as_entries(data, tensor)


def expected_entries(source: Mapping[str, Any], shape: tuple[int, ...]) -> int:
    """At most so many entries will be generated."""
    cells = prod(shape)
    match source["generator"]:
        case "banded":
            return min(cells, max(shape, default=1) * (2 * int(source.get("bandwidth", 2)) + 1))
        case "kruskal":
            support = int(source.get("support", DEFAULT_SUPPORT))
            return min(cells, int(source.get("rank", DEFAULT_RANK)) * prod(min(support, size) for size in shape))
        case "uniform" | "dense" if "nnz" not in source:
            return cells
        case _:
            return min(cells, int(source.get("nnz", DEFAULT_NNZ)))


def _type(tensor: str, entries: Entries, dtype: str) -> Entries:
    return Entries(entries.shape, entries.columns, convert(entries.values, tensor, dtype))


def _no_shape(tensor: str, order: int) -> Diagnostic:
    sizes = "1 size" if order == 1 else f"{order} sizes"
    return Diagnostic(
        "storage/unknown-size",
        f"The generator of {tensor} does not say how large {tensor} is.",
        Location(Part.INPUT, tensor=tensor),
        expected=f"a shape of {sizes}",
        hint="Give the generator a shape, or show the format on the running example.",
    )


def _too_large(tensor: str, actual: str, limit: int) -> Diagnostic:
    return Diagnostic(
        "storage/too-large",
        f"The input of {tensor} has {actual}, too many to show how they are stored.",
        Location(Part.INPUT, tensor=tensor),
        expected=f"at most {limit:,}",
        actual=actual,
        hint="Show the format on the running example, or on a smaller input.",
    )
