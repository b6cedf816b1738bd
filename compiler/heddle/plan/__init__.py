"""The Plan: the one document that the shell, Python, the HTTP API, links and tests all speak."""

from heddle.plan.arguments import plan_from_arguments
from heddle.plan.canonical import plan_hash, to_document
from heddle.plan.parser import parse_plan
from heddle.plan.plan import (
    CONVERSIONS,
    DTYPES,
    VERSION,
    VERSIONS,
    Options,
    Plan,
    RunSpec,
    TensorSpec,
)
from heddle.plan.schedule_text import split_schedule

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
