"""Large dimensions with few entries: a format that they do not fit is refused with `runtime/too-large`."""

import numpy as np

import heddle as hd

coo = ((np.array([0]), np.array([1])), np.array([1.0]), (2**40, 2**40))
bad = {}
for f in (
    "csr",
    "ell",
    "dense,chunks(4)",
    "dense,ragged",
    "dia",
    "dia(4)",
    "srbcrs(4,2)",
    "dense,padded",
    "parts(4,even), compressed, compressed : 0,0,1",
):
    try:
        hd.pack(coo, f)
    except hd.CompileError as error:
        print("right:", f, error.diagnostics[0].code)
    except Exception as error:
        bad[f] = f"{type(error).__name__}: {error}"
for f, text in bad.items():
    print("wrong:", f, "->", text[:110])
assert not bad
