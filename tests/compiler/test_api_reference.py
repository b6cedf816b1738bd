"""What is public is listed and described, which is what the pages of the Python reference show."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from importlib import import_module

import pytest

import heddle as hd
from docs.site.reference.python import MODULES

PUBLIC = {name for module in MODULES for name in import_module(module).__all__}
NO_CLASS = {"Any", "Array", "Callable", "Iterator", "Literal", "Mapping", "None", "PathLike", "Sequence"}
"""Names in annotations that are not Heddle's."""

PASSED_ON = {"Algorithm", "Fill", "Format", "IterationGraph", "Watch"}
"""What people hand from one call to the next, or spell as a number, a text or a function."""


@pytest.mark.parametrize("module", MODULES)
def test_public_names_exist_and_are_described(module: str) -> None:
    names = import_module(module).__all__
    assert len(names) == len(set(names)) > 0
    for name in names:
        value = getattr(import_module(module), name)
        if isinstance(value, type) or callable(value):
            inherited = Enum.__doc__ if isinstance(value, type) and issubclass(value, Enum) else None
            assert value.__doc__ not in {None, inherited}
            assert not str(value.__doc__).startswith((f"{name}(", "Enum where")), f"{name} has no text of its own"


def test_what_a_public_function_takes_and_gives_is_public() -> None:
    for name in hd.__all__:
        value = getattr(hd, name)
        if inspect.isfunction(value):
            mentioned = set(re.findall(r"\b[A-Z]\w+", " ".join(map(str, value.__annotations__.values()))))
            assert mentioned - PUBLIC - NO_CLASS - PASSED_ON == set(), name
