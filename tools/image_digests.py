"""Pins the images of the Dockerfile to what their tags are now: ``python -m tools.image_digests`` before a release.

Each ``name:tag`` gets the digest of its index for all architectures, as Docker's registry has it. It needs the network,
no container engine.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Final

from tools.paths import ROOT

REGISTRY: Final = "https://registry-1.docker.io"
DOCKERFILE = ROOT / "Dockerfile"
IMAGE = re.compile(
    r"^(?P<before>FROM |# syntax=)(?P<name>[a-z0-9./-]+):(?P<tag>[\w.-]+)(?:@sha256:[0-9a-f]{64})?", re.M
)
INDEXES = "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json"


def pinned(text: str, digest_of: Callable[[str, str], str]) -> str:
    """The Dockerfile with the digest of each image; stages that name earlier stages have no tag and stay."""
    return IMAGE.sub(
        lambda image: f"{image['before']}{image['name']}:{image['tag']}@{digest_of(image['name'], image['tag'])}", text
    )


def digest_in_registry(name: str, tag: str, registry: str = REGISTRY) -> str:
    """``sha256:…`` of the image's index, computed from what the registry sends.

    Raises
    ------
    LookupError
        The registry calls it something else, or the tag is of one architecture alone.
    """
    repository = name if "/" in name else f"library/{name}"
    request = urllib.request.Request(f"{registry}/v2/{repository}/manifests/{tag}", headers={"Accept": INDEXES})
    try:
        answer = urllib.request.urlopen(request, timeout=60)
    except urllib.error.HTTPError as refused:
        if refused.code != 401:
            raise
        request.add_header("Authorization", f"Bearer {_token(refused.headers.get('WWW-Authenticate', ''))}")
        answer = urllib.request.urlopen(request, timeout=60)
    with answer:
        content = answer.read()
        digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
        if digest != answer.headers["Docker-Content-Digest"]:
            raise LookupError(f"{name}:{tag} was sent as {digest}, but the registry calls it something else")
    if "manifests" not in json.loads(content):
        raise LookupError(f"{name}:{tag} is of one architecture alone")
    return digest


def _token(challenge: str) -> str:
    """For reading, as the registry asks: ``Bearer realm="https://…",service="…",scope="repository:…:pull"``."""
    asked = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
    query = urllib.parse.urlencode({key: asked[key] for key in ("service", "scope") if key in asked})
    with urllib.request.urlopen(f"{asked['realm']}?{query}", timeout=60) as answer:
        return str(json.load(answer)["token"])


if __name__ == "__main__":
    try:
        DOCKERFILE.write_text(pinned(DOCKERFILE.read_text(encoding="utf-8"), digest_in_registry), encoding="utf-8")
    except (OSError, LookupError) as problem:
        sys.exit(f"The Dockerfile stays as it was: {problem}")
