"""What the processor is: its name, its instruction set (part of every kernel's cache key), its caches."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
from pathlib import Path

_MITIGATION = Path("/sys/devices/system/cpu/vulnerabilities/gather_data_sampling")


@functools.cache
def _cpuinfo() -> dict[str, str]:
    """The first processor of /proc/cpuinfo; empty on systems that have none."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    pairs = (line.partition(":") for line in text.split("\n\n", 1)[0].splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def model() -> str:
    """The processor's own name, e.g. ``AMD EPYC 9354``."""
    return _cpuinfo().get("model name") or platform.processor() or platform.machine() or "unknown processor"


def features() -> tuple[str, ...]:
    """Instruction-set features as the kernel of the operating system names them, sorted."""
    info = _cpuinfo()
    return tuple(sorted((info.get("flags") or info.get("Features") or "").split()))


@functools.cache
def gathers_fast() -> bool:
    """Whether the gathers of AVX-512 beat loads one by one: on Intel's processors, but where the mitigation of
    "gather data sampling" slows them down."""
    info, gathers = _cpuinfo(), {"avx512dq", "avx512vl"} <= set(features())
    if not gathers or info.get("vendor_id") != "GenuineIntel":
        return False
    try:
        return _MITIGATION.read_text(encoding="utf-8").strip() == "Not affected"
    except OSError:  # kernels before 6.5 do not tell
        return False


@functools.cache
def fingerprint() -> str:
    """Tells processors apart whose ``-march=native`` code differs."""
    parts = (platform.machine(), platform.system(), model(), *features())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def available_cores() -> int:
    """Cores that this process may run on (fewer than the machine's inside a container)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def last_level_cache_bytes() -> int | None:
    """Size of the largest cache of the first core, None when the system does not tell."""
    return max(_caches().values(), default=None)


def core_cache_bytes() -> int | None:
    """Size of the second cache of the first core, None when there is none or the system does not tell."""
    return _caches().get(2)


def _caches() -> dict[int, int]:
    """Bytes of the largest cache of each level of the first core."""
    sizes: dict[int, int] = {}
    for entry in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            text, level = (
                (entry / "size").read_text(encoding="utf-8").strip(),
                int((entry / "level").read_text(encoding="utf-8")),
            )
        except (OSError, ValueError):
            continue
        unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:], 1)
        digits = text.rstrip("KMG")
        if digits.isdigit():
            sizes[level] = max(sizes.get(level, 0), int(digits) * unit)
    return sizes
