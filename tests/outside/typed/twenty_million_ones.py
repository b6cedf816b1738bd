"""A float32 sum of twenty million ones."""

import numpy as np

import heddle as hd

x = np.ones(20_000_000, np.float32)
got = float(hd.compile("y = x(i)", dtypes={"x": "float32"})(x=x).to_numpy())
np.testing.assert_allclose(got, x.sum(), rtol=1e-5)
