"""Archives of others without what no answer needs: a third of Python's library and of NumPy is loaded by anybody here.

What is left out is named; all else is kept, to the byte, but for modules, which are compiled (``bytecode.py``).
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Mapping

from heddle_server.static.archive import Files

LIBRARY_LEFT_OUT = re.compile(
    r"__hello__|__phello__|_pydatetime|_pyio|aifc|antigravity|argparse|bdb|cProfile|cgi|cgitb|chunk|cmd"
    r"|colorsys|compileall|configparser|crypt|doctest|email|fileinput|filecmp|ftplib|graphlib|http|imaplib"
    r"|imghdr|mailbox|mailcap|mimetypes|modulefinder|multiprocessing|netrc|nntplib|nturl2path|optparse|pdb"
    r"|pickletools|pipes|plistlib|poplib|profile|pstats|pyclbr|pydoc|sched|shelve|smtplib|sndhdr"
    r"|socketserver|statistics|sunau|symtable|tabnanny|telnetlib|this|timeit|tomllib|trace|tracemalloc"
    r"|unittest|uu|uuid|wave|webbrowser|wsgiref|xdrlib|xml|xmlrpc|zipapp|zoneinfo"
)
"""Modules of Python's library, by their first name."""
ENCODINGS = frozenset(
    f"encodings/{name}.py"
    for name in ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "utf_8", "utf_8_sig")
)
"""Those that are kept."""
NUMPY_LEFT_OUT = re.compile(
    r".*\.(pyi|pxd|pyx|h|c|a|ini|in|f|f90|build)|.*/(tests|include)/.*|numpy/(f2py|fft|polynomial|testing|doc)/.*"
    r"|numpy/(_pyinstaller|_core/_(multiarray|rational|operand_flag|struct_ufunc|umath)_tests).*"
    r"|numpy/(_core/_add_newdocs|linalg/(lapack_lite|_umath_linalg)).*"
    r"|numpy/(_configtool|matlib|conftest|ctypeslib)\.py|.*\.dist-info/(RECORD|METADATA|entry_points\.txt)"
)


def prune_library(archive: bytes) -> Files:
    """The files of ``python_stdlib.zip`` that are kept."""
    return _without(archive, _is_left_out_of_the_library)


def prune_numpy(wheel: bytes) -> Files:
    return _without(wheel, lambda name: NUMPY_LEFT_OUT.fullmatch(name) is not None)


def pack_zip(files: Mapping[str, bytes]) -> bytes:
    """Equal for equal files: all have the time at which archives of this kind begin."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def _is_left_out_of_the_library(name: str) -> bool:
    first = name.split("/")[0].removesuffix(".py")
    return LIBRARY_LEFT_OUT.fullmatch(first) is not None or (
        first == "encodings" and name.endswith(".py") and name not in ENCODINGS
    )


def _without(archive: bytes, is_left_out: Callable[[str], bool]) -> Files:
    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        entries = [entry for entry in whole.infolist() if not entry.is_dir() and not is_left_out(entry.filename)]
        return {entry.filename: whole.read(entry) for entry in entries}
