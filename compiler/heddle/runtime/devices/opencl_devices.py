"""OpenCL devices of this machine: its own, and the CPU through the runtimes that come as Python packages.

``intel-opencl-rt`` has sub-groups; PoCL (``pocl-binary-distribution``) has none, so both forms of a warp can be run on
a machine without a GPU. Neither package registers itself: the loader is told where they are before it is imported.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import shutil
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.extras import Extra
from heddle.runtime.native.cache_folder import cache_root, write_atomically

CHOICE = "HEDDLE_OPENCL"
"""The environment variable whose value is part of the name of the platform or device to use."""

_POCL = "Portable Computing Language"
_SYSTEM_VENDORS = Path("/etc/OpenCL/vendors")
# What libintelocl.so needs. The packages put all of it into one folder that the linker does not search.
_INTEL = "libintelocl.so"
_INTEL_NEEDS = ("libintlc.so.5", "libimf.so", "libsvml.so", "libirng.so", "libtbb.so.12")


@dataclass(frozen=True, slots=True)
class OpenClDevice:
    """``handle`` is PyOpenCL's device. ``sub_groups``: it has sub-groups of a size that a kernel may ask for, with
    shuffles. Sizes are in bytes."""

    handle: Any
    name: str
    platform: str
    is_cpu: bool
    extensions: frozenset[str]
    local_bytes: int
    work_group: int
    version: str

    @property
    def sub_groups(self) -> bool:
        return {"cl_intel_required_subgroup_size", "cl_khr_subgroup_shuffle"} <= self.extensions

    @property
    def knows_processor(self) -> bool:
        """Whether it can build kernels at all: PoCL's compiler takes no processor that is newer than itself."""
        return not (self.platform.startswith(_POCL) and self.version.endswith("-generic"))

    def describe(self) -> str:
        """One line for a person."""
        return f"{self.name}, {self.platform} ({self.version})"


@functools.cache
def devices() -> tuple[OpenClDevice, ...]:
    """GPUs first, then the CPU: with sub-groups before without."""
    if importlib.util.find_spec("pyopencl") is None:
        return ()
    _prepare_loader()
    import pyopencl as cl

    try:
        platforms = cl.get_platforms()
    except cl.Error:  # The loader found no platform at all.
        return ()
    candidates = [
        _facts(handle, platform) for platform in platforms if _links(platform.name) for handle in _handles(cl, platform)
    ]
    unique = {(device.platform, device.name, device.version): device for device in reversed(candidates)}
    usable = [device for device in unique.values() if "cl_khr_fp64" in device.extensions and device.knows_processor]
    return tuple(sorted(usable, key=lambda device: (device.is_cpu, not device.sub_groups, device.platform)))


def choose() -> OpenClDevice:
    """The device that kernels run on: the first whose name or platform has ``$HEDDLE_OPENCL`` in it.

    Raises
    ------
    CompileError
        ``runtime/no-opencl``.
    """
    choice = os.environ.get(CHOICE, "")
    for device in devices():
        if choice.lower() in f"{device.name} {device.platform}".lower():
            return device
    raise CompileError(no_device(choice))


def no_device(choice: str = "") -> Diagnostic:
    """What to say where there is no device."""
    if importlib.util.find_spec("pyopencl") is None:
        reason = Extra.OPENCL.sentence
    elif choice and devices():
        reason = f"${CHOICE} is {choice!r}, and there are " + "; ".join(device.describe() for device in devices())
    elif not _links(_POCL):
        reason = "PyOpenCL finds no device that computes with float64, and PoCL lacks the linker ld (Debian: binutils)"
    else:
        reason = "PyOpenCL finds no device that computes with float64"
    return Diagnostic(
        code="runtime/no-opencl",
        message=f"There is no OpenCL device to run this kernel on: {reason}.",
        expected="PyOpenCL and an OpenCL device: a GPU with its driver, or the CPU with PoCL or Intel's runtime",
        actual=reason,
        hint=f"{Extra.OPENCL.install} brings PyOpenCL and two runtimes for the CPU. Or use the target interpreter.",
    )


def _links(platform: str) -> bool:
    """Whether kernels can be built: PoCL ends the whole process where it finds no linker for them."""
    return not platform.startswith(_POCL) or shutil.which("ld") is not None


def _handles(cl: Any, platform: Any) -> list[Any]:
    try:
        return list(platform.get_devices())
    except cl.Error:
        return []


def _facts(handle: Any, platform: Any) -> OpenClDevice:
    import pyopencl as cl

    return OpenClDevice(
        handle,
        handle.name.strip(),
        platform.name.strip(),
        bool(handle.type & cl.device_type.CPU),
        frozenset(handle.extensions.split()),
        int(handle.local_mem_size),
        int(handle.max_work_group_size),
        handle.version.strip(),
    )


def _prepare_loader() -> None:
    """Names the runtimes of the Python packages to the OpenCL loader, in addition to those of the machine. PyOpenCL
    brings the loader and knows PoCL's package on its own."""
    _name_root_folder()
    if "OCL_ICD_VENDORS" in os.environ:
        return
    intel = Path(sysconfig.get_path("data")) / "lib" / _INTEL
    if not intel.exists() or not _preload(intel.parent):
        return
    files = {"intel.icd": f"{intel}\n".encode()}
    files |= {known.name: known.read_bytes() for known in sorted(_SYSTEM_VENDORS.glob("*.icd"))}
    folder = cache_root() / "opencl-vendors"
    try:
        for name, content in files.items():
            write_atomically(folder / name, content)
    except OSError:  # a cache that may only be read
        folder = Path(tempfile.mkdtemp(prefix="heddle-opencl-"))
        for name, content in files.items():
            write_atomically(folder / name, content)
    os.environ["OCL_ICD_VENDORS"] = str(folder)


def _name_root_folder() -> None:
    """Lets PoCL find the machine's memory where a process may not look into the root folder (Landlock).

    Its hwloc reads ``/proc`` and ``/sys`` below a descriptor of the root folder. Without one it finds no memory at all,
    and PoCL ends the process: "Not enough memory to run on this device".
    """
    if "HWLOC_FSROOT" in os.environ or sys.platform != "linux":
        return
    try:
        os.close(os.open("/", os.O_RDONLY | os.O_DIRECTORY))
    except PermissionError:
        folder = tempfile.mkdtemp(prefix="heddle-hwloc-")
        for name in ("dev", "proc", "sys"):
            os.symlink(f"/{name}", os.path.join(folder, name))
        os.environ.update(HWLOC_FSROOT=folder, HWLOC_THISSYSTEM="1")


def _preload(folder: Path) -> bool:
    """Loads what Intel's runtime needs; a library that is loaded already is found without a search."""
    try:
        for name in _INTEL_NEEDS:
            ctypes.CDLL(str(folder / name), mode=ctypes.RTLD_LOCAL)
    except OSError:
        return False
    return True
