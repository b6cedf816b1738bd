"""Graphs that stand in for those of Ye et al. 2023, whose files Heddle does not ship: as many vertices and edges, with
degrees drawn from a distribution of the same kind (docs/sources.toml X30)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Graph:
    """``parameters`` of the generator beside its shape. ``scale``: the vertices of the original for each of ours, where
    its edges are more than a machine like a visitor's holds."""

    name: str
    vertices: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    scale: int = 1

    def input(self) -> dict[str, Any]:
        """As a plan has it."""
        return {**self.parameters, "shape": [self.vertices, self.vertices], "seed": 1}


def _power(
    alpha: float, least: float, most: int, mean: float, communities: int = 1, mixing: float = 0.3
) -> dict[str, Any]:
    parameters = {"generator": "degrees-power", "alpha": alpha, "least": least, "most": most, "mean": mean}
    return {**parameters, "communities": communities, "mixing": mixing}


def _lognormal(sigma: float, most: int, mean: float, communities: int, mixing: float) -> dict[str, Any]:
    parameters = {"generator": "degrees-lognormal", "sigma": sigma, "most": most, "mean": mean}
    return {**parameters, "communities": communities, "mixing": mixing}


GRAPHS = (
    Graph("cora", 2_708, _power(2.9, 1, 168, 3.9)),
    Graph("citeseer", 3_327, _power(3.1, 1, 99, 2.74)),
    Graph("pubmed", 19_717, _power(2.4, 1, 171, 4.5)),
    Graph("arxiv", 169_343, _power(2.2, 0.6, 13_155, 6.9, 40)),
    Graph("ppi", 56_944, _lognormal(1.1, 721, 28, 24, 0)),
    Graph("proteins", 132_534 // 8, _lognormal(0.95, 7_750, 597, 8, 0.1), 8),
    Graph("reddit", 232_965 // 12, _lognormal(1.25, 9_707, 492, 50, 0.4), 12),
)
