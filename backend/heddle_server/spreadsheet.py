"""Tables as CSV for spreadsheets, in which whatever somebody typed stays a text.

Texts are quoted, also where they need not be: a spreadsheet that takes semicolons or tabs for separators, as in many
countries, would begin another cell in the middle of a name, and compute what stands there.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TextIO

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a text begins that a spreadsheet would compute; the last four in full width."""
BLANK = ("\t", "\r", "\n")


def write_table(out: TextIO, heading: Iterable[str], rows: Iterable[Iterable[str | float]], line_end: str) -> None:
    table = csv.writer(out, lineterminator=line_end, quoting=csv.QUOTE_NONNUMERIC)
    table.writerow(heading)
    table.writerows([plain(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)


def plain(text: str) -> str:
    """The text, marked as one where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(BLANK) or text.lstrip().startswith(FORMULA) else text
