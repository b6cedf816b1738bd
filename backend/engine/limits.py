"""What a child process may use."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """Wall-clock and processor time in seconds, the rest in bytes or counts."""

    seconds: float
    memory_bytes: int
    output_bytes: int
    processor_seconds: int
    file_bytes: int = 1 << 30
    open_files: int = 1024
    processes: int = 8192

    def to_document(self) -> dict[str, Any]:
        return asdict(self)
