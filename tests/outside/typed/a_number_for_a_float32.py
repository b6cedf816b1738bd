"""A Python number for a float32 scalar."""

import numpy as np

import heddle as hd

x = np.arange(4, dtype=np.float32)
k = hd.compile("y(i) = s * x(i)", dtypes={"s": "float32", "x": "float32"})
np.testing.assert_array_equal(k(s=2.0, x=x).to_numpy(), np.float32(2) * x)
