"""Timing kernels beside other programs: rounds, baselines, verification, and verdicts."""
