"""Sizes of programs, each with a diagnostic."""

MAX_TEXT = 8_192
"""Characters."""
MAX_DEPTH = 64
"""Of terms inside one another, pipes not counted."""
MAX_PATTERNS = 64
MAX_PARAMETERS = 16
