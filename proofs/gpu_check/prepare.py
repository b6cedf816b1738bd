"""In the background, on the CPU: matrices of the benchmark, and what their kernels must compute, as files."""

import os
import sys

import numpy as np
from bench_kernels import kernels
from scratch import SCRATCH

from benchmarks.suite.matrices import BY_NAME, load

name, nonzeros = sys.argv[1], int(sys.argv[2])
data = SCRATCH / "data"
made = load(BY_NAME[name], nonzeros, "float64")
np.savez(f"{data}/{name}.part.npz", data=made.data, indices=made.indices, indptr=made.indptr, shape=made.shape)
os.replace(f"{data}/{name}.part.npz", f"{data}/{name}.npz")

for kind in ("spmv", "spmm32", "spgemm", "sddmm", "mttkrp-coo", "mttkrp-csf", "spmm128"):
    for kernel in kernels(kind, made):
        np.save(f"{data}/part.{name}.{kind}.npy", np.asarray(kernel.expected(kernel.operands())))
        os.replace(f"{data}/part.{name}.{kind}.npy", f"{data}/{name}.{kind}.npy")
