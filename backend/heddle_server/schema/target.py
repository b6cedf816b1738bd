"""What kernels can be made for, and what expressions can be written in."""

from __future__ import annotations

from typing_extensions import TypedDict

from heddle.targets import CodeLanguageName, TargetName


class CodeLanguageView(TypedDict):
    """``file`` is what a file of such text is called, ``fence`` the language that highlights it in Markdown."""

    name: CodeLanguageName
    title: str
    file: str
    fence: str


class TargetView(TypedDict):
    """``language`` is null where the loops themselves are run. ``units`` are the parallel units that loops can have;
    ``needs`` says what not every machine has."""

    name: TargetName
    title: str
    language: CodeLanguageView | None
    units: list[str]
    needs: str | None
    features: list[str]


class LanguageView(TypedDict):
    """``name`` is a plan's ``language``, ``editor`` the mode of an editor for its texts."""

    name: str
    title: str
    example: str
    editor: str
