"""The rules for the targets with blocks, warps and threads. Like those for CPUs, they look at structure only."""
