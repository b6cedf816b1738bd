"""The words for levels: the names of the long form and TACO's letters."""

from __future__ import annotations

from compiler.formats.format import Level

KINDS = {
    "dense": "every coordinate of the dimension",
    "compressed": "the stored coordinates of each parent, as a segment of crd between two entries of pos",
    "singleton": "one coordinate for each parent position",
    "padded": "the same number of slots for each parent; unused slots hold the size of the dimension",
    "offset": "the diagonals of a matrix: below each row one slot for every stored distance of column and row",
    "slots": "how many slots each parent has; what lies in them is said by the level below of the same dimension",
    "optional": "one place for each parent position, which holds one coordinate or none",
    "runs": "optional, and for each slot the first column of a block of rows whose columns follow one another",
    "diagonals": "one slot for each stored diagonal, the same for every parent; a shifted level below has the columns",
    "shifted": "the column of a row on a diagonal: the row plus the diagonal's offset",
    "sorted": "blocks of places for rows, which are sorted by their number of entries within windows of so many; "
    "rows has the row at each place",
    "bitmap": "every coordinate of the dimension, with a mask of those that are stored",
    "hashed": "a hash table of the stored coordinates for each parent",
    "zeroless": "the stored coordinates of each parent, with no stored zeros",
}
"""Name of each level kind and what it stores. Which of them can be lowered is the lowering's to say."""

LETTERS = {
    "d": Level("dense"),
    "s": Level("compressed"),
    "u": Level("compressed", unique=False),
    "q": Level("singleton"),
    "c": Level("singleton", unique=False),
    "p": Level("padded"),
    "z": Level("zeroless"),
}
"""TACO's command line letters."""

FLAGS = {
    "unique": ("unique", True),
    "nonunique": ("unique", False),
    "ordered": ("ordered", True),
    "unordered": ("ordered", False),
}
"""Words in the parentheses behind a level, and the property each sets."""
