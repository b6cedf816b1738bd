"""Machine code of CUDA kernels for one architecture, compiled once for each text and kept as C objects are.

The texts are compiled here and not by CuPy, which flushes subnormal numbers to zero (``-ftz=true``): a float32 result
would differ from that of every other target.
"""

from __future__ import annotations

import hashlib

from heddle.logs import LOGGER
from heddle.runtime.devices import nvrtc
from heddle.runtime.native import cache


def machine_code(text: str, architecture: str) -> bytes:
    """The machine code of CUDA ``text`` for ``architecture``, e.g. ``sm_90``, from the cache or compiled now.

    Raises
    ------
    InternalError
        the generated text does not compile.
    CompileError
        ``runtime/no-nvrtc``, ``runtime/cuda-architecture``, ``runtime/nvrtc``, ``runtime/cache-folder``.
    """
    key = _key(text, architecture)
    file = cache.lookup(key)
    if file is not None:
        LOGGER.info("kernel from the cache: %s", file)
        return file.read_bytes()
    return cache.store(key, nvrtc.compile_text(text, architecture).cubin).read_bytes()


def _key(text: str, architecture: str) -> str:
    parts = (str(cache.CACHE_VERSION), cache.GENERATOR_VERSION, nvrtc.version(), *nvrtc.OPTIONS, architecture, text)
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return f"cuda-{digest.hexdigest()[:40]}"
