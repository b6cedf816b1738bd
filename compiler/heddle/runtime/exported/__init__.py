"""Kernels as C files for programs that have no Heddle."""
