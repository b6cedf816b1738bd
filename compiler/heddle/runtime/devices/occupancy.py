"""What a CUDA kernel needs of a multiprocessor, and how full that leaves it: read from the machine code."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from heddle.diagnostics import InternalError

_WARP = 32
_REGISTERS = 65536  # of a multiprocessor, on every architecture since sm_50
_REGISTER_UNIT = 256  # registers are given to a warp in multiples of this
_RESERVED = 1024  # bytes of shared memory in each block that are the system's, since sm_80
_RESERVED_SECTION = ".nv.shared.reserved.0"
"""Machine code with this section (since sm_90) counts the system's part into a kernel's section of shared memory."""


@dataclass(frozen=True, slots=True)
class Multiprocessor:
    """Limits of one architecture (CUDA C++ Programming Guide, table of technical specifications). ``reserved_bytes``
    of each block's shared memory are the system's."""

    warps: int
    blocks: int
    shared_bytes: int
    shared_unit: int
    reserved_bytes: int


MULTIPROCESSORS: dict[str, Multiprocessor] = {
    "sm_70": Multiprocessor(64, 32, 96 << 10, 256, 0),
    "sm_75": Multiprocessor(32, 16, 64 << 10, 256, 0),
    "sm_80": Multiprocessor(64, 32, 164 << 10, 128, _RESERVED),
    "sm_86": Multiprocessor(48, 16, 100 << 10, 128, _RESERVED),
    "sm_89": Multiprocessor(48, 24, 100 << 10, 128, _RESERVED),
    "sm_90": Multiprocessor(64, 32, 228 << 10, 128, _RESERVED),
}


@dataclass(frozen=True, slots=True)
class KernelFigures:
    """Of one kernel: registers per thread, bytes of shared memory per block without what the system reserves, and bytes
    of registers spilled to memory or of arrays that did not fit into registers, per thread."""

    name: str
    registers: int
    shared_bytes: int
    local_bytes: int


def figures(cubin: bytes) -> tuple[KernelFigures, ...]:
    """The figures of every kernel in an ELF image that NVRTC made."""
    sections = list(_sections(cubin))
    names = {name: content for name, content, _, _ in sections}
    kernel_figures = []
    attributes = _attributes(names.get(".nv.info", b""))
    symbols = _symbols(cubin, sections)
    for name, _, _, size in sections:
        if not name.startswith(".text."):
            continue
        kernel = name.removeprefix(".text.")
        shared = next((size for other, _, _, size in sections if other == f".nv.shared.{kernel}"), 0)
        if shared and _RESERVED_SECTION in names:
            shared -= _RESERVED
        registers = attributes.get((0x2F, symbols[kernel]), 0)
        local = attributes.get((0x11, symbols[kernel]), 0)
        if not registers or not size:
            raise InternalError(f"The machine code of {kernel} does not say how many registers it uses")
        kernel_figures.append(KernelFigures(kernel, registers, shared, local))
    return tuple(kernel_figures)


def occupancy(kernel: KernelFigures, threads: int, architecture: str) -> float:
    """Warps that are resident at once, as a share of the most that a multiprocessor can hold."""
    limits = MULTIPROCESSORS[architecture]
    warps = -(-threads // _WARP)
    per_warp = _round(kernel.registers * _WARP, _REGISTER_UNIT)
    by_registers = (_REGISTERS // per_warp) // warps
    shared = _round(kernel.shared_bytes, limits.shared_unit) + limits.reserved_bytes
    by_shared = limits.shared_bytes // shared if shared else limits.blocks
    blocks = min(limits.blocks, limits.warps // warps, by_registers, by_shared)
    return blocks * warps / limits.warps


def _round(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def _sections(image: bytes) -> Iterator[tuple[str, bytes, int, int]]:
    """Name, content, type and size of each section of a 64-bit ELF image."""
    if image[:4] != b"\x7fELF" or image[4] != 2:
        raise InternalError("The machine code is not a 64-bit ELF image")
    (offset,) = struct.unpack_from("<Q", image, 40)
    entry, count, names = struct.unpack_from("<HHH", image, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, offset + number * entry) for number in range(count)]
    start = headers[names][4]
    for header in headers:
        name = image[start + header[0] : image.index(b"\0", start + header[0])].decode()
        nobits = header[1] == 8
        yield name, b"" if nobits else image[header[4] : header[4] + header[5]], header[1], header[5]


def _symbols(image: bytes, sections: list[tuple[str, bytes, int, int]]) -> dict[str, int]:
    """The number of each symbol."""
    content = {name: data for name, data, _, _ in sections}
    table, names = content[".symtab"], content[".strtab"]
    numbers = {}
    for number in range(len(table) // 24):
        (place,) = struct.unpack_from("<I", table, number * 24)
        numbers[names[place : names.index(b"\0", place)].decode()] = number
    return numbers


def _attributes(content: bytes) -> dict[tuple[int, int], int]:
    """The pairs (attribute, symbol) -> value of ``.nv.info``: 0x2f counts registers, 0x11 is the size of the frame."""
    attributes, place = {}, 0
    while place + 4 <= len(content):
        form, attribute, size = struct.unpack_from("<BBH", content, place)
        place += 4
        if form != 4:
            continue
        if size == 8:
            symbol, value = struct.unpack_from("<II", content, place)
            attributes[attribute, symbol] = value
        place += size
    return attributes
