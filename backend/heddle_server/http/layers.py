"""What every request passes on its way in, the innermost layer first."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from heddle_server.http.access import TOKEN, Access, Gate
from heddle_server.http.audit import Audit
from heddle_server.http.body_limit import BodyLimit
from heddle_server.http.metrics import Metrics
from heddle_server.http.packed_answers import LEAST_BYTES, LEVEL
from heddle_server.http.quotas import Quotas
from heddle_server.http.request_log import RequestLog
from heddle_server.http.security import SecurityHeaders
from heddle_server.http.visitor import Identities
from heddle_server.http.visitor_layer import Visitors
from heddle_server.settings import Settings


def add_layers(app: FastAPI, settings: Settings) -> None:
    """Adds the layers, and what they keep as ``app.state.metrics``, ``identities`` and ``access``."""
    app.state.metrics = Metrics()
    app.state.identities = Identities()
    app.state.access = access_of(settings, app.state.identities)
    app.add_middleware(GZipMiddleware, minimum_size=LEAST_BYTES, compresslevel=LEVEL)
    app.add_middleware(BodyLimit, default=settings.json_body_bytes, limits={"/api/v1/datasets": settings.upload_bytes})
    app.add_middleware(Gate, access=app.state.access)
    app.add_middleware(Quotas, factor=settings.quota_factor)
    app.add_middleware(Visitors, identities=app.state.identities)
    app.add_middleware(SecurityHeaders, allowed_hosts=settings.allowed_hosts)
    app.add_middleware(Audit)
    app.add_middleware(RequestLog, metrics=app.state.metrics)


def access_of(settings: Settings, identities: Identities) -> Access:
    codes = {name: code.get_secret_value() for name, code in settings.class_codes.items()}
    if settings.access_token is not None:
        codes[TOKEN] = settings.access_token.get_secret_value()
    operator = settings.operator_token.get_secret_value() if settings.operator_token is not None else None
    return Access(identities, codes, operator, settings.closed)
