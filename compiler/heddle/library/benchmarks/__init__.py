"""``hd.benchmark``: a kernel timed beside other programs on the operands of a person."""
