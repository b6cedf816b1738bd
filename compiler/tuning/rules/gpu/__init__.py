"""The rules for the targets with blocks, warps and threads. Like those beside them, they look at structure alone."""
