"""Mistakes at the seams of the compiler: shared memory, arrays that nobody checked, what ``legal`` offers, threads.

They are of the kind of :mod:`tests.mutations.planted`: results stay right in most programs, and wrong ones are silent.
"""

from __future__ import annotations

from tests.mutations.mutation import Mutation

RUNTIME = "tests/compiler/runtime"
MEMORY = (f"{RUNTIME}/memory/test_memory_contract.py", f"{RUNTIME}/memory/test_bound_memory.py")
BUFFERS = (f"{RUNTIME}/memory/test_buffers.py",)
ARRAYS = (f"{RUNTIME}/tensors/test_validate.py",)
LEGAL = "tests/compiler/schedule/test_legal.py"
THREADS = f"{RUNTIME}/native/test_threads.py"
RACES = ("tests/errors/test_schedule_refusals.py", "tests/errors/compositions/test_part_schedules.py")

ALIASING = (
    Mutation(
        "aliasing: a packed tensor stays on the memory of its operand",
        "return protect(_copy(array) if any(_shares(array, source) for source in sources) else array)",
        "return protect(array)",
        MEMORY,
    ),
    Mutation(
        "aliasing: the arrays of a packed tensor can be written",
        "return protect(_copy(array) if any(_shares(array, source) for source in sources) else array)",
        "return _copy(array) if any(_shares(array, source) for source in sources) else array",
        MEMORY,
    ),
    Mutation(
        "aliasing: no memory of an operand is looked at when it is packed",
        "_take_ownership(tensor, [] if _is_snapshot(known) else list(_memory_of(known)))",
        "_take_ownership(tensor, [])",
        MEMORY,
    ),
    Mutation(
        "aliasing: values by coordinates count as read in place",
        "and not is_referenced(tensor.format):\n        return False",
        "and not is_referenced(tensor.format):\n        return True",
        MEMORY,
    ),
    Mutation(
        "aliasing: a writable copy has the values of its source",
        "levels, values = tensor.levels, _copy(tensor.vals)",
        "levels, values = tensor.levels, tensor.vals",
        (*MEMORY, f"{RUNTIME}/kernels/test_kernel.py", f"{RUNTIME}/devices/test_resident.py"),
    ),
    Mutation(
        "aliasing: index arrays on the caller's memory can be written",
        "array if is_device_array(array) else protect(array.view())",
        "array",
        MEMORY,
    ),
    Mutation(
        "aliasing: a converted operand is bound although a run would not see its new values",
        'if packed.ownership is not Ownership.SNAPSHOT:\n        raise _copy_error(signature.name, f"the loops',
        'if packed.ownership is None:\n        raise _copy_error(signature.name, f"the loops',
        MEMORY,
    ),
    Mutation(
        "aliasing: memory returns to the pool while a view of it lives",
        "return np.asarray(_Lease(self, memory, count, dtype))",
        "return np.array(_Lease(self, memory, count, dtype))",
        BUFFERS,
    ),
    Mutation(
        "aliasing: arrays that are taken together overlap",
        "size += (count * data_type.itemsize + _PADDING + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT",
        "size += count * data_type.itemsize // ALIGNMENT * ALIGNMENT",
        BUFFERS,
    ),
)

UNCHECKED = (
    Mutation(
        "unchecked: positions may decrease",
        "steps = np.diff(pos.astype(np.int64))\n        if (steps < 0).any():",
        "steps = np.diff(pos.astype(np.int64))\n        if (steps < 0).all():",
        ARRAYS,
    ),
    Mutation(
        "unchecked: the first position need not be 0",
        'if pos[0] != 0:\n            self.refuse(f"pos of {self.label} starts',
        'if pos[0] < 0:\n            self.refuse(f"pos of {self.label} starts',
        ARRAYS,
    ),
    Mutation(
        "unchecked: a width may be negative",
        'if width[0] < 0:\n            self.refuse(f"the width of',
        'if width[0] < -9:\n            self.refuse(f"the width of',
        ARRAYS,
    ),
    Mutation(
        "unchecked: padded rows may descend",
        "rising = (np.diff(rows.astype(np.int64), axis=1) > 0) | (rows[:, 1:] == size)",
        "rising = (np.diff(rows.astype(np.int64), axis=1) != 0) | (rows[:, 1:] == size)",
        ARRAYS,
    ),
    Mutation(
        "unchecked: a padded coordinate may lie behind the padding",
        "crd = check.coordinates(check.parents * width, 0, size + 1)\n        rows = crd.reshape",
        "crd = check.coordinates(check.parents * width, 0, size + 2)\n        rows = crd.reshape",
        ARRAYS,
    ),
    Mutation(
        "unchecked: the width of a padded level need not be that of its format",
        'if stated is not None and width != stated:\n            check.refuse(f"the width of',
        'if stated is not None and width < stated:\n            check.refuse(f"the width of',
        ARRAYS,
    ),
    Mutation(
        "unchecked: what a call is to check it does not, and the other way",
        "                if validate:\n                    operand.validate(name)",
        "                if not validate:\n                    operand.validate(name)",
        (f"{RUNTIME}/tensors/test_validate.py", f"{RUNTIME}/kernels/test_kernel.py"),
    ),
    Mutation(
        "unchecked: a bound operand may have lost entries",
        "if pos.item(-1) != count:",
        "if pos.item(-1) > count:",
        MEMORY,
    ),
)

OFFERED = (
    Mutation(
        "legal: what a compile refuses is offered",
        "return said.reason if refused is None else (refused.message, refused)",
        "return said.reason",
        (f"{LEGAL}::test_what_would_be_searched_too_often_is_refused",),
    ),
    Mutation(
        "legal: what changes nothing is offered",
        "return self.why_not or self.remark",
        "return self.why_not",
        (f"{LEGAL}::test_what_changes_nothing_has_its_reason",),
    ),
    Mutation(
        "legal: what a GPU has no memory for is offered",
        "return _may_miss_memory(graph) or (summed and bool(graph.parallel)) or _searches_often(graph)",
        "return (summed and bool(graph.parallel)) or _searches_often(graph)",
        (f"{LEGAL}::test_what_only_the_lowering_for_a_gpu_refuses_is_refused",),
    ),
    Mutation(
        "legal: what operands may be converted for is refused",
        'if plan.options.convert != "automatic" or not _asks_for_order(said.reason[1]):',
        'if plan.options.convert == "automatic" or not _asks_for_order(said.reason[1]):',
        (f"{LEGAL}::test_orders_that_operands_may_be_converted_for_are_offered",),
    ),
    Mutation(
        "legal: what is refused comes first",
        "sorted(listed.values(), key=lambda candidate: candidate.reason is not None)",
        "sorted(listed.values(), key=lambda candidate: candidate.reason is None)",
        (f"{LEGAL}::test_what_may_come_next_comes_first",),
    ),
    Mutation(
        "legal: loops without their automatic workspace are left out",
        "return (*scopes(graph), *(() if graph.bare is None else (_whole(graph.bare),)))",
        "return tuple(scopes(graph))",
        (f"{LEGAL}::test_the_loops_without_their_automatic_workspace_are_listed_as_well",),
    ),
)

PARALLEL = (
    Mutation(
        "threads: a number holds for longer than the block that asked for it",
        "    finally:\n        use(before)",
        "    finally:\n        use(number)",
        (f"{THREADS}::test_a_block_counts_for_its_own_thread",),
    ),
    Mutation(
        "threads: no threads are a number of threads",
        "if 1 <= number <= MOST:",
        "if 0 <= number <= MOST:",
        (f"{THREADS}::test_what_is_not_a_number_of_threads_is_refused",),
    ),
    Mutation(
        "threads: parts that write the same rows do not race",
        "return in_turn and (summed is None or not summed.is_apart(target.indices, graph.signature))",
        "return in_turn and summed is None",
        RACES,
    ),
    Mutation(
        "threads: positions with the same coordinate do not race",
        "if repeated and variable in leaves(graph, positions.position):",
        "if not repeated and variable in leaves(graph, positions.position):",
        RACES,
    ),
    Mutation(
        "threads: a loop over a part of an index is taken for all of it",
        "return any(known) if above.of_statements else all(known)",
        "return any(known)",
        RACES,
    ),
    Mutation(
        "threads: threads may run within threads",
        "if outer.unit is LoopKind.CPU_THREAD and tag.unit is LoopKind.CPU_THREAD:",
        "if outer.unit is LoopKind.CPU_VECTOR and tag.unit is LoopKind.CPU_THREAD:",
        RACES,
    ),
)

AT_SEAMS = (*ALIASING, *UNCHECKED, *OFFERED, *PARALLEL)
