"""What a tensor has under another name than NumPy's arrays and SciPy's matrices: the hint of an AttributeError."""

from __future__ import annotations

_TO_SCIPY = "use .to_scipy(), in the format that the tensor has"
_DENSE = "use .todense()"
_PRODUCT = "write A @ B"
_FLAT = "use .reshape(A.size)"

INSTEAD = {
    "toarray": _DENSE,
    "tolist": "use .todense().tolist()",
    "A": _DENSE,
    "tocsr": f'{_TO_SCIPY}; hd.convert(A, "csr") changes it',
    "tocsc": f'{_TO_SCIPY}; hd.convert(A, "csc") changes it',
    "tobsr": f'{_TO_SCIPY}; hd.convert(A, "bcsr(4,4)") changes it',
    "asformat": "use hd.convert(A, format)",
    "dot": _PRODUCT,
    "multiply": "write A * B, which multiplies elements",
    "power": "write A ** 2",
    "maximum": "use np.maximum(A, B)",
    "minimum": "use np.minimum(A, B)",
    "flatten": _FLAT,
    "ravel": _FLAT,
    "squeeze": "use .reshape with the shape that remains",
    "diagonal": "use .to_scipy().diagonal()",
    "trace": "use .to_scipy().trace()",
    "nonzero": "use .tocoo(), which has the coordinates and the values of what is stored",
    "row": "use .tocoo(), which has the coordinates and the values of what is stored",
    "col": "use .tocoo(), which has the coordinates and the values of what is stored",
    "data": "use .vals, the stored values",
    "values": "use .vals, the stored values",
    "indptr": "use .to_scipy().indptr",
    "indices": "use .to_scipy().indices",
    "getnnz": "use .nnz",
    "eliminate_zeros": "use .prune(), which gives a tensor without them",
    "sum_duplicates": "packing has added them up already",
    "todok": "use .to_scipy().todok()",
    "tolil": "use .to_scipy().tolil()",
    "todia": "use .to_scipy().todia()",
    "conjugate": "use .conj()",
    "H": "write A.conj().T",
    "mT": "use .T, or .transpose with an order of the dimensions",
    "swapaxes": "use .transpose with an order of the dimensions",
    "real": "use .todense().real",
    "imag": "use .todense().imag",
    "clip": "use np.minimum(np.maximum(A, low), high)",
    "round": "use .todense().round()",
    "cumsum": "use .todense().cumsum()",
    "count_nonzero": "use (A != 0).sum()",
    "device": "use .resident, which says whether it lies on a GPU",
    "to_device": "use .on_gpu() and .on_host()",
    "std": "use (A * A).mean() and A.mean()",
    "var": "use (A * A).mean() and A.mean()",
}
"""By the name that was asked for, after SciPy's, NumPy's and pandas' manners."""


def explain_missing(kind: str, name: str) -> str:
    """The message of the AttributeError."""
    missing = f"{kind!r} object has no attribute {name!r}"
    return f"{missing}: {INSTEAD[name]}." if name in INSTEAD else missing
