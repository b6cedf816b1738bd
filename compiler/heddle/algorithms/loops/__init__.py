"""What runs in a cycle of kernels, beside CP-ALS: CP-APR for counts, and CP-OPT by gradients."""
