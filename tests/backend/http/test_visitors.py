"""Ids of visitors: signed, bound to where they were given, and not for the taking."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi import Depends, FastAPI

from heddle.runtime.native.secret_file import secret
from heddle_server.http.networks import UNKNOWN, network_of, owner_of
from heddle_server.http.visitor import COOKIE, DAYS, Identities, Visitor, visitor
from heddle_server.http.visitor_layer import NEW_OF_OWNER, Visitors


@pytest.mark.parametrize(
    ("address", "owner", "network"),
    [
        ("192.0.2.77", "192.0.2.77/32", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.77/32", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/48"),
        ("<script>", UNKNOWN, UNKNOWN),
    ],
)
def test_an_address_stands_for_an_owner_and_a_network(address: str, owner: str, network: str) -> None:
    assert (owner_of(address), network_of(address)) == (owner, network)


def test_an_id_is_known_again_and_a_changed_or_old_one_is_not() -> None:
    time = [1_800_000_000.0]
    identities = Identities(lambda: time[0])
    identity = identities.new("192.0.2.7")
    cookie = identities.cookie(identity)
    assert identities.check(cookie) == identity
    changed = ("b" if cookie[0] == "a" else "a") + cookie[1:]
    for other in ("", identity, cookie[:-1], cookie + "x", changed, cookie.replace(".", ".é"), f"{identity}.é"):
        assert identities.check(other) is None
    assert Identities(lambda: time[0]).check(cookie) is None  # another server's key
    time[0] += DAYS * 86_400
    assert identities.check(cookie) is None


def test_ids_of_one_address_begin_alike_and_do_not_name_it() -> None:
    identities = Identities()
    one, two, neighbour, far = (
        Visitor(identities.new(address), address) for address in ("192.0.2.7", "192.0.2.7", "192.0.2.8", "203.0.113.7")
    )
    assert one.id != two.id
    assert one.owner == two.owner != neighbour.owner
    assert one.network == neighbour.network != far.network
    assert Identities().place("192.0.2.7") != one.owner  # whoever lacks the key cannot try all addresses
    assert len(one.id) <= 64


def application() -> FastAPI:
    app = FastAPI()

    @app.get("/api/v1/formats")
    @app.post("/api/v1/compile")
    async def work(who: Visitor = Depends(visitor)) -> list[str | None]:  # noqa: B008
        return [who.id, who.browser]

    return app


async def test_a_visitor_gets_an_id_with_its_first_work_and_keeps_it() -> None:
    identities = Identities()
    transport = httpx.ASGITransport(app=Visitors(application(), identities), client=("192.0.2.7", 1))
    async with httpx.AsyncClient(transport=transport, base_url="https://test") as browser:
        assert "set-cookie" not in (await browser.get("/api/v1/formats")).headers
        first = await browser.post("/api/v1/compile")
        assert first.json()[0] == identities.shared_identity("192.0.2.7")
        header = first.headers["set-cookie"]
        assert header.startswith(f"{COOKIE}={first.json()[1]}.")
        assert header.endswith("; Path=/api; HttpOnly; SameSite=strict; Secure")
        second = await browser.post("/api/v1/compile")
        assert second.json() == [first.json()[1]] * 2
        assert "set-cookie" not in second.headers


async def test_an_address_gets_so_many_ids_and_then_shares_one() -> None:
    app = Visitors(application(), Identities(), clock=lambda: 0.0)
    given = []
    for address in ("192.0.2.7",) * (NEW_OF_OWNER // 2 + 10) + ("198.51.100.7",):
        transport = httpx.ASGITransport(app=app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as browser:
            answer = await browser.post("/api/v1/compile")
        assert answer.status_code == 200
        given.append(answer.headers.get("set-cookie"))
    assert None in given[NEW_OF_OWNER // 2 :]
    assert None not in given[: NEW_OF_OWNER // 2]
    assert given[-1] is not None


def test_a_secret_is_kept_for_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "x.key"
    made = secret(path)
    assert len(made) == 32
    assert secret(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)  # others may have read it
    assert secret(path) != made
    path.write_bytes(b"short")
    assert len(secret(path)) == 32
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        secret(path)
    assert sorted(each.name for each in path.parent.iterdir()) == ["x.key"]
