"""Shows each function of the Python pages with the signature that it has, and not once more for each kind of result.

Overloads are for type checkers. Of ``hd.compile`` a reader would meet nine before its first sentence.
"""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

import heddle


def forget_overloads(app: Sphinx) -> None:
    """In what Sphinx knows of the modules where the public names are defined."""
    for name in heddle.__all__:
        module = getattr(getattr(heddle, name), "__module__", None)
        if module is not None and module.startswith("heddle."):
            analyzer = ModuleAnalyzer.for_module(module)
            analyzer.analyze()
            analyzer.overloads.clear()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", forget_overloads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
