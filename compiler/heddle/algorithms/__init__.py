"""Computations that call several kernels in a cycle: documents beside plans, whose kernels are ordinary plans."""
