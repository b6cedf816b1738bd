"""Tensors as arrays: operators, reductions, slices and shapes."""
