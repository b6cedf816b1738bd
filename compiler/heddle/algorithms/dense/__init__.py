"""The small dense work between kernels: LAPACK and BLAS on one thread, called from C of ours."""
