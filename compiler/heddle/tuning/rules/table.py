"""The rules for CPUs and for GPUs in the order in which they are asked; the first whose schedule compiles is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heddle.targets import target_named
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.blocked_rows import blocked_rows
from heddle.tuning.rules.dense_product import dense_product
from heddle.tuning.rules.dense_sums import dense_sums
from heddle.tuning.rules.fallback import default_loops, dense_lanes, driven_threads, outer_threads
from heddle.tuning.rules.gpu.columns import gpu_columns, gpu_mttkrp
from heddle.tuning.rules.gpu.fallback import gpu_default
from heddle.tuning.rules.gpu.row_sums import gpu_row_sums
from heddle.tuning.rules.gpu.sampled import gpu_sampled
from heddle.tuning.rules.gpu.slotted_rows import gpu_slotted_rows
from heddle.tuning.rules.gpu.sparse_rows import gpu_sparse_product, gpu_sparse_sum
from heddle.tuning.rules.inner_sums import inner_sums
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.register_blocks import register_blocks
from heddle.tuning.rules.register_tiles import register_tiles
from heddle.tuning.rules.row_sums import row_sums
from heddle.tuning.rules.sampled import propose_sampled
from heddle.tuning.rules.scaled_row_sums import scaled_row_sums
from heddle.tuning.rules.slotted_rows import slotted_rows
from heddle.tuning.rules.sparse_product import sparse_product
from heddle.tuning.rules.sparse_sum import sparse_sum


@dataclass(frozen=True, slots=True)
class Rule:
    """``propose`` answers None for programs that it does not know; ``title`` names it for a person. What ``leads`` is
    asked before a program of another language is taken as its statements."""

    name: str
    title: str
    propose: Callable[[Program], Proposal | None]
    leads: bool = False


CPU_RULES = (
    Rule("dense-product", "Tiles of rows and columns in registers (dense products)", dense_product, leads=True),
    Rule("register-tiles", "Register tiles of a dense dimension (SpMM, TTM, MTTKRP)", register_tiles),
    Rule("inner-sums", "Register tiles below a function of their sums (a layer's relu)", inner_sums),
    Rule("register-blocks", "Rows of a block times a tile of columns in registers (SpMM on BCSR)", register_blocks),
    Rule("sampled", "Dense product at sparse places (SDDMM)", propose_sampled),
    Rule("slotted-rows", "Rows of a block in vector lanes (SpMV on sliced ELL and DIA)", slotted_rows),
    Rule(
        "blocked-rows", "Rows that share columns in vector lanes (SpMV on BCSR with blocks of one column)", blocked_rows
    ),
    Rule("row-sums", "A sum in a register for each row (SpMV, TTV)", row_sums),
    Rule("scaled-row-sums", "A sum in a register for each row, scaled, beside dense terms", scaled_row_sums),
    Rule("sparse-product", "Sparse rows through a workspace (SpGEMM)", sparse_product),
    Rule("sparse-sum", "Rows merged (sparse addition)", sparse_sum),
    Rule("dense-sums", "A sum over neighbours in memory in vector lanes (dense operands)", dense_sums),
    Rule("driven-threads", "Default loops, the sparse operand's rows on threads", driven_threads),
    Rule("dense-lanes", "Default loops, a dense dimension in vector lanes", dense_lanes),
    Rule("outer-threads", "Default loops, the outermost on threads", outer_threads),
    Rule("default", "Default loops", default_loops),
)

GPU_RULES = (
    Rule("gpu-slotted-rows", "Rows of a block on neighbouring threads (SpMV on sliced ELL and DIA)", gpu_slotted_rows),
    Rule("gpu-row-sums", "Rows on threads or warps, or nonzeros in equal parts (SpMV, TTV)", gpu_row_sums),
    Rule("gpu-sampled", "Dense product at sparse places, by nonzeros (SDDMM)", gpu_sampled),
    Rule("gpu-columns", "Lanes on the columns of a dense dimension (SpMM, TTM)", gpu_columns),
    Rule("gpu-mttkrp", "Nonzeros in equal parts, GenTen's tiles of columns (MTTKRP)", gpu_mttkrp),
    Rule("gpu-sparse-product", "Sparse rows through a workspace of each thread (SpGEMM)", gpu_sparse_product),
    Rule("gpu-sparse-sum", "Rows merged by threads, or collected by blocks (sparse addition)", gpu_sparse_sum),
    Rule("gpu-default", "The schedule of a GPU program that comes without one", gpu_default),
)


def rules_for(target: str) -> tuple[Rule, ...]:
    """The rules for a plan's target; the last one proposes something for every program."""
    return GPU_RULES if target_named(target).only_gpu else CPU_RULES
