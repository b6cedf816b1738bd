"""Problems of a lesson, each with its line, and YAML whose values know their lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

MAX_DEPTH = 12


class LessonError(Exception):
    """``problems`` has for each the line in the file (1-based) and what is wrong, expected and found."""

    def __init__(self, *problems: tuple[int, str]) -> None:
        assert problems
        self.problems = list(problems)
        super().__init__("\n".join(f"line {line}: {text}" for line, text in problems))


@dataclass(frozen=True, slots=True)
class Placed:
    """A YAML document: its ``value``, and the line of each part of it by the path that leads there."""

    value: Any
    lines: dict[tuple[str | int, ...], int] = field(default_factory=dict)

    def line(self, *path: str | int) -> int:
        """Of the part at ``path``, or of the closest part around it that is there."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_yaml(text: str, first_line: int) -> Placed:
    """Plain YAML: maps with texts as keys, lists, texts, numbers and truth values. No anchors, tags or merges.

    ``first_line`` is where the text begins in its file. Raises LessonError.
    """
    loader = yaml.SafeLoader(text)
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
                line = first_line + event.start_mark.line
                raise LessonError((line, "anchors and aliases (& and *) are not read here: write the value again"))
        node = loader.get_single_node()
        lines: dict[tuple[str | int, ...], int] = {}
        value = None if node is None else _value(loader, node, (), lines, first_line)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        line = first_line + (mark.line if mark is not None else 0)
        problem = getattr(error, "problem", None) or str(error)
        raise LessonError((line, f"this is not YAML: {problem}. A text with punctuation stands in quotes")) from None
    except RecursionError:
        raise LessonError((first_line, "this is nested too deeply")) from None
    return Placed(value, lines)


def _value(
    loader: yaml.SafeLoader, node: yaml.Node, path: tuple[str | int, ...], lines: dict[Any, int], first: int
) -> Any:
    line = lines[path] = first + node.start_mark.line
    if len(path) > MAX_DEPTH:
        raise LessonError((line, f"this is nested more than {MAX_DEPTH} deep"))
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key, inner in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else None
            if name is None:
                raise LessonError((first + key.start_mark.line, "a key must be a word"))
            if name in mapping:
                raise LessonError((first + key.start_mark.line, f"{name} stands here twice"))
            mapping[name] = _value(loader, inner, (*path, name), lines, first)
        return mapping
    if isinstance(node, yaml.SequenceNode):
        return [_value(loader, inner, (*path, place), lines, first) for place, inner in enumerate(node.value)]
    if not node.tag.startswith("tag:yaml.org,2002:") or node.tag.endswith(("timestamp", "binary")):
        return node.value
    return loader.construct_object(node)
