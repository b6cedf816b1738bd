"""The application. ``python -m backend.cli serve`` runs it; tests make one with settings of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from backend import errors, page
from backend.api import health, metrics, router
from backend.http.access_token import AccessToken
from backend.http.body_limit import BodyLimit
from backend.http.metrics import Metrics
from backend.http.quotas import Quotas
from backend.http.request_log import RequestLog
from backend.http.security import SecurityHeaders
from backend.services.services import running_services
from backend.settings import Settings
from backend.version import VERSION


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with running_services(app.state.settings) as app.state.services:
        yield


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or Settings()
    app = FastAPI(title="Heddle", version=VERSION, lifespan=lifespan, docs_url=None, openapi_url="/api/v1/openapi.json")
    app.state.settings = settings
    app.state.metrics = Metrics()
    errors.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=4)
    app.add_middleware(BodyLimit, default=settings.json_body_bytes, limits={"/api/v1/datasets": settings.upload_bytes})
    app.add_middleware(AccessToken, token=settings.access_token and settings.access_token.get_secret_value())
    app.add_middleware(Quotas, factor=settings.quota_factor)
    app.add_middleware(SecurityHeaders, allowed_hosts=settings.allowed_hosts)
    app.add_middleware(RequestLog, metrics=app.state.metrics)
    app.include_router(router.router)
    app.include_router(health.router)
    app.include_router(metrics.router)
    app.include_router(page.router)
    return app
