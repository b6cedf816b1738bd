"""Operators of sparse networks, measured beside dense BLAS, PyG and separate kernels."""
