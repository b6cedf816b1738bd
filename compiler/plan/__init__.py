"""The Plan: the one document that the shell, Python, the HTTP API, links and tests all speak."""

from compiler.plan.arguments import plan_from_arguments
from compiler.plan.canonical import plan_hash, to_document
from compiler.plan.parser import parse_plan
from compiler.plan.plan import (
    CONVERSIONS,
    DTYPES,
    VERSION,
    VERSIONS,
    Options,
    Plan,
    RunSpec,
    TensorSpec,
)
from compiler.plan.schedule_text import split_schedule

__all__ = [
    "CONVERSIONS",
    "DTYPES",
    "VERSION",
    "VERSIONS",
    "Options",
    "Plan",
    "RunSpec",
    "TensorSpec",
    "parse_plan",
    "plan_from_arguments",
    "plan_hash",
    "split_schedule",
    "to_document",
]
