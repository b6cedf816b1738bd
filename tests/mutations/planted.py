"""Mistakes to plant in the compiler, each of a kind that a suite must notice.

``text`` stands once in the compiler, wherever refactoring has moved it; ``mistake`` takes its place.
"""

from __future__ import annotations

from tests.mutations.mutation import Mutation

FOLDER = "tests/differential"
MERGES = tuple(
    f"{FOLDER}/formats/test_formats.py::test_all_dense_and_compressed_combinations[{case}]"
    for case in ("spmv and spmspv ss-s", "spmv and spmspv ss-d", "spmv and spmspv ds-d", "addition ds-ds")
)
SCHEDULES = (
    *(f"{FOLDER}/schedules/test_{name}.py" for name in ("appendix", "coordinates")),
    f"{FOLDER}/results/test_precompute.py::test_matrix_times_matrix",
    *(f"{FOLDER}/results/test_{name}.py" for name in ("precompute", "segments")),
)
MATRICES = ("tests/compiler/runtime/tensors/test_compressed_matrix.py",)
KINDS = "tests/compiler/runtime/tensors/test_operand_kinds.py"
COORDINATES = "tests/compiler/runtime/packing/test_coordinates.py"
PACKED = "tests/compiler/runtime/packing/test_pack.py::test_every_kind_gives_back_what_was_packed"
MISTAKES = (
    "tests/errors/compositions/test_composition_mistakes.py::"
    "test_a_mistake_says_what_was_expected_what_was_found_and_what_to_do"
)

PLANTED = (
    Mutation(
        "merge loops end one entry early",
        'conditions = [build.compare("<", Var(iterator.name), ends[iterator.access])',
        'conditions = [build.compare("<", Var(iterator.name), build.sub(ends[iterator.access], build.index(1)))',
        MERGES,
    ),
    Mutation(
        "merge loops go on while any operand has entries",
        "While(build.both(*conditions), loop_body,",
        "While(conditions[0], loop_body,",
        MERGES,
    ),
    Mutation(
        "a split of a range of unknown length has no guard",
        "if lower is None or upper is None or lower % self.size or upper % self.size:",
        "if lower is not None and upper is not None and (lower % self.size or upper % self.size):",
        SCHEDULES,
    ),
    Mutation(
        "a split leaves out its last, shorter tile",
        "Range(build.floor_divide(whole.lower, size), build.ceil_divide(whole.upper, size))",
        "Range(build.floor_divide(whole.lower, size), build.floor_divide(whole.upper, size))",
        SCHEDULES,
    ),
    Mutation(
        "a fused range ends one iteration early",
        "build.mul(outer.upper, size)  # the same number",
        "build.sub(build.mul(outer.upper, size), build.index(1))  # the same number",
        SCHEDULES,
    ),
    Mutation(
        "the parts of a division start at zero",
        "build.add(environment.domain(self.parent).lower, start)",
        "build.add(build.index(0), start)",
        SCHEDULES,
    ),
    Mutation(
        "a tracked position steps one coordinate late",
        'passed = build.compare(">=", child, end)',
        'passed = build.compare(">", child, end)',
        SCHEDULES,
    ),
    Mutation(
        "a result is zeroed where that is not needed, and not where it is",
        "if kernel.result in kernel.partly_written and not accumulates:",
        "if kernel.result not in kernel.partly_written and not accumulates:",
        MERGES,
    ),
    Mutation(
        "updates of what threads share are not atomic",
        'atomic = operator != "=" and is_shared(',
        'atomic = operator == "=" and is_shared(',
        (f"{FOLDER}/formats/test_level_kinds.py::test_schedules", f"{FOLDER}/results/test_accumulation.py"),
    ),
    Mutation(
        "a reduction without a strategy is not refused",
        "if races_with(graph, variable, target) and not later:",
        "if races_with(graph, variable, target) and later:",
        (f"{MISTAKES}[23 parts that meet]",),
    ),
    Mutation(
        "a vector keeps one lane too many",
        'text = f"{function}({self.expressions.text(upper, ADDITIVE)} - {offset})"',
        'text = f"{function}({self.expressions.text(upper, ADDITIVE)} - {offset} + 1)"',
        (f"{FOLDER}/vectors/test_vector_widths.py::test_rounded_sums_of_lanes_have_the_same_bits",),
    ),
    Mutation(
        "a segment is bounded by coordinates instead of positions",
        "# pos[0] is 0 in every packed tensor\n        lower = zero if parents.lower == zero else "
        "build.load(pos, parents.lower)\n        return Range(lower, build.load(pos, parents.upper))",
        "# pos[0] is 0 in every packed tensor\n        lower = zero if parents.lower == zero else "
        "build.load(pos, parents.lower)\n        return Range(lower, build.load(storage.crd or pos, parents.upper))",
        MERGES,
    ),
    Mutation(
        "padding is packed as the first column",
        "np.full(entries.require_slots(entries.parents * width), entries.size, dtype",
        "np.full(entries.require_slots(entries.parents * width), 0, dtype",
        (f"{PACKED}[0.3-shape3-ell]",),
    ),
    Mutation(
        "rows of a padded level are unpacked in the order from the last one",
        ", level.crd\n        return Expanded(crd, parent, crd < level.size)",
        ", level.crd\n        return Expanded(crd, np.sort(parent)[::-1], crd < level.size)",
        (f"{PACKED}[0.3-shape3-ell]",),
    ),
    Mutation(
        "kernels that start alike share a place in the cache",
        "compiler.identity(), cpu.fingerprint(), text)",
        "compiler.identity(), cpu.fingerprint(), text[:300])",
        (f"{FOLDER}/expressions/test_expressions.py::test_every_storage_order_of_a_matrix_times_a_vector",),
    ),
    Mutation(
        "plans of other types share a hash",
        'if spec.dtype not in (None, "float64"):',
        'if spec.dtype not in (None, "float32", "float64"):',
        ("tests/compiler/plan",),
    ),
    Mutation(
        "operands: columns behind the last one pass the check",
        "outside |= (UINDEX)crd[k] | (last - (UINDEX)crd[k]);",
        "outside |= (UINDEX)crd[k];",
        MATRICES,
    ),
    Mutation(
        "operands: positions of rows that decrease pass the check",
        "bits |= ((UINDEX)pos[r + 1] - (UINDEX)pos[r]) | (UINDEX)pos[r + 1];",
        "bits |= (UINDEX)pos[r + 1];",
        MATRICES,
    ),
    Mutation(
        "operands: the first entry of a part is compared with nothing before it",
        "while (start < starts && pos[start] < entry) start++;",
        "while (start < starts && pos[start] <= entry) start++;",
        MATRICES,
    ),
    Mutation(
        "operands: rows out of order are read as if they were in order",
        "(0, 1) if by_rows else (1, 0), pos, crd, values, not seen)",
        "(0, 1) if by_rows else (1, 0), pos, crd, values, True)",
        MATRICES,
    ),
    Mutation(
        "operands: a coordinate may be as large as its dimension",
        "return int(unsigned.max()) < min(size,",
        "return int(unsigned.max()) <= min(size,",
        (f"{KINDS}::test_diagonals_and_lists_of_scipy_are_checked", COORDINATES),
    ),
    Mutation(
        "operands: integers of 64 bits lose digits in silence",
        'if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and converted.dtype.kind in "fc":',
        'if values.dtype.kind in "iu" and values.dtype.itemsize == 4 and converted.dtype.kind in "fc":',
        (f"{KINDS}::test_no_digits_of_an_array_are_lost", COORDINATES),
    ),
    Mutation(
        "operands: masked elements are taken with what is below the mask",
        "and np.ma.is_masked(array):\n        missing =",
        "and not np.ma.is_masked(array):\n        missing =",
        (f"{KINDS}::test_arrays_of_other_libraries", COORDINATES),
    ),
    Mutation(
        "operands: one that had to be copied is bound all the same",
        "if packed is operand or packed.ownership is Ownership.SNAPSHOT or is_in_place(packed, operand):",
        "if packed is operand or packed.ownership is not Ownership.RESULT or is_in_place(packed, operand):",
        ("tests/compiler/runtime/memory/test_bound_memory.py",),
    ),
)
