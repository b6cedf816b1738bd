"""The matrix of the pictures: four rows of different length, one of them empty."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import heddle as hd
from heddle.runtime.tensors.tensor import Tensor

MATRIX = np.array([[5, 0, 0, 1], [0, 0, 0, 0], [0, 2, 0, 0], [3, 0, 4, 0]], dtype=float)
TONES = ("blue", "orange", "green", "purple")


def packed(format: str) -> Tensor:
    """The matrix, stored in ``format``."""
    return hd.pack(sp.csr_array(MATRIX), format)
