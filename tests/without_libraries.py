"""Run as a program: what needs no machine runs in a Python without SciPy, pydantic, ctypes and subprocess, as that of a
browser may be. With ``forbid`` as its argument it makes itself one. Prints a line for each answer."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np

FORBIDDEN = frozenset({"_ctypes", "ctypes", "pydantic", "scipy", "subprocess"})

TIMES = re.compile(rb'"milliseconds":[\d.e-]+')
"""What differs from one answer to the next."""

PLANS: Mapping[str, Mapping[str, Any]] = {
    "product": {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}},
    "split": {
        "expression": "y(i) = A(i,j) * x(j)",
        "tensors": {"A": {"format": "csr"}},
        "schedule": ["split(i, i0, i1, 2)", "parallelize(i0, CPUThread, NoRaces)"],
    },
    "matrices": {
        "expression": "C(i,j) = A(i,k) * B(k,j)",
        "tensors": {name: {"format": "csr"} for name in "ABC"},
    },
    "parts": {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "hyb(1,2)"}}},
    "sum": {"expression": "C(i,j) = A(i,j) + B(i,j)", "tensors": {name: {"format": "csr"} for name in "ABC"}},
    "comprehension": {
        "language": "comprehension",
        "expression": "def mv(float(M,K) A, float(K) x) -> (C) { C(i) +=! A(i,k) * x(k) }",
    },
    "patterns": {"language": "patterns", "expression": "map2[row; A, x; dot(row, x)]"},
    "wrong": {"expression": "y(i) = A(i,j) * x(j", "tensors": {"A": {"format": "csr"}}},
    "threads": {"expression": "y(i) = A(i,j) * x(j)", "target": "cuda", "tensors": {"A": {"format": "csr"}}},
}
"""One of each kind of program that the page shows."""

ENTRIES = {"tensor": "A", "order": 2, "dtype": "float64", "input": None, "format": "csr", "workers": 2}


class _Forbidding(MetaPathFinder):
    """Refuses to find what is forbidden."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in FORBIDDEN:
            raise ImportError(f"{fullname} is forbidden here")
        return None


def forbid() -> None:
    """From here on nothing forbidden is imported. NumPy brings ctypes along where there is one, and does without."""
    for name in [name for name in sys.modules if name.partition(".")[0] in FORBIDDEN]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Forbidding())


def answers() -> Mapping[str, Callable[[dict[str, Any]], object]]:
    """What the page asks of a plan, by name."""
    import heddle as hd
    from heddle_server.services.compiling import (
        account_worker,
        bridge_worker,
        compile_worker,
        explanation_worker,
        suggestion_worker,
    )

    return {
        "lower": lambda plan: hd.lower(plan).source,
        "compile": lambda plan: TIMES.sub(b"", compile_worker.compile_answer(plan).plain()),
        "legal": compile_worker.legal_document,
        "trace": lambda plan: compile_worker.trace_document(plan, {}),
        "account": account_worker.account_document,
        "explanation": lambda plan: explanation_worker.explanation_document(plan, None, None, {}),
        "bridge": bridge_worker.bridge_document,
        "suggestion": lambda plan: suggestion_worker.suggestion_document(plan, {}),
    }


def pictures() -> Mapping[str, Callable[[], object]]:
    """What the page draws of a tensor, by name."""
    from heddle_server.services.compiling import composition_worker, preview_worker, storage_worker, tiles_worker

    cut = ENTRIES | {"cut": "coordinate", "dimension": 0, "size": 2}
    return {
        "storage": lambda: storage_worker.storage_document(ENTRIES, None),
        "composition": lambda: composition_worker.composition_document(ENTRIES | {"format": "hyb(1,2)"}, None),
        "preview": lambda: preview_worker.preview_document(ENTRIES, None),
        "tiles": lambda: tiles_worker.tiles_document(cut, None),
    }


def lesson_answer(path: str) -> str:
    """What a folder without a server answers."""
    from heddle_server.static.answers import answer

    status, text = answer("GET", path, None)
    assert status == 200, text
    return text


def interpret() -> None:
    """Kernels of the checked interpreter, on dense arrays."""
    import heddle as hd

    matrix, vector = np.arange(12.0).reshape(3, 4) % 5, np.arange(4.0)
    for format in ("csr", "csc", "coo", "dcsr", "bcsr(2,2)", "ell", "dia", "hyb(1,2)", "sell(2)"):
        kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": format}, target="interpreter")
        assert np.array_equal(kernel(A=matrix, x=vector).to_numpy(), matrix @ vector)
    product = hd.compile("C(i,j) = A(i,k) * B(k,j)", formats=dict.fromkeys("ABC", "csr"), target="interpreter")
    assert np.array_equal(product(A=matrix, B=matrix.T).to_numpy(), matrix @ matrix.T)


def main(forbidding: bool) -> None:
    if forbidding:
        forbid()
    interpret()
    for name, ask in answers().items():
        for program, plan in PLANS.items():
            show(f"{name} of {program}", ask({"version": 2, **plan}))
    for name, draw in pictures().items():
        show(name, draw())
    for path in ("/lessons", "/lessons/what-a-format-stores?seed=3"):
        show(path, lesson_answer(path))
    assert not forbidding or not FORBIDDEN & {name.partition(".")[0] for name in sys.modules}


def show(name: str, answer: object) -> None:
    """A line that differs where the answer does."""
    text = answer if isinstance(answer, bytes) else repr(answer).encode()
    print(name, hashlib.sha256(text).hexdigest())


if __name__ == "__main__":
    main(sys.argv[1:] == ["forbid"])
