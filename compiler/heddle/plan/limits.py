"""How large a Plan may be. Documents come from strangers, so every size has a bound and a message that names it."""

from __future__ import annotations

MAX_COMMANDS = 256
"""Commands of a schedule."""

MAX_COMMAND_LENGTH = 512
"""Characters of one command."""

MAX_TENSORS = 33
"""Entries of ``tensors`` and of ``inputs``: the result and as many operands as an expression may have."""

MAX_DIMENSION = 2**40 - 1
"""Size of one dimension. Coordinates and positions take 32 bits where they fit, else 64."""

MAX_ORDER = 9
"""Dimensions of one shape, as many as an access may have indices."""

MAX_PARAMETERS = 16
"""Parameters of a generator."""

MAX_BASELINES = 16
"""Baselines of one run."""

MAX_THREADS = 1024
"""Threads of one run; the machine that runs it may allow fewer."""
