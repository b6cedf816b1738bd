"""A packed vector is a copy or a view wherever it lies in memory."""

import numpy as np

import heddle as hd

k = hd.compile("y(i) = x(i) * 1")
seen = set()
base = np.zeros(100)
for offset in range(9):
    x = base[offset : offset + 50]
    x[:] = 1
    P = hd.pack(x)
    x[:] = 2
    seen.add(float(k(x=P).to_numpy()[0]))
assert len(seen) == 1, f"by address: {sorted(seen)}"
