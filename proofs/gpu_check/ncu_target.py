"""One kernel, twice, for the profiler to look at: ncu_target.py KIND MATRIX."""

import sys

import numpy as np
import scipy.sparse as sp
from bench_kernels import kernels
from scratch import SCRATCH

import heddle as hd
from heddle.runtime.devices import cuda

kind, name = sys.argv[1], sys.argv[2]
cuda.gpu()
z = np.load(SCRATCH / "data" / f"{name}.npz")
a = sp.csr_array((z["data"], z["indices"], z["indptr"]), shape=tuple(int(n) for n in z["shape"]))
(kernel,) = kernels(kind, a)
there = {n: t.on_gpu() for n, t in kernel.operands().items()}
call = hd.compile(kernel.expression, dict(kernel.formats), "", "cuda").bind(**there)
call.run()
call.run()
