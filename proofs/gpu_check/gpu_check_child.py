"""A kernel for the GPU, as the job of a sandbox (sandbox.py)."""

import json
import time

if __name__ == "__main__":
    began = time.perf_counter()
    try:
        import numpy as np
        import scipy.sparse as sp

        import heddle as hd
        from heddle.runtime.devices import cuda

        a = sp.csr_array(np.eye(50) * 3.0)
        y = hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, target="cuda")(A=a, x=np.arange(50.0)).to_numpy()
        report = {"missing": cuda.missing(), "right": bool((y == np.arange(50.0) * 3).all())}
    except BaseException as error:
        report = {"error": f"{type(error).__name__}: {str(error)[:500]}"}
    print(
        json.dumps({"event": "result", "result": {**report, "seconds": round(time.perf_counter() - began, 2)}}),
        flush=True,
    )
