"""Kernels of tensor comprehensions beside libraries (Vasilache et al. 2018)."""
