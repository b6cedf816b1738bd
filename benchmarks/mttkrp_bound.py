"""How near MTTKRP of order 3 is to the time in which a core can read what it needs, one command:

python benchmarks/mttkrp_bound.py [--seconds 3]

Alongside the kernel that the rules choose, it times a loop over the same positions that only adds up the rows of both
factors, one of D for each entry and one of C for each fibre, in vectors: what no kernel can do without that visits the
entries in this order. OMP_NUM_THREADS says on how many threads.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from benchmarks.suite.case import Case
from benchmarks.suite.given import given
from benchmarks.suite.tensors import TENSORS
from benchmarks.suite.timing import timed
from heddle.measuring.rounds import Protocol, measure
from heddle.runtime.native import cache, library, toolchain
from heddle.runtime.tensors.tensor import Tensor

RANKS = {16: "mttkrp-3-r16", 32: "mttkrp-3", 64: "mttkrp-3-r64"}
NONZEROS = (100_000, 2_000_000)

_ROWS = """
#include <stdint.h>
#include <string.h>
typedef double vector __attribute__((vector_size(64)));
enum { VECTORS = RANK / 8 };

static inline void add(vector* sums, const double* row) {
  #pragma GCC unroll 8
  for (int v = 0; v < VECTORS; v++) {
    vector part;
    memcpy(&part, row + 8 * v, sizeof part);
    sums[v] += part;
  }
}

int32_t rows(int64_t slices, const int32_t* restrict pos2, const int32_t* restrict crd2, const int32_t* restrict pos3,
             const int32_t* restrict crd3, const double* restrict C, const double* restrict D, double* restrict out) {
  #pragma omp parallel for schedule(guided)
  for (int64_t i = 0; i < slices; i++) {
    vector sums[VECTORS] = {0};
    for (int64_t k = pos2[i]; k < pos2[i + 1]; k++) {
      for (int64_t l = pos3[k]; l < pos3[k + 1]; l++) add(sums, D + (int64_t)crd3[l] * RANK);
      add(sums, C + (int64_t)crd2[k] * RANK);
    }
    memcpy(out + i * RANK, sums, sizeof sums);
  }
  return 0;
}
"""


def reads(packed: dict[str, Tensor], rank: int, out: Tensor) -> Callable[[], object]:
    """Adds up the rows of C and D that B's entries need, into the memory of a result that is thrown away."""
    tools = toolchain.discover()
    path = cache.shared_library(f"enum {{ RANK = {rank} }};{_ROWS}", "1", tools)
    rows, levels = library.load(path, "rows"), packed["B"].levels
    arrays = [levels[1].pos, levels[1].crd, levels[2].pos, levels[2].crd, packed["C"].vals, packed["D"].vals, out.vals]
    slices = levels[0].crd
    assert slices is not None
    arguments = [library.dimension(slices.size), *(library.pointer(array) for array in arrays if array is not None)]
    return lambda: rows(*arguments)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="at most so long for each pair (default: 3)")
    seconds = parser.parse_args().seconds
    protocol = Protocol(min_seconds=seconds / 10, cap_seconds=seconds, warm_up_seconds=seconds / 40)
    print(f"{'tensor':14} {'rank':>4} {'nonzeros':>9} {'kernel, µs':>11} {'reads, µs':>11}  kernel / reads")
    for rank, kernel in RANKS.items():
        for tensor in (one for one in TENSORS if one.order == 3):
            for nonzeros in (0,) if tensor.real else NONZEROS:
                known = given(Case("kernels", kernel, tensor.name, nonzeros, "float64", 0, seconds))
                call = known.automatic.bind(**known.packed)
                call.run()
                other = known.automatic.bind(**known.packed)
                timings = measure([call.run, reads(known.packed, rank, other.output)], protocol, lambda share: None)
                ours, bound = (timed(timings.samples, place)["median_ns"] / 1e3 for place in (0, 1))
                stored = known.packed["B"].stored
                print(
                    f"{tensor.name:14} {rank:4} {stored:9} {ours:11.1f} {bound:11.1f}  {ours / bound:.2f}", flush=True
                )


if __name__ == "__main__":
    main()
