"""What decides the result of a run: the plan, the bytes of its data, the generator of the code, and the machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from backend.services.documents import Document, hash_of
from backend.version import VERSION
from compiler.runtime.native.cache import GENERATOR_VERSION


def content_key(plan: Document, digests: Mapping[str, str], machine_kinds: list[tuple[str, ...]]) -> str:
    """``digests`` maps each dataset of the plan to the SHA-256 of its bytes."""
    parts = [hash_of(plan), sorted(digests.items()), VERSION, GENERATOR_VERSION, machine_kinds]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
