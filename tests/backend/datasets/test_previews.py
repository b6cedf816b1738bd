"""POST /previews: data of every source, and what cannot be shown."""

from __future__ import annotations

from typing import Any

from tests.backend.datasets.test_datasets import MTX
from tests.backend.serving import Server


def ask(server: Server, given: dict[str, Any], order: int = 2) -> dict[str, Any]:
    answer = server.client.post("/api/v1/previews", json={"tensor": "A", "order": order, "input": given})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_data_of_every_source(server: Server) -> None:
    karate = ask(server, {"dataset": "karate"})
    assert (karate["shape"], karate["nonzeros"], karate["symmetric"]) == ([34, 34], 156, True)
    assert karate["degrees"][0]["most"] == 17
    assert sum(map(sum, karate["raster"]["counts"])) == 156
    upload = server.client.put("/api/v1/datasets", params={"name": "p.mtx"}, content=MTX + b"%\n").json()["id"]
    kept = ask(server, {"upload": upload})
    assert (kept["source"], kept["bandwidth"]) == ("p.mtx", 1), "made when the file came"
    band = ask(server, {"generator": "banded", "shape": [50, 50], "bandwidth": 3})
    assert (band["bandwidth"], band["source"]) == (3, "generator banded")
    assert len(ask(server, {"dataset": "small3"}, order=3)["degrees"]) == 3


def test_what_cannot_be_shown(server: Server) -> None:
    view = ask(server, {"generator": "uniform"})
    assert not view["ok"]
    assert view["diagnostics"][0]["message"] == "The generator of A does not say how large A is."
    answer = server.client.post("/api/v1/previews", json={"tensor": "A", "order": 2, "input": {"dataset": "none"}})
    assert answer.status_code == 400
