"""What a launch is passed, which a device may know again."""

from __future__ import annotations

from typing import Any


class Arguments(list[Any]):
    """The arguments of a kernel in the order of its parameters. Unlike those of other lists, references to it may be
    weak: whoever keeps one keeps no memory of a device."""
