"""What the routers take from the application: its services, and a validated Plan."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Body, Depends, Request

from backend.services.services import Services
from compiler.plan import Plan, parse_plan


def services(request: Request) -> Services:
    found = request.app.state.services
    assert isinstance(found, Services)
    return found


def plan_of_body(document: Annotated[Any, Body()]) -> Plan:
    """Raises CompileError, which becomes a 400 with diagnostics."""
    return parse_plan(document)


FromServices = Annotated[Services, Depends(services)]
PlanFromBody = Annotated[Plan, Depends(plan_of_body)]
