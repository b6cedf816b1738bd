"""POST /algorithms/compile."""

from __future__ import annotations

from fastapi import Response

from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import AlgorithmFromBody, FromServices
from heddle_server.api.part import part_of_api
from heddle_server.schema.decomposition import ALGORITHM_BODY, AlgorithmView
from heddle_server.schema.problem import problems
from heddle_server.services.decompositions.predicting import predict

router = part_of_api("compile")


@router.post(
    "/algorithms/compile",
    response_model=AlgorithmView,
    responses=problems(400, 404, 413, 415, 422, 429, 500, 503),
    openapi_extra=ALGORITHM_BODY,
)
async def compile_algorithm(algorithm: AlgorithmFromBody, services: FromServices, answer: FromJsonAnswer) -> Response:
    """How each kernel of a decomposition is computed and why, what it is predicted to take, and what other methods and
    shared products would take: before anything runs.

    An algorithm whose tensor or kernels are wrong is answered with 200 and diagnostics; a document that is none with
    400.
    """
    return await answer(await predict(services.compiles, services.data.datasets, algorithm))
