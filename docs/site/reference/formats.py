"""The named formats and the level kinds."""

from __future__ import annotations

from docs.site.reference.tables import table
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.presets import PRESETS, Preset
from heddle.formats.printer import level_text
from heddle.formats.vocabulary import FLAGS, LETTERS

HEAD = """# Formats

A *format* says how the levels of a tensor are stored, and which dimension each stores. A tensor without one is dense.
It is written in one of three ways.

- A name of the first table below: `csr`, or with numbers of your own `bcsr(8,2)`.
- The long form, a level kind for each level: `dense, compressed`. An order of the dimensions stands after a colon:
  `dense, compressed : 1,0` is CSC. A number makes a level that of a block: `dense(4)`.
- TACO's letters, one for each level: `ds`, `ss:1,0`.

A sum of sub-formats stores each entry in the first one whose tests it passes, as
`bcsr(4,4) where tile(4,4) >= 8 + csr`.
"""
LEVELS = """## Level kinds

A *level kind* is a way to store one dimension below the positions of the level above it. *Arrays* are what it keeps.
"""
PROPERTIES = """## Properties

Properties stand in parentheses after a kind, as in `compressed(nonunique)`.
"""
MEANINGS = {
    "nonunique": "a coordinate may occur several times under one position",
    "unique": "each coordinate occurs once under a position; so without a word",
    "ordered": "coordinates ascend; so without a word",
    "even": "of `parts(n)`: ranges with about equally many entries, instead of equally many coordinates",
    "unordered": "coordinates need not ascend; the level is iterated alone, from beginning to end",
}


def formats() -> str:
    presets = (
        (f"`{each.name}`", "any" if each.order is None else str(each.order), long_form(each), each.summary)
        for each in PRESETS
    )
    letters = {level_text(level): letter for letter, level in LETTERS.items()}
    kinds = (
        (f"`{kind.name}`", f"`{letters[name]}`" if name in letters else "", arrays(kind.arrays), kind.summary)
        for name, kind in LEVEL_KINDS.items()
    )
    return "\n".join(
        (
            HEAD,
            "## Named formats\n",
            *table(("name", "dimensions", "levels", "what it stores"), presets),
            LEVELS,
            *table(("kind", "letter", "arrays", "what it stores"), kinds),
            PROPERTIES,
            *table(("property", "meaning"), ((f"`{flag}`", MEANINGS[flag]) for flag in sorted(FLAGS))),
        )
    )


def arrays(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def long_form(preset: Preset) -> str:
    levels = ", ".join(map(level_text, preset.levels))
    natural = preset.dimensions in ((), tuple(range(len(preset.levels))))
    return f"`{levels}`" if natural else f"`{levels} : {','.join(map(str, preset.dimensions))}`"
