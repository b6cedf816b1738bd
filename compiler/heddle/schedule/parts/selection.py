"""Which parts of a tensor a command is for: ``A[*]``, ``A[ell4, csr]``, ``A[0..2]``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from heddle.diagnostics import nearest
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.signature import PartSignature

_SELECTION = re.compile(r"\s*([A-Za-z_]\w*)\s*\[([^\[\]]*)\]\s*")
_RANGE = re.compile(r"(\d{1,4})\s*\.\.\s*(\d{1,4})")
_ITEM = re.compile(r"\*|[A-Za-z_]\w*|\d{1,4}|\d{1,4}\s*\.\.\s*\d{1,4}")


@dataclass(frozen=True, slots=True)
class Selection:
    """``items`` are ``*``, names, numbers and ranges of numbers of the parts of ``tensor``."""

    tensor: str
    items: tuple[str, ...]

    @staticmethod
    def parse(text: str) -> Selection | None:
        """None where ``text`` spells no selection."""
        match = _SELECTION.fullmatch(text)
        if match is None:
            return None
        items = tuple(item.strip() for item in match.group(2).split(","))
        return Selection(match.group(1), items) if all(map(_ITEM.fullmatch, items)) else None

    @property
    def text(self) -> str:
        return f"{self.tensor}[{', '.join(self.items)}]"

    def of(self, graph: IterationGraph) -> list[tuple[int, PartSignature]]:
        """The parts with their numbers, in the order of the format.

        Raises
        ------
        Refusal
            ``schedule/no-parts``, ``schedule/unknown-part``.
        """
        summed = graph.signature.sum
        if summed is None or summed.tensor != self.tensor:
            known = "" if summed is None else f" Only {summed.tensor} is."
            raise Refusal(
                "schedule/no-parts",
                f"{self.tensor} is not stored as a sum of parts.{known}",
                argument="parts",
                expected="a tensor that is a sum of parts",
                actual=self.tensor,
                candidates=() if summed is None else (f"{summed.tensor}[*]",),
                replacement=None if summed is None else f"{summed.tensor}[*]",
            )
        names = [part.name for part in summed.parts]
        chosen = {number for item in self.items for number in self._numbers(item, names)}
        return [(number, summed.parts[number]) for number in sorted(chosen)]

    def _numbers(self, item: str, names: list[str]) -> range:
        if item == "*":
            return range(len(names))
        if item in names:
            return range(names.index(item), names.index(item) + 1)
        between = _RANGE.fullmatch(item)
        first, last = (int(between.group(1)), int(between.group(2))) if between else (0, -1)
        if item.isdigit():
            first = last = int(item)
        if first <= last < len(names):
            return range(first, last + 1)
        close = nearest(item, names)
        raise Refusal(
            "schedule/unknown-part",
            f"{self.tensor} has no part {item}. Its parts are {', '.join(names)}, with the numbers 0 to "
            f"{len(names) - 1}.",
            argument="parts",
            expected=f"parts of {self.tensor}",
            actual=item,
            candidates=tuple(f"{self.tensor}[{name}]" for name in close or names),
            replacement=f"{self.tensor}[{close[0]}]" if close else f"{self.tensor}[*]",
        )
