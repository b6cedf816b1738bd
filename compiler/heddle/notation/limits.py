"""How large an expression may be. Every limit has a diagnostic that names it; none is ever applied silently."""

from __future__ import annotations

MAX_LENGTH = 1024
"""Characters of an expression."""

MAX_DEPTH = 64
"""Operators on the way from the root of an expression to an operand, so that recursive passes stay shallow."""

MAX_OPERANDS = 64
"""Tensor accesses on the right-hand side; merge lattices grow with them."""

MAX_TERMS = 128
"""Terms that products of sums are written out as where these are summed over different variables."""

MAX_ORDER = 9
"""Indices of one access; generated array names number the levels with one digit (``A2_pos``)."""

MAX_VARIABLES = 16
"""Different index variables of an expression."""

MAX_STATEMENTS = 8
"""Statements of an expression, the result's included."""

MAX_NAME = 32
"""Characters of a tensor's or index variable's name."""
