"""What `hd.pack` packs, kernels take: masks inside blocks, and parts of whole rows."""

import numpy as np

import heddle as hd

for f in ("dense, compressed, dense(4), bitmap(4) : 0,1,0,1", "parts(3,even), dense, compressed : 0,0,1"):
    try:
        t = hd.pack(np.eye(8), f)
    except hd.CompileError:
        continue
    r = hd.lower("y(i) = A(i,j) * x(j)", formats={"A": f})
    assert r.ok, (f, r.diagnostics[0].message)
