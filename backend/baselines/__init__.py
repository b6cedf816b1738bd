"""The libraries that kernels are timed beside: one file each, listed in ``registry``."""
