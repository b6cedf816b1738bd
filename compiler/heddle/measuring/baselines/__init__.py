"""The libraries that kernels are timed alongside: one file each, listed in ``registry``."""
