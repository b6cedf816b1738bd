"""The one diagnostic of a refusal, for tests that assert its text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from heddle.diagnostics import CompileError, Diagnostic


def refusal(action: Callable[[], object]) -> Diagnostic:
    """Runs ``action``, which must be refused with exactly one diagnostic."""
    with pytest.raises(CompileError) as caught:
        action()
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def marked(text: str, diagnostic: Diagnostic) -> str:
    """The part of ``text`` that the diagnostic points at."""
    assert diagnostic.location is not None
    return text[diagnostic.location.start : diagnostic.location.end]
