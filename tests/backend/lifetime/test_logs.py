"""What a server with an embedded worker logs as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.backend.serving import ColdServer, plan


def test_requests_and_writes_are_lines_beside_an_embedded_worker(tmp_path: Path) -> None:
    """Dask raised the level of the handler that the access log shared with it: no request was logged."""
    server = ColdServer(tmp_path, json_log="1").start()
    try:
        run = server.run(plan())
        server.wait(run)
        assert server.client.post("/api/v1/compile", json=plan()).status_code == 200
        assert server.client.delete(f"/api/v1/runs/{run}").status_code == 200
        assert server.client.put("/api/v1/datasets", params={"name": "a.mtx"}, content=b"nonsense").status_code == 422
    finally:
        server.stop()
    lines: list[dict[str, Any]] = [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]
    requests = {(line["method"], line["route"]): line for line in lines if line["logger"] == "heddle.access"}
    assert requests["POST", "/api/v1/runs"]["status"] == 202
    writes = [line for line in lines if line["logger"] == "heddle.audit"]
    assert [(line["method"], line["path"], line["status"], line["wrote"]) for line in writes] == [
        ("POST", "/api/v1/runs", 202, [run]),
        ("DELETE", f"/api/v1/runs/{run}", 200, []),
        ("PUT", "/api/v1/datasets", 422, []),
    ]
    assert writes[0]["who"] == writes[1]["who"] is not None
    assert all(line["request"] for line in writes)
