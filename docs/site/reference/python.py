"""The Python package: a page for each public module, which Sphinx fills from signatures and docstrings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module

import heddle

MODULES = (
    "heddle",
    "heddle.diagnostics",
    "heddle.plan",
    "heddle.targets",
    "heddle.frontends.table",
    "heddle.library.benchmarks.records",
    "heddle.library.benchmarks.sweep_result",
    "heddle.library.cache",
    "heddle.schedule.legal",
    "heddle.runtime.kernels.bound_call",
    "heddle.runtime.patterns.kernel",
    "heddle.tuning.search.automatic",
    "heddle.tuning.search.suggest",
    "heddle.tuning.rules.gpu.mttkrp",
    "heddle.algorithms.state",
    "heddle.algorithms.follow",
    "heddle.algorithms.trees.offers",
)
"""Those that a person imports from, or whose objects come back from a call."""

HEAD = """# Python

The *package* is called `heddle`, and `import heddle as hd` has what most programs need. The other modules have what its
functions take and give. Names that are not here may change with any release. `help(hd.pack)` shows the same text.

```{toctree}
:maxdepth: 2

"""


def index() -> str:
    return "\n".join((HEAD + "\n".join(f"python/{name}" for name in MODULES), "```", ""))


def page(module: str) -> str:
    """What ``heddle`` exports as well is described there."""
    left_out = () if module == "heddle" else sorted(set(import_module(module).__all__) & set(heddle.__all__))
    options = ["   :members:", *([f"   :exclude-members: {', '.join(left_out)}"] if left_out else [])]
    also = (
        f"\nOn [the page of `heddle`](heddle.md): {', '.join(f'`{name}`' for name in left_out)}.\n" if left_out else ""
    )
    directive = "\n".join((f".. automodule:: {module}", *options))
    return f"# {module}\n{also}\n```{{eval-rst}}\n{directive}\n```\n"


PYTHON: Mapping[str, Callable[[], str]] = {
    "reference/python.md": index,
    **{f"reference/python/{name}.md": partial(page, name) for name in MODULES},
}
