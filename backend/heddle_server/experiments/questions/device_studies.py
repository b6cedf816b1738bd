"""Studies X1 to X4 (docs/sources.toml) as experiments: on the GPU where one is connected, else on OpenCL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from heddle.targets import CUDA, OPENCL
from heddle_server.experiments.drawing import drawn_over
from heddle_server.experiments.experiment import Experiment, point_of
from heddle_server.schema.plan import PlanDocument
from heddle_server.studies.registry import OPENCL_SHARE, STUDIES
from heddle_server.studies.study import Study

# Each run generates its matrix, which takes longer than the GPU does: a fifth of what the shell measures.
CUDA_SHARE = 0.2
WITHOUT_GPU = (
    "No GPU is connected to this service: the same schedules run through OpenCL on a processor, whose "
    "lanes take turns. Expect different ratios from those on a GPU."
)


def experiment_of(study: Study, target: str) -> Experiment:
    """``target`` is that of CUDA or OpenCL."""
    opencl = target == OPENCL.name
    nonzeros = int(study.nonzeros * (OPENCL_SHARE if opencl else CUDA_SHARE))
    points = study.points(nonzeros)
    labels = list(dict.fromkeys(f"{point.value:g}" for point in points))
    return Experiment(
        {
            "id": study.name,
            "title": f"{study.name}: {study.title}",
            "question": (
                f"{study.question} The study's own size is {study.nonzeros:,} nonzeros; here it is {nonzeros:,}, so "
                "that a run takes seconds."
            ),
            "look_for": f"The paper's finding: {study.expected}",
            "parameter": study.parameter,
            "where": WITHOUT_GPU if opencl else "",
            "points": [
                point_of(name, point.value, _plan(point.plan(target, commands)))
                for point in points
                for name, commands in study.schedules(target).items()
            ],
        },
        drawn_over(f"{study.name}: time of SpMV, {target}", study.parameter, labels, log=True),
    )


def _plan(document: Mapping[str, object]) -> PlanDocument:
    return cast(PlanDocument, {**document, "run": {"baselines": []}})


ON_OPENCL = tuple(experiment_of(study, OPENCL.name) for study in STUDIES.values())
ON_CUDA = tuple(experiment_of(study, CUDA.name) for study in STUDIES.values())
