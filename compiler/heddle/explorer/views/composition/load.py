"""How much each worker has to do, when the loops over a sum of parts are shared out: counted places, no times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.views.composition.composition_schema import LoadView
from heddle.explorer.views.composition.places import Places

MAX_WORKERS = 64


def load_view(places: Sequence[Places], rows: int, workers: int) -> LoadView:
    work = [bincount(part_places.outer, minlength=part_places.outermost) for part_places in places]
    ends = _ends(rows, workers)
    shared = np.zeros(workers, dtype=np.int64)
    for part_places in places:
        inside = part_places.row[(part_places.row >= 0) & (part_places.row < rows)]
        shared += bincount(np.searchsorted(ends, inside, side="right"), minlength=workers)
    return LoadView(
        workers=workers,
        separate=[_shared_out(part_work, workers) for part_work in work],
        shared=shared.tolist(),
        together=_shared_out(np.concatenate(work) if work else np.zeros(0, dtype=np.int64), workers),
    )


def _ends(iterations: int, workers: int) -> NDArray[np.int64]:
    """Where each worker's range ends: equally many iterations, the first ones one longer, as OpenMP cuts a loop."""
    each, longer = divmod(iterations, workers)
    return np.cumsum([each + (worker < longer) for worker in range(workers)])


def _shared_out(work: NDArray[Any], workers: int) -> list[int]:
    """The sum of ``work`` in the range of each worker."""
    ends = _ends(work.size, workers)
    sums = np.concatenate([[0], np.cumsum(work)])
    return [int(sums[end] - sums[begin]) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
