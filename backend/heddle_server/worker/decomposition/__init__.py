"""Decompositions in the child process of a run."""
