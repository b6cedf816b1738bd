"""Programs that cannot be lowered whatever the schedule."""

from __future__ import annotations

from heddle.formats.levels.kinds import LEVEL_KINDS
from tests.errors.refusals.refused import Refused

MANY_TERMS = "y = " + " * ".join(f"(a({v}) + b({w}))" for v, w in zip("ijklmnop", "jklmnopi", strict=True))
"""Products of sums that would have to be written out."""

PROGRAMS = (
    Refused(
        "expression/too-many-terms",
        "the products of sums distribute into 256 terms, the limit is 128",
        MANY_TERMS.removeprefix("y = "),
        None,
        expression=MANY_TERMS,
        formats={},
    ),
    Refused(
        "format/temporary-assembly",
        (
            "the temporary t cannot be assembled: t is assembled in the order i→j, each coordinate once, but its "
            "coordinates come in the order i_block → j_block → i_inner → j_inner. Collect the values in a workspace "
            "first, or store t dense."
        ),
        "t",
        "Store t dense",
        expression="t(i,j) = A(i,j) * x(j); y(i) = t(i,j) * b(i)",
        formats={"A": "bcsr(2,2)", "t": "coo"},
    ),
    Refused(
        "format/sparse-result",
        (
            "level 2 of the temporary t is bitmap, which cannot be assembled. Store t with dense and compressed levels "
            "or as coo."
        ),
        "t",
        "Store t dense",
        expression="t(i,j) = A(i,j) * x(j); y(i) = t(i,j) * b(i)",
        formats={"A": "csr", "t": "dense,bitmap"},
    ),
    Refused(
        "schedule/stored-temporary",
        (
            "`inline(t)`: t is stored as csr, whole before another statement reads it, but inline would compute its "
            "values again wherever they are read. Store t dense."
        ),
        "t",
        "Store t dense",
        ("inline(t)",),
        expression="t(i,j) = A(i,j) * x(j); y(i) = t(i,j) * b(i)",
        formats={"A": "csr", "t": "csr"},
    ),
    Refused(
        "schedule/stored-temporary",
        (
            "`together(i, i2)`: t is stored as csr, whole before another statement reads it, but under one loop an "
            "iteration would read what it has just computed. Store t dense."
        ),
        "i",
        "Store t dense",
        ("together(i, i2)",),
        expression="t(i,j) = A(i,j) * x(j); y(i) = t(i,j) * b(i)",
        formats={"A": "csr", "t": "csr"},
    ),
    Refused(
        "plan/target",
        ("y holds complex128, and kernels for opencl compute with real numbers. Use the target c or interpreter."),
        "/target",
        None,
        target="opencl",
        dtypes={"A": "complex128"},
        schedule=("split(i, block, thread, 32)", "parallelize(block, GPUBlock, NoRaces)"),
    ),
    Refused(
        "format/level-not-lowered",
        (
            "level 2 of A is zeroless, for which no code can be generated yet. "
            f"Use {', '.join([*LEVEL_KINDS][:-1])} or {[*LEVEL_KINDS][-1]} levels."
        ),
        "A",
        "Store A dense",
        formats={"A": "dense, zeroless"},
    ),
    Refused(
        "format/tiled-result",
        (
            "the result C is stored as tiles without a compressed level, which cannot be assembled. Store C dense, and "
            "convert it afterwards."
        ),
        "C",
        "Store C dense",
        expression="C(i,j) = A(i,j)",
        formats={"C": "dense, dense, dense(2), dense(2)"},
    ),
    Refused(
        "format/misplaced-level",
        (
            "level 2 of A cannot be compressed(2): a level with a size is dense, compressed, singleton, padded or "
            "bitmap and stores the coordinates inside the blocks that a level above it stores."
        ),
        "A",
        "Store A dense",
        formats={"A": "dense, compressed(2), dense : 0,1,1"},
    ),
    Refused(
        "format/misplaced-level",
        (
            "level 1 of A cannot be offset: an offset level holds the diagonals of a matrix, under a dense level for "
            "its rows."
        ),
        "A",
        "Store A dense",
        formats={"A": "offset, dense"},
    ),
    Refused(
        "format/misplaced-level",
        (
            "level 1 of A cannot be singleton: a singleton level holds one coordinate for each parent position, and "
            "there is no level above it."
        ),
        "A",
        "Store A dense",
        formats={"A": "singleton, dense"},
    ),
    Refused(
        "format/misplaced-level",
        (
            "level 1 of A cannot be dense(nonunique): only compressed and singleton levels can be unordered or "
            "nonunique."
        ),
        "A",
        "Store A dense",
        formats={"A": "dense(nonunique), compressed"},
    ),
    Refused(
        "format/misplaced-level",
        (
            "level 2 of A cannot be dense: the coordinates of the level above it repeat, so this level has to store "
            "one coordinate for each of them."
        ),
        "A",
        "Store A dense",
        formats={"A": "compressed(nonunique), dense"},
    ),
    Refused(
        "format/unordered",
        (
            "level 2 of A is unordered, so it cannot be merged with x at j: it can only be visited alone, from one "
            "end to the other. Sort A by storing it as csr."
        ),
        "A",
        "Store A as csr",
        formats={"A": "dense, compressed(unordered)", "x": "sparse"},
    ),
    Refused(
        "format/unordered",
        (
            "level 2 of A is unordered, so it cannot be searched for i: it can only be visited alone, from one end "
            "to the other. Sort A by storing it as csr."
        ),
        "A",
        "Store A as csr",
        expression="y(i) = A(i,i)",
        formats={"A": "dense, compressed(unordered)"},
    ),
    Refused(
        "format/sparse-result",
        (
            "level 1 of the result y is compressed(nonunique), which cannot be assembled. Store y with dense and "
            "compressed levels or as coo, and convert it afterwards."
        ),
        "y",
        "Store y dense",
        formats={"A": "csr", "y": "compressed(nonunique)"},
    ),
    Refused(
        "format/fill",
        "A has the dtype int32, which cannot hold its fill inf.",
        "A",
        None,
        dtypes={"A": "int32"},
        fills={"A": float("inf")},
    ),
    Refused(
        "format/fill-of-result",
        "where nothing is computed the result d is inf, so that its fill cannot be 1.",
        "d",
        None,
        expression="d(i) = min(j, A(i,j) + x(j))",
        formats={"A": "csr", "d": "sparse"},
        fills={"A": float("inf"), "d": 1},
    ),
    Refused(
        "format/fill-of-result",
        "where nothing is computed the result y is 0, so that its fill cannot be 1.",
        "y",
        None,
        expression="y(i) = x(i)",
        formats={"x": "sparse", "y": "sparse"},
        fills={"y": 1},
    ),
    Refused(
        "expression/accumulate",
        (
            "+= combines with what y already holds, but y is stored with compressed levels, where new entries have "
            "no place. Store y dense, or assign with =."
        ),
        "+=",
        "Store y dense",
        expression="y(i)+=A(i,j)*x(j)",
        formats={"A": "csr", "y": "sparse"},
    ),
    Refused(
        "format/lossy-dtype",
        "|= gives truth values, but y has the dtype int32. Give y the dtype bool.",
        "y",
        None,
        expression="y(i) |= A(i,j) * x(j)",
        dtypes={"y": "int32"},
    ),
    Refused(
        "expression/operand-dtype",
        (
            "-x(i) subtracts truth values, which cannot be subtracted or negated. Compare them with !=, or store "
            "them as integers."
        ),
        "-x(i)",
        None,
        expression="y(i) = -x(i)",
        formats={},
        dtypes={"x": "bool"},
    ),
    Refused(
        "expression/operand-dtype",
        (
            "x(i) - z(i) subtracts truth values, which cannot be subtracted or negated. Compare them with !=, or "
            "store them as integers."
        ),
        "x(i) - z(i)",
        None,
        expression="y(i) = x(i) - z(i)",
        formats={},
        dtypes={"x": "bool", "z": "bool"},
    ),
    Refused(
        "expression/operand-dtype",
        "< compares real numbers, but in x(i) < 1 it meets complex64. Use abs(…), or real operands.",
        "x(i) < 1",
        None,
        expression="y(i) = x(i) < 1",
        formats={},
        dtypes={"x": "complex64"},
    ),
    Refused(
        "expression/operand-dtype",
        "floor takes real numbers, but in floor(x(i)) it meets complex128. Use abs(…), or real operands.",
        "floor(x(i))",
        None,
        expression="y(i) = floor(x(i))",
        formats={},
        dtypes={"x": "complex128"},
    ),
    Refused(
        "expression/operand-dtype",
        "max takes real numbers, but in max(i, x(i)) it meets complex128. Use abs(…), or real operands.",
        "max(i, x(i))",
        None,
        expression="y = max(i, x(i))",
        formats={},
        dtypes={"x": "complex128"},
    ),
    Refused(
        "expression/operand-dtype",
        "max takes real numbers, but y is declared as complex128. Give y a real dtype.",
        "max(i, x(i))",
        None,
        expression="y = max(i, x(i))",
        formats={},
        dtypes={"y": "complex128"},
    ),
    Refused(
        "expression/literal-range",
        (
            "300 meets uint8, which holds the integers from 0 to 255. Use an operand of a wider dtype, or write 300.0 "
            "to compute in floating point."
        ),
        "300",
        None,
        expression="y(i) = x(i) + 300",
        formats={},
        dtypes={"x": "uint8"},
    ),
    Refused(
        "expression/literal-range",
        (
            "-1 meets uint8, which holds the integers from 0 to 255. Use an operand of a wider dtype, or write -1.0 "
            "to compute in floating point."
        ),
        "-1",
        None,
        expression="y(i) = x(i) * -1",
        formats={},
        dtypes={"x": "uint8"},
    ),
    Refused(
        "format/lossy-dtype",
        (
            "the expression computes float64 values, which y of dtype int64 cannot hold without loss. Give y the "
            "dtype float64."
        ),
        "y",
        None,
        dtypes={"y": "int64"},
    ),
    Refused(
        "format/conflicting-orders",
        (
            "No loop order follows every tensor's storage order: A is stored i→j and B is stored j→i. Convert one"
            " of them so that both are stored in the same order."
        ),
        "B",
        "Store B as csr",
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "csr", "B": "csc"},
    ),
    Refused(
        "format/conflicting-orders",
        (
            "No loop order follows every tensor's storage order: A is stored i→j and A is stored j→i. Convert one"
            " of them so that both are stored in the same order."
        ),
        "A",
        None,
        expression="C(i,j) = A(i,j) * A(j,i)",
    ),
    Refused(
        "expression/lattice-too-large",
        (
            "Merging this many sparse operands at one variable needs more than 64 cases. Compute a part of the "
            "expression into a tensor of its own first, or store some operands dense."
        ),
        "max(max(max(max(max(max(a0(i), a1(i)), a2(i)), a3(i)), a4(i)), a5(i)), a6(i))",
        None,
        expression="y(i) = max(max(max(max(max(max(a0(i), a1(i)), a2(i)), a3(i)), a4(i)), a5(i)), a6(i))",
        formats={
            "a0": "sparse",
            "a1": "sparse",
            "a2": "sparse",
            "a3": "sparse",
            "a4": "sparse",
            "a5": "sparse",
            "a6": "sparse",
        },
    ),
)
