"""Public collections from which the service fetches a matrix or tensor by its name.

``collections.json`` describes them; an operator may point ``HEDDLE_COLLECTIONS`` at another file (a mirror). An entry
of ``files`` may carry the ``sha256`` of the file as it is downloaded; a file that differs is then refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

COLLECTIONS = Path(__file__).resolve().parent / "collections.json"
# With the collection's id, a name is the id of a dataset, for which the store has 80 characters.
LONGEST_NAME = 64
# Of any collection: what a name can be made of without ever meaning another folder or another host.
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*(?:/[A-Za-z0-9][A-Za-z0-9_.+-]*)?")


class CollectionFile(BaseModel):
    """``path`` is put into the collection's ``url``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")


class Collection(BaseModel):
    """``archive`` says what is downloaded: a tar file whose member ``Name/Name.mtx`` is wanted, or one packed file.

    ``name_pattern`` describes names beyond those in ``files``; None where ``files`` has all. ``origins`` (scheme, host
    and port) are all that a download may be redirected to.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z][a-z0-9-]{0,14}$")
    title: str
    home: str
    kind: Literal["mtx", "tns"]
    archive: Literal["tar", "gz"]
    url: str
    name_pattern: str | None
    naming: str
    examples: tuple[str, ...]
    origins: tuple[str, ...]
    licence: str
    files: dict[str, CollectionFile]

    def file(self, name: str) -> CollectionFile | None:
        """The file of that name; None for a name that the collection cannot have."""
        if len(name) > LONGEST_NAME or _SAFE.fullmatch(name) is None or ".." in name:
            return None
        if name in self.files:
            return self.files[name]
        if self.name_pattern is None or re.fullmatch(self.name_pattern, name) is None:
            return None
        return CollectionFile(path=name)

    def address(self, file: CollectionFile) -> str:
        return self.url.format(path=file.path)

    def member_name(self, name: str) -> str | None:
        """Which member of the tar file that is downloaded is the file of that name; None where there is no tar file."""
        stem = name.rpartition("/")[2]
        return f"{stem}/{stem}.{self.kind}" if self.archive == "tar" else None

    def allows(self, address: str) -> bool:
        """Whether a download may go there: a listed origin, and no user or password in it."""
        return origin_of(address) in {origin_of(origin) for origin in self.origins}


def read_collections(path: Path = COLLECTIONS) -> dict[str, Collection]:
    """By id. Raises ValueError for a file that is not as it should be."""
    adapter = TypeAdapter(list[Collection]).validate_json(path.read_bytes(), strict=False)
    return {collection.id: collection for collection in adapter}


def origin_of(address: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None for an address that is not plain http or https."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or parts.hostname is None or "@" in parts.netloc:
        return None
    return parts.scheme, parts.hostname.lower(), port or {"http": 80, "https": 443}[parts.scheme]
