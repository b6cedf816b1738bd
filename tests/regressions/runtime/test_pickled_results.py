"""Results and kernels went through no pickle, so that no pool of processes could return them."""

from __future__ import annotations

import pickle

import numpy as np

import heddle as hd

A = np.array([[0.0, 1.0], [2.0, 0.0]])


def test_results_and_kernels_are_pickled_as_packed_tensors_are() -> None:
    kernel = hd.compile("C(i,j) = A(i,j) * 2", formats={"A": "csr", "C": "csr"})
    packed = hd.pack(A, "csr")
    result = kernel(A=packed)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(packed)).to_numpy(), A)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(result)).to_numpy(), 2 * A)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(kernel))(A=packed).to_numpy(), 2 * A)
