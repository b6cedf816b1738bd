"""GET /machine, GET /version."""

from __future__ import annotations

from fastapi import APIRouter
from typing_extensions import TypedDict

from backend.api.dependencies import FromServices
from backend.schema.run import MachineFacts
from backend.version import VERSION
from compiler.runtime.cache import GENERATOR_VERSION

router = APIRouter(tags=["machine"])


class VersionView(TypedDict):
    """``generator`` is the version of the generated code: kernels of another one are built anew."""

    heddle: str
    generator: str


@router.get("/machine", response_model=MachineFacts)
async def get_machine(services: FromServices) -> MachineFacts:
    """The machine that runs are timed on."""
    return await services.machine.facts()


@router.get("/version", response_model=VersionView)
async def get_version() -> VersionView:
    return {"heddle": VERSION, "generator": GENERATOR_VERSION}
