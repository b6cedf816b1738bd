"""Dimension trees: partial products that several modes of a sweep share (`reuse`)."""
