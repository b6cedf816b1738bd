"""Connections between requests."""

from __future__ import annotations

import http.client
import time
from urllib.parse import urlsplit

from tests.backend.serving import Server


def test_a_connection_that_was_idle_for_a_while_is_still_answered(server: Server) -> None:
    """Servers under uvicorn close one after 5 s on their own: a request that is sent just then was lost."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    connection.connect()
    opened = connection.sock
    for idle in (5.5, 0.0):
        connection.request("GET", "/api/v1/formats")
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
        time.sleep(idle)
    assert connection.sock is opened
    connection.close()
