"""Sizes of programs, each with a diagnostic."""

MAX_TEXT = 8_192
"""Characters."""
MAX_DEPTH = 64
"""Of terms and types inside one another, chains not counted."""
MAX_CHAINED = 200
"""Of the same with chains of operators, pipes and applications counted."""
MAX_PATTERNS = 64
MAX_PARAMETERS = 16
