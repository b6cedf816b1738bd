"""Compiled kernels in files, which run where there is no C compiler."""
