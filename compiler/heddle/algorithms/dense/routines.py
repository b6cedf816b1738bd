"""LAPACK's and BLAS's routines as pointers for C of ours, from SciPy, which publishes them for Cython."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from heddle.diagnostics import InternalError

_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
_get_name = ctypes.pythonapi.PyCapsule_GetName
_get_name.restype, _get_name.argtypes = ctypes.c_char_p, (ctypes.py_object,)


@cache
def routine(name: str) -> Any:
    """``dpotrf``, ``dpotrs``, ``dsyrk`` and the like as a C argument; their integers have 32 bits."""
    from scipy.linalg import cython_blas, cython_lapack

    for module in (cython_lapack, cython_blas):
        capsule = module.__pyx_capi__.get(name)
        if capsule is None:
            continue
        signature = _get_name(capsule)
        if b"int *" not in signature:
            raise InternalError(f"SciPy's {name} takes {signature!r}, not integers of 32 bits")
        return ctypes.c_void_p(_get_pointer(capsule, signature))
    raise InternalError(f"SciPy publishes no {name}")
