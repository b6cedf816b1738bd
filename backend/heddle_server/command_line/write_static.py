"""``heddle static OUT``: writes the explorer as a folder of files."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

from heddle_server.static.build import build
from heddle_server.static.bytecode import BuildError
from heddle_server.static.pyodide_package import MissingPyodideError
from heddle_server.static.short_links import LinksError


def write_static(out: Path, base_url: str | None, links: Path | None = None, *, as_json: bool = False) -> int:
    """The exit code. Says how to look at the folder."""
    try:
        size = build(out, base_url, links)
    except (BuildError, LinksError, MissingPyodideError) as error:
        print(f"heddle: {error}", file=sys.stderr)
        return 1
    if as_json:
        print(json.dumps({"folder": str(out), "bytes": size}))
        return 0
    print(f"{out}: {size / 1e6:.1f} MB. To look at it: python3 -m http.server --directory {shlex.quote(str(out))}")
    return 0
