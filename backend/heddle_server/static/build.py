"""``heddle static OUT``: the page, the compiler and all that they need as files, for any host of files."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.places import PACKAGE, PAGE
from heddle_server.static.archive import LIBRARIES, library_licence, pack, sources
from heddle_server.static.bytecode import BuildError, compile_modules, compiled_at_start
from heddle_server.static.pruning import pack_zip, prune_library, prune_numpy
from heddle_server.static.pyodide_package import FILES, LIBRARY, NUMPY, VERSION, pyodide_folder
from heddle_server.static.short_links import Link, link_answers, read_links, write_link_pages
from heddle_server.static.stored_answers import StoredAnswer, stored_answers

LISTING = "files.json"
"""Every file with its SHA-256; a folder that has it was written by this program, and may be written again."""
HEDDLE = "heddle.tar.gz"
PACKED_NUMPY = f"{NUMPY.stem}.tar.gz"
START = "browser_start.py"
"""The module that the browser's Python runs first."""
VENDOR = PACKAGE / "static" / "vendor"
HELD = {
    f"Pyodide {VERSION}: MPL-2.0, sources at https://github.com/pyodide/pyodide": "Pyodide",
    "CPython 3.12.7, in Pyodide: PSF-2.0": "Python",
    "NumPy 2.0.2, as the Pyodide project built it: BSD-3-Clause": "NumPy",
}
"""What a folder holds beyond the page, and the beginning of the name of its licence."""
FROM_FILE = "from-file.js"
TOLD = '<meta name="heddle-transport" content="worker" />'
"""Of the document: that the page answers itself."""
ASKED_FIRST = ("index.json", "get-catalogue.json")
"""Of the stored answers: what every page asks for, and what arrives while its scripts do."""
SCRIPTS = ("short-link.js", FROM_FILE)
"""That stand beside the page as they are."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "object-src 'none'",
    )
)
"""Nothing is asked of anybody but the host of the folder."""


def build(out: Path, base_url: str | None = None, links: Path | None = None) -> int:
    """Writes the folder; returns the bytes of its files. ``links`` is a file that names short links of a server. Raises
    BuildError, LinksError and MissingPyodideError."""
    if not (PAGE / "index.html").is_file():
        raise BuildError(f"The page is not built: {PAGE} has no index.html. ./heddle static builds it by itself.")
    if out.exists() and not out.is_dir():
        raise BuildError(f"{out} is a file; expected a folder that is new, empty, or was written by this command.")
    if out.is_symlink() and not out.exists():
        raise BuildError(f"{out} is a link that leads nowhere; expected a folder, or a name that nothing has yet.")
    if out.is_dir() and any(out.iterdir()) and not (out / LISTING).is_file():
        raise BuildError(
            f"{out} holds files that this command did not write; expected a folder that is new, empty, or was written "
            "by it. Name another one, or empty it."
        )
    bundled = [] if links is None else read_links(links)
    pyodide = pyodide_folder()
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{out.name}.", dir=out.parent) as scratch:
        folder = Path(scratch) / "folder"
        write_folder(folder, pyodide, base_url, bundled)
        replace_files(folder, out)
    return sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def write_folder(folder: Path, pyodide: Path, base_url: str | None, links: Sequence[Link]) -> None:
    shutil.copytree(PAGE, folder, ignore=shutil.ignore_patterns("*.map", "*.br"))
    write_python(folder / "python", pyodide)
    (folder / "data").mkdir()
    for entry in builtin_datasets():
        shutil.copyfile(entry.path, folder / "data" / entry.path.name)
    write_answers(folder / "answers", chain(stored_answers(), link_answers(links)))
    write_link_pages(folder, links)
    write_licences(folder)
    write_pages(folder, base_url)
    write_listing(folder)


def write_python(python: Path, pyodide: Path) -> None:
    """What the worker of the page loads, and a listing of it."""
    python.mkdir()
    for name in FILES:
        # Hosts that do not know what .mjs is call it data, which no browser runs.
        shutil.copyfile(pyodide / name, python / name.replace(".mjs", ".js"))
    library, numpy = prune_library((pyodide / LIBRARY).read_bytes()), prune_numpy(NUMPY.read_bytes())
    compiled = compile_modules({"library": library, "numpy": numpy, "heddle": sources()}, pyodide)
    (python / LIBRARY).write_bytes(pack_zip(compiled["library"]))
    (python / PACKED_NUMPY).write_bytes(pack(compiled["numpy"]))
    (python / HEDDLE).write_bytes(pack(compiled["heddle"]))
    shutil.copyfile(PACKAGE / "static" / START, python / START)
    list_python(python)
    packed = pack(compiled["heddle"] | compiled_at_start(python, pyodide))
    (python / HEDDLE).write_bytes(packed)
    list_python(python)


def list_python(python: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in sorted(python.iterdir()) if path.suffix != ".json"}
    loaded = {"archives": [PACKED_NUMPY, HEDDLE], "start": START, "bytes": sizes}
    (python / "index.json").write_text(json.dumps(loaded), encoding="utf-8")


def write_pages(folder: Path, base_url: str | None) -> None:
    """The page, the same for frames on other pages, and the scripts beside them."""
    index = folder / "index.html"
    html = page_of_folder(index.read_text(encoding="utf-8"), base_url)
    index.write_text(html, encoding="utf-8")
    framed = html.replace(TOLD, f'{TOLD}\n    <meta name="heddle-page" content="embed" />', 1)
    (folder / "embed.html").write_text(framed, encoding="utf-8")
    for name in SCRIPTS:
        shutil.copyfile(PACKAGE / "static" / name, folder / name)


def write_answers(folder: Path, answers: Iterable[StoredAnswer]) -> None:
    """The stored answers, and an index of the requests that they answer."""
    folder.mkdir()
    index = []
    for stored in answers:
        name = f"{stored.method.lower()}{stored.path.replace('/', '-')}.json"
        (folder / name).write_bytes(stored.text)
        index.append({"method": stored.method, "path": stored.path, "body": stored.body, "file": name})
    (folder / "index.json").write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")


def write_licences(folder: Path) -> None:
    """What the page says of others' work, and that of what only a folder holds."""
    texts = [(title, (VENDOR / f"{name}-LICENSE.txt").read_text(encoding="utf-8")) for title, name in HELD.items()]
    texts += [(project, library_licence(project)) for project in LIBRARIES.values()]
    with (folder / "third-party-notices.txt").open("a", encoding="utf-8") as file:
        file.write("\nThis folder also holds:\n")
        file.write("".join(f"\n### {title}\n\n{text}\n" for title, text in texts))


def page_of_folder(html: str, base_url: str | None) -> str:
    """The page's document with relative addresses, under a policy that lets nothing else be asked, and told that it
    answers itself. ``base_url`` is where the folder will be served: what previews of links name."""
    relative = re.sub(r'((?:src|href)=")/(?!/)', r"\1./", html)
    lines = [
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />',
        TOLD,
        f'<script defer src="./{FROM_FILE}"></script>',
        *(f'<link rel="preload" as="fetch" crossorigin href="./answers/{name}" />' for name in ASKED_FIRST),
    ]
    if base_url is not None:
        lines += [f'<link rel="canonical" href="{checked_address(base_url)}" />']
    return relative.replace('<meta charset="utf-8" />', "\n    ".join(['<meta charset="utf-8" />', *lines]), 1)


def checked_address(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or re.search(r'[\s"<>]', text):
        raise BuildError(f"--base-url is {text!r}; expected the address of the folder, as https://example.org/heddle/.")
    return text if text.endswith("/") else f"{text}/"


def write_listing(folder: Path) -> None:
    """Behind all other files: what they hold, and the worker that keeps them in a browser."""
    worker = (PACKAGE / "static" / "offline.js").read_text(encoding="utf-8")
    digests = listing(folder)
    (folder / "sw.js").write_text(f"const FILES = {json.dumps(digests, indent=1)};\n{worker}", encoding="utf-8")
    (folder / LISTING).write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")


def listing(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def replace_files(fresh: Path, out: Path) -> None:
    """Puts a whole folder in the place of an earlier one."""
    if out.exists():
        shutil.rmtree(out)
    shutil.move(fresh, out)
