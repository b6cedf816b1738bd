"""The application. ``python -m heddle_server.cli serve`` runs it; tests make one with settings of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI

from heddle.runtime.native.secret_file import secret
from heddle_server import errors
from heddle_server.api import description, health, metrics, router
from heddle_server.http.layers import add_layers
from heddle_server.services.services import running_services
from heddle_server.settings import Settings
from heddle_server.site import documents, page
from heddle_server.site.earlier_assets import EarlierAssets
from heddle_server.start_failure import start_failure
from heddle_server.version import VERSION


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with AsyncExitStack() as running:
        try:
            app.state.services = await running.enter_async_context(running_services(app.state.settings))
            # Ids that were given before a restart stay good.
            app.state.identities.key = secret(app.state.settings.data_directory / "visitors.key")
        except Exception as error:
            app.state.start_failure = start_failure(error, app.state.settings)
            raise
        yield


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or Settings()
    app = FastAPI(
        title="Heddle",
        version=VERSION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # description.py answers there
    )
    app.state.settings = settings
    app.state.earlier_assets = EarlierAssets(settings.assets_directory)
    errors.install(app)
    add_layers(app, settings)
    app.include_router(description.router)  # first: the way to each route is asked of those before it
    app.router.routes.extend(router.routes())
    app.include_router(health.router)
    app.include_router(metrics.router)
    app.include_router(documents.router)
    app.include_router(page.router)
    return app
