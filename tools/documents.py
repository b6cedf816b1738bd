"""The documents as a site, built again only when what it is made of has changed."""

from __future__ import annotations

import hashlib

from tools.lock import setup_lock
from tools.paths import COMPILER, DOCS, FRONTEND, PYTHON, SITE, STATE
from tools.progress import run
from tools.python_environment import ensure_packages

SITE_STAMP = STATE / "documents.sha256"
GENERATED_FROM = (FRONTEND / "src" / "text" / "glossary.json", COMPILER)
"""What the generated pages of the reference are made of, besides the folder of the documents."""


def ensure_site() -> None:
    """Builds the documents into build/docs unless their sources are those of the last build."""
    wanted = digest_of_sources()
    if _built() == wanted:
        return
    ensure_packages("runtime", "docs")
    with setup_lock("documents"):
        if _built() == wanted:
            return
        SITE_STAMP.unlink(missing_ok=True)
        run(
            "Building the documents",
            [PYTHON, "-m", "docs.site.build", SITE],
            advice="A page has a warning; the log above names its line.",
        )
        SITE_STAMP.write_text(wanted, encoding="utf-8")


def digest_of_sources() -> str:
    digest = hashlib.sha256()
    for path in (DOCS, *GENERATED_FROM):
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix != ".pyc":
                digest.update(f"{file.name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _built() -> str | None:
    complete = SITE_STAMP.exists() and (SITE / "index.html").exists()
    return SITE_STAMP.read_text(encoding="utf-8") if complete else None
