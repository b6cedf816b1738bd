"""Calls without declarations: formats, dtypes, the schedule and the order of contraction follow the operands."""
