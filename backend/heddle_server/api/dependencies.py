"""What the routers take from the application: its services, and a validated Plan."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Body, Depends, Request

from heddle.algorithms.algorithm import Algorithm
from heddle.algorithms.document.reader import parse_algorithm
from heddle.plan import Plan, parse_plan
from heddle_server.http.access import OPERATOR_SCOPE
from heddle_server.http.visitor import Visitor, visitor
from heddle_server.problem import ProblemError
from heddle_server.services.ownership import Canceller
from heddle_server.services.runs.documents import Document, is_algorithm, parse_document
from heddle_server.services.services import Services


async def services(request: Request) -> Services:
    app_services = request.app.state.services
    assert isinstance(app_services, Services)
    return app_services


async def canceller(request: Request) -> Canceller:
    """Who asks to end something."""
    return Canceller((await visitor(request)).browser, request.scope[OPERATOR_SCOPE])


def plan_of_body(document: Annotated[Any, Body()]) -> Plan:
    """Raises CompileError, which becomes a 400 with diagnostics, or ProblemError."""
    if isinstance(document, bytes):
        # What FastAPI hands on when the body does not say that it is JSON; a foreign page's form cannot say so.
        detail = "A plan is sent as JSON, with Content-Type: application/json."
        raise ProblemError(415, "unsupported-media-type", "Unsupported Media Type", detail)
    return plan_of(unwrapped(document))


def unwrapped(document: object) -> object:
    """What ``{"plan": …}`` holds, which is the body of every route that takes a plan; a plan alone is one, too."""
    if not isinstance(document, dict) or "plan" not in document or "expression" in document:
        return document
    others = [name for name in document if name != "plan"]
    if others:
        detail = f"Beside the plan, this request has no entry `{others[0]}`."
        raise ProblemError(400, "invalid-plan", "This is not a valid plan", detail)
    return document["plan"]


def plan_of(document: object) -> Plan:
    """A plan from JSON values."""
    require_text(document)
    return parse_plan(document)


def require_text(document: object) -> None:
    """Half a character, which JSON can spell and UTF-8 cannot, could never be sent back."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        reason = f"The plan holds {error.object[error.start : error.start + 1]!r}, half of a surrogate pair"
        raise ProblemError(400, "invalid-plan", "This is not a valid plan", f"{reason}: not text.") from None


def document_of_body(document: Annotated[Any, Body()]) -> Document:
    """A plan, or the algorithm that a document with ``algorithm`` is. Raises as ``plan_of_body``."""
    inner = unwrapped(document)
    return document_of(inner) if is_algorithm(inner) else plan_of_body(document)


def algorithm_of_body(document: Annotated[Any, Body()]) -> Algorithm:
    """An algorithm. Raises as ``plan_of_body``."""
    if isinstance(document, bytes):
        detail = "An algorithm is sent as JSON, with Content-Type: application/json."
        raise ProblemError(415, "unsupported-media-type", "Unsupported Media Type", detail)
    require_text(document)
    return parse_algorithm(unwrapped(document))


def document_of(document: object) -> Document:
    """A plan, or an algorithm, from JSON values."""
    require_text(document)
    return parse_document(document)


FromServices = Annotated[Services, Depends(services)]
FromVisitor = Annotated[Visitor, Depends(visitor)]
FromCanceller = Annotated[Canceller, Depends(canceller)]
PlanFromBody = Annotated[Plan, Depends(plan_of_body)]
AlgorithmFromBody = Annotated[Algorithm, Depends(algorithm_of_body)]
DocumentFromBody = Annotated[Document, Depends(document_of_body)]
