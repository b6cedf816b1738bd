"""Three terms whose summed variables overlap pairwise, each summed over its own."""

import numpy as np

import heddle as hd

c, B, b = np.arange(3.0), np.arange(12.0).reshape(4, 3), np.arange(4.0)
k = hd.compile("y = c(i) + (B(j,i) + b(j))", target="interpreter")
assert np.isclose(k(c=c, B=B, b=b).to_numpy(), c.sum() + B.sum() + b.sum())
k = hd.compile("y(k) = c(i,k) + B(j,i) + b(j)", target="interpreter")
C = np.arange(6.0).reshape(3, 2)
assert np.allclose(k(c=C, B=B, b=b).to_numpy(), C.sum(0) + B.sum() + b.sum())
