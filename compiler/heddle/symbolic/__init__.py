"""Lengths and ranges: exact integer algebra with proofs, for types of arrays and for ranges of variables.

``length("n")``, ``length(3)`` and their arithmetic make polynomials; :mod:`build` has quotients, remainders, minima,
maxima and choices, :mod:`rewrite` substitution and sums; :mod:`prove` decides what is at least 0 under :class:`Facts`,
:mod:`divide` what divides what, :mod:`equal` what is equal; :mod:`evaluate` puts numbers in, :mod:`printer` makes
texts.
"""
