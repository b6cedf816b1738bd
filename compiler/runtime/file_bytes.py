"""Reading a data file as a whole, within a limit."""

from __future__ import annotations

from pathlib import Path

from compiler.runtime.number_lines import ReadLimits, input_error


def read_bytes(path: Path, limits: ReadLimits, what: str) -> bytes:
    """The content of ``path``.

    Raises:
        CompileError: ``input/too-large``, ``input/empty-file``, ``input/compressed-file``.
    """
    size = path.stat().st_size
    if size > limits.file_bytes:
        raise input_error(
            "too-large",
            f"The file has {size:,} bytes, the limit is {limits.file_bytes:,}.",
            expected=f"at most {limits.file_bytes:,} bytes",
            found=f"{size:,} bytes",
            hint="Use a smaller file.",
        )
    data = path.read_bytes()
    if not data.strip():
        raise input_error(
            "empty-file",
            f"The file is empty; expected {what}.",
            expected=what,
            found="an empty file",
            hint="Choose another file, or upload it again.",
        )
    if data[:2] == b"\x1f\x8b" or data[:4] in (b"PK\x03\x04", b"\xfd7zX", b"\x28\xb5\x2f\xfd") or data[:3] == b"BZh":
        raise input_error(
            "compressed-file",
            f"The file is compressed; expected {what} as plain text.",
            expected=what,
            found="a compressed file",
            hint="Unpack it first.",
        )
    return data
