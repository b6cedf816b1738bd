"""The levels of a packed tensor as axes, in Heddle's words and in those of SparseTIR (docs/sources.toml V10)."""

from __future__ import annotations

from collections.abc import Callable

from heddle.explorer.views.composition.composition_schema import AxisArrayView, AxisNodesView, AxisView
from heddle.explorer.views.storage.storage_footprints import array_name
from heddle.explorer.views.storage.storage_tree import Tree, coordinate_tree, level_readers
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.printer import level_text
from heddle.runtime.tensors.tensor import Tensor

Children = Callable[[int, int], tuple[int, int]]

MAX_NODES = 4096


def axes_of(name: str, packed: Tensor, shown: bool) -> list[AxisView]:
    """One for each level; ``name`` is the tensor's in the kernel. ``shown``: with the positions that hold something."""
    tree = coordinate_tree(packed, MAX_NODES, MAX_NODES) if shown else None
    readers = level_readers(packed)
    sizes = packed.format.level_sizes(packed.shape)
    axes = []
    positions = 1
    for number, (level, reader) in enumerate(zip(packed.format.levels, readers, strict=True)):
        positions = reader.children(0, positions)[1]
        axes.append(
            AxisView(
                kind=level_text(level),
                axis=LEVEL_KINDS[level.kind].axis,
                parent=number - 1,
                dimension=packed.format.order[number],
                length=sizes[number],
                positions=positions,
                ordered=level.ordered,
                unique=level.unique,
                arrays=_arrays(name, packed, number + 1),
                start=reader.start,
                nodes=None if tree is None or not tree.whole else _nodes(tree, number, reader.children),
            )
        )
    return axes


def _arrays(name: str, packed: Tensor, number: int) -> list[AxisArrayView]:
    return [
        AxisArrayView(
            name=array_name(name, role, level),
            role=role,
            dtype=array.dtype.name,
            size=int(array.size),
            bytes=array.nbytes,
            least=int(array.min()) if array.size else None,
            most=int(array.max()) if array.size else None,
        )
        for (role, level), array in packed.arrays().items()
        if level == number
    ]


def _nodes(tree: Tree, number: int, children: Children) -> AxisNodesView:
    nodes = tree.levels[number]
    starts = {node.parent: children(node.parent, node.parent + 1)[0] for node in nodes}
    return AxisNodesView(
        positions=[node.position for node in nodes],
        parents=[node.parent for node in nodes],
        coordinates=[node.coordinate for node in nodes],
        starts=[starts[node.parent] for node in nodes],
    )
