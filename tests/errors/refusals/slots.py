"""Matrices in slots, where their columns would have to come in order, or where no sum may be taken."""

from __future__ import annotations

from tests.errors.refusals.refused import Refused

SLOTS = (
    Refused(
        "format/slots-inside",
        (
            "A (sell(8)) has its columns in slots, in an order that a loop over j cannot follow, but j is also the "
            "loop over what A is added to. Store A as csr."
        ),
        "A",
        "Store A as csr",
        expression="C(i,j) = A(i,j) + B(i,j)",
        formats={"A": "sell(8)", "B": "csr"},
    ),
    Refused(
        "format/slots-not-summed",
        (
            "A (dia(8)) is read slot by slot and summed, which is right only where A(i,j) is a factor or a term of "
            "what is summed; here max= combines what is not a sum. Store A as csr."
        ),
        "A",
        "Store A as csr",
        expression="y(i) max= A(i,j)",
        formats={"A": "dia(8)"},
    ),
    Refused(
        "format/slots-not-summed",
        (
            "A (sell(8)) is read slot by slot and summed, which is right only where A(i,j) is a factor or a term "
            "of what is summed; here sqrt(A(i,j)) is not linear in it. Store A as csr."
        ),
        "A",
        "Store A as csr",
        expression="y(i) = sqrt(A(i,j)) * x(j)",
        formats={"A": "sell(8)"},
    ),
    Refused(
        "format/slots-not-summed",
        (
            "A (sell(8)) is read slot by slot and summed, which is right only where A(i,j) is a factor or a term "
            "of what is summed; here A(i,j) / x(j) divides by what may be zero. Store A as csr."
        ),
        "A",
        "Store A as csr",
        expression="y(i) = A(i,j) / x(j)",
        formats={"A": "sell(8)"},
    ),
    Refused(
        "format/slots-not-summed",
        (
            "A (sell(8)) is read slot by slot and summed, which is right only where A(i,j) is a factor or a term "
            "of what is summed; here it is multiplied with itself. Store A as csr."
        ),
        "A",
        "Store A as csr",
        expression="y(i) = A(i,j) * A(i,j) * x(j)",
        formats={"A": "sell(8)"},
    ),
    Refused(
        "format/slots-not-summed",
        (
            "A (sell(8)) is read slot by slot and summed, which is right only where A(i,i) is a factor or a term "
            "of what is summed; here its diagonal is read, which no slot has on its own. Store A as csr."
        ),
        "A",
        "Store A as csr",
        expression="y(i) = A(i,i) * x(i)",
        formats={"A": "sell(8)"},
    ),
    Refused(
        "format/slots-not-summed",
        (
            "A (sell(8)) is read slot by slot and summed, which is right only where A(i,j) is a factor or a term "
            "of what is summed; here its fill is 2. Store A as csr."
        ),
        "A",
        "Store A as csr",
        formats={"A": "sell(8)"},
        fills={"A": 2},
    ),
    Refused(
        "format/misplaced-level",
        (
            "level 2 of A cannot be slots: slots and optional levels store a matrix together: the slots of a block of "
            "rows, the rows inside the block, and the column in each place."
        ),
        "A",
        "Store A dense",
        formats={"A": "dense, slots, compressed"},
    ),
    Refused(
        "format/misplaced-level",
        ("level 1 of A cannot be sorted(60): rows are sorted within windows of whole slices, and a slice has 8 rows."),
        "A",
        "Use sell(8,64) for A",
        formats={"A": "sell(8,60)"},
    ),
    Refused(
        "format/misplaced-level",
        "level 1 of A cannot be sorted(64): it sorts the rows of sliced ELL.",
        "A",
        "Store A dense",
        formats={"A": "sorted(64), compressed"},
    ),
    Refused(
        "format/sorted-rows",
        (
            "A (sell(8,64)) has its rows sorted by their number of entries, so a loop visits i in no particular "
            "order, but B (sell(8)) needs i in order. Store A as csr."
        ),
        "A",
        "Store A as csr",
        expression="y(i) = A(i,j) * B(i,k) * x(j) * z(k)",
        formats={"A": "sell(8,64)", "B": "sell(8)"},
    ),
    Refused(
        "format/sorted-rows",
        (
            "A (sorted(8), slots, dense(4), optional : 1,0,1,0) has its columns sorted by their number of entries, "
            "so a loop visits j in no particular order, but y (sparse) needs j in order. Store A as csr."
        ),
        "A",
        "Store A as csr",
        expression="y(j) = A(i,j) * x(i)",
        formats={"A": "sorted(8), slots, dense(4), optional : 1,0,1,0", "y": "sparse"},
    ),
    Refused(
        "schedule/not-a-loop",
        (
            "`split(i, i0, i1, 4)`: i is no longer a loop: the format of A stores it by i_block and i_inner. "
            "Available: i_block, j_slot, i_inner, j."
        ),
        "i",
        "Write split(i_block, i0, i1, 4)",
        schedule=("split(i, i0, i1, 4)",),
        formats={"A": "sell(8,64)"},
    ),
    Refused(
        "schedule/pos-of-slots",
        (
            "`pos(j_slot, p, A)`: A is stored in slots (sell(8)), which the loop over j_slot already visits by "
            "position; a place in a slot holds one coordinate or none. Split j_slot instead, or store A as csr."
        ),
        "A",
        "Remove pos(j_slot, p, A)",
        schedule=("pos(j_slot, p, A)",),
        formats={"A": "sell(8)"},
    ),
)
