"""The one table of schedule commands: it drives the parser, the form, the completion, the API and the reference."""

from __future__ import annotations

from heddle.schedule.command import CommandSpec
from heddle.schedule.primitives import (
    apart,
    assemble,
    balance,
    bound,
    concat,
    coord,
    divide,
    fuse,
    inline,
    mergeby,
    parallelize,
    pos,
    precompute,
    prefetch,
    reorder,
    share,
    split,
    together,
    unroll,
)

COMMANDS: dict[str, CommandSpec] = {
    module.SPEC.name: module.SPEC
    for module in (
        split,
        divide,
        balance,
        fuse,
        reorder,
        pos,
        coord,
        bound,
        precompute,
        assemble,
        unroll,
        mergeby,
        prefetch,
        share,
        concat,
        inline,
        together,
        apart,
        parallelize,
    )
}
