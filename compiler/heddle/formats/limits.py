"""How long the text of a format may be, and how large the numbers in it."""

from __future__ import annotations

MAX_LENGTH = 256
"""Characters of a format's text."""

MAX_BLOCK = 1024
"""Coordinates of one dimension in a block."""
