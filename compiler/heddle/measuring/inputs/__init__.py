"""The operands of a run: read from files, or generated from a seed, the same on every machine."""
