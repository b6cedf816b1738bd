"""The same entries in every format that has a name, in bytes: what a choice of format costs."""

from __future__ import annotations

from math import prod

import numpy as np

from heddle.diagnostics import CompileError
from heddle.explorer.views.storage.storage_schema import FootprintArrayView, FootprintView
from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.presets import presets_for
from heddle.formats.printer import format_text, long_form
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries

NO_MEMORY = "It needs more memory than the service allows for one picture."


def footprints(tensor: str, entries: Entries, chosen: Format) -> list[FootprintView]:
    """One row for each preset that fits, in their order, and one for ``chosen`` where it is none of them."""
    order = len(entries.shape)
    if order != chosen.dimensions:
        return []
    formats = [preset.instance(order) for preset in presets_for(order)] if order else [chosen]
    layouts = [layout for layout in dict.fromkeys([*formats, chosen]) if _is_known(layout)]
    return [_footprint(tensor, entries, layout, layout == chosen) for layout in layouts]


def array_name(tensor: str, role: str, level: int) -> str:
    """The name that kernels give to an array: ``A2_pos``, ``A_vals``."""
    return f"{tensor}{level}_{role}" if level else f"{tensor}_{role}"


def _is_known(format: Format) -> bool:
    return all(level.kind in LEVEL_KINDS for level in format.levels)


def _footprint(tensor: str, entries: Entries, format: Format, chosen: bool) -> FootprintView:
    view = FootprintView(
        format=format_text(format),
        levels_text=long_form(format),
        chosen=chosen,
        bytes=None,
        stored=None,
        arrays=[],
        reason=None,
    )
    dtype = entries.dtype.name
    try:
        if format.is_dense:  # Known without making it.
            stored = prod(entries.shape)
            sizes = [(("vals", 0), stored * np.dtype(dtype).itemsize)]
        else:
            packed = pack(entries, format, dtype=dtype, name=tensor)
            stored = packed.stored
            sizes = [(key, array.nbytes) for key, array in packed.arrays().items()]
    except CompileError as error:
        view["reason"] = error.diagnostics[0].message
        return view
    except MemoryError:
        view["reason"] = NO_MEMORY
        return view
    view["stored"] = stored
    view["bytes"] = sum(size for _, size in sizes)
    view["arrays"] = [
        FootprintArrayView(name=array_name(tensor, role, level), bytes=size) for (role, level), size in sizes
    ]
    return view
