"""All experiments by id. Adding one is one file and one line here; the page shows whatever there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heddle_server.experiments.decompositions.contention import ALIKE, BY_LENGTH, BY_RANK
from heddle_server.experiments.decompositions.fits import PLANTED_FOUND, SHARED_PRODUCTS
from heddle_server.experiments.decompositions.sweeps import BREAKDOWN, EQUAL_BITS, SCALING, SORTING
from heddle_server.experiments.experiment import Experiment
from heddle_server.experiments.questions.choice import CHOICE
from heddle_server.experiments.questions.collection import PROFILE
from heddle_server.experiments.questions.compositions import CONVERSION, ON_GRAPHS, PADDING
from heddle_server.experiments.questions.comprehensions import CHAINS, NAMES, OPTIONS, RANGES, ROWS
from heddle_server.experiments.questions.device_studies import ON_CUDA, ON_OPENCL
from heddle_server.experiments.questions.families import STRUCTURES
from heddle_server.experiments.questions.kernels import MORE_KERNELS
from heddle_server.experiments.questions.many_parts import LAUNCHES_ON_CUDA, LAUNCHES_ON_OPENCL, PARTS
from heddle_server.experiments.questions.network_kernels import TABLES
from heddle_server.experiments.questions.neural import ATTENTION, BY_RELATION, PRUNED, SCORES
from heddle_server.experiments.questions.patterns import ADDRESSES, MEMOISED, PACKED, WORKGROUPS
from heddle_server.experiments.questions.roofline import ROOFLINE
from heddle_server.experiments.questions.skew import SKEW
from heddle_server.experiments.questions.threads import THREADS
from heddle_server.experiments.questions.tiles import TILE_SIZES


@dataclass(frozen=True, slots=True)
class Group:
    """Experiments that ask the questions of one paper, or of none."""

    title: str
    experiments: tuple[Experiment, ...]


def experiments(gpu: bool) -> Mapping[str, Experiment]:
    """``gpu``: whether one is connected; the studies of GPU schedules run there, else through OpenCL."""
    return {experiment.view["id"]: experiment for group in groups(gpu) for experiment in group.experiments}


def groups(gpu: bool) -> tuple[Group, ...]:
    """By whose question it is, each in the order of the numbers in docs/sources.toml."""
    x1, x2, x3, x4 = ON_CUDA if gpu else ON_OPENCL
    launches = LAUNCHES_ON_CUDA if gpu else LAUNCHES_ON_OPENCL
    of_parts = (ON_GRAPHS, PADDING, SCORES, ATTENTION, PRUNED, BY_RELATION, PARTS, CONVERSION, CHOICE, launches)
    of_sweeps = (BREAKDOWN, BY_RANK, BY_LENGTH, SCALING, SORTING, ALIKE, PLANTED_FOUND, SHARED_PRODUCTS, EQUAL_BITS)
    return (
        Group("Iteration spaces, Senanayake et al. 2020", (x1, x2, x3, SKEW, x4, TILE_SIZES, STRUCTURES, MORE_KERNELS)),
        Group("Sparse formats as types, Pizzuti et al. 2020", (ADDRESSES, PACKED, MEMOISED, WORKGROUPS)),
        Group("Tensor decomposition, Phipps and Kolda 2019", of_sweeps),
        Group("SparseTIR, Ye et al. 2023", of_parts),
        Group("Tensor Comprehensions, Vasilache et al. 2018", (OPTIONS, NAMES, RANGES, ROWS, CHAINS, TABLES)),
        Group("Any kernel on this machine", (THREADS, PROFILE, ROOFLINE)),
    )
