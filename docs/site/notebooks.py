"""The worked notebooks as pages of the site: what they say and compute, from the files that people open."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NAMES = ("pagerank", "gat_layer", "conjugate_gradients", "tile_sizes")
"""In the order in which they are read."""


def notebook_page(name: str) -> str:
    """The cells of a notebook one below the other."""
    document = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    parts = []
    for cell in document["cells"]:
        text = "".join(cell["source"])
        parts.append(f"```python\n{text}\n```" if cell["cell_type"] == "code" else text)
    return "\n\n".join([*parts, f"The notebook is `docs/notebooks/{name}.ipynb` of the repository."]) + "\n"


def index() -> str:
    """The page that leads to them."""
    pages = "\n".join(name.replace("_", "-") for name in NAMES)
    head = "# Worked notebooks\n\nWhole jobs, each beside the same with SciPy."
    return f"{head}\n\n```{{toctree}}\n:maxdepth: 1\n\n{pages}\n```\n"


def _page_of(name: str) -> Callable[[], str]:
    return lambda: notebook_page(name)


NOTEBOOKS: Mapping[str, Callable[[], str]] = {
    "learn/notebooks/index.md": index,
    **{f"learn/notebooks/{name.replace('_', '-')}.md": _page_of(name) for name in NAMES},
}
