"""Whole numbers beyond 2^53 in a Matrix Market file are read exactly."""

import tempfile
from pathlib import Path

import numpy as np
import scipy.io

import heddle as hd

p = Path(tempfile.mkdtemp(), "a.mtx")
p.write_text("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740993\n")
want = scipy.io.mmread(p).toarray()
assert want[0, 0] == 2**53 + 1
np.testing.assert_array_equal(hd.read(p).toarray(), want)
