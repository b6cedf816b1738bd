"""How large a program may be. Every limit has a diagnostic that names it; none is ever applied silently."""

from __future__ import annotations

MAX_LENGTH = 16 * 1024
"""Characters of a program."""

MAX_STATEMENTS = 32
"""Statements of a program, those of the definitions that it calls included."""

MAX_VARIABLES = 64
"""Index variables of a program."""

MAX_STATEMENT_VARIABLES = 16
"""Index variables of one statement."""

MAX_ORDER = 9
"""Dimensions of a tensor; generated array names number the levels with one digit (``A2_pos``)."""

MAX_DEPTH = 64
"""Nested operators, so that recursive passes stay shallow."""

MAX_NAME = 32
"""Characters of a name."""

MAX_CALLS = 128
"""Calls of other definitions, those inside of what is called included."""

MAX_PARTS = 4096
"""Parts of an expression once names and products are written out."""

MAX_EXTREMES = 64
"""Values that one minimum or maximum compares."""
