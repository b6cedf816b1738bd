"""Mutual TLS between machines: made by one command, and asked for on both sides."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from distributed import Client, Scheduler

from heddle_server import cli
from heddle_server.engine.cluster.certificates import make_certificates
from heddle_server.engine.cluster.cluster_security import cluster_security, require_protection


def test_one_command_makes_a_folder_for_each_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["certificates", str(tmp_path / "c"), "server", "worker-1"]) == 0
    assert f"{tmp_path / 'c' / 'worker-1'}: copy it to that machine" in capsys.readouterr().out
    for machine in ("server", "worker-1"):
        files = {path.name for path in (tmp_path / "c" / machine).iterdir()}
        assert files == {"authority.pem", "certificate.pem", "key.pem"}
        assert stat.S_IMODE((tmp_path / "c" / machine / "key.pem").stat().st_mode) == 0o600


def test_a_later_machine_belongs_to_the_same_authority(tmp_path: Path) -> None:
    (first,) = make_certificates(tmp_path, ["first"])
    (second,) = make_certificates(tmp_path, ["second"])
    assert (first / "authority.pem").read_bytes() == (second / "authority.pem").read_bytes()


@pytest.mark.parametrize(
    ("machine", "text"),
    [("../x", "a machine's name has letters, digits, dots and dashes, found '../x'"), ("old", "already exists")],
)
def test_names_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str], machine: str, text: str) -> None:
    make_certificates(tmp_path, ["old"])
    assert cli.main(["certificates", str(tmp_path), machine]) == 1
    assert text in capsys.readouterr().err


def test_a_folder_without_a_key_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["worker", "tls://127.0.0.1:9", "--certificates", str(tmp_path)]) == 1
    assert f"{tmp_path} has no authority.pem" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["scheduler", "--host", "0.0.0.0", "--port", "0"],
        ["worker", "tcp://192.0.2.1:8786"],
        ["serve", "--port", "0", "--scheduler", "tcp://192.0.2.1:8786"],
        ["serve", "--port", "0", "--scheduler", "scheduler.example:8786"],
    ],
)
def test_nothing_speaks_to_strangers_without_certificates(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 1
    said = capsys.readouterr().err
    assert "can be reached from elsewhere, and whoever reaches a scheduler or worker can run code on it" in said
    assert "--trusted-network if nobody else is on that network" in said


@pytest.mark.parametrize("command", [["worker"], ["serve", "--port", "0", "--scheduler"]])
def test_an_address_and_certificates_that_do_not_fit_are_refused(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder,) = make_certificates(tmp_path, ["server"])
    assert cli.main([*command, "tls://127.0.0.1:9"]) == 1
    assert "tls://127.0.0.1:9 speaks TLS, for which this machine needs certificates" in capsys.readouterr().err
    assert cli.main([*command, "tcp://127.0.0.1:9", "--certificates", str(folder)]) == 1
    assert "tcp://127.0.0.1:9 is not protected by the certificates given" in capsys.readouterr().err


def test_a_loopback_address_and_a_trusted_network_need_no_certificates() -> None:
    for address in ("tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786"):
        require_protection(address, None, trusted_network=False)
    require_protection("tcp://192.0.2.1:8786", None, trusted_network=True)


async def test_only_our_own_certificates_are_let_in(tmp_path: Path) -> None:
    ours, friend = make_certificates(tmp_path / "ours", ["scheduler", "friend"])
    (stranger,) = make_certificates(tmp_path / "theirs", ["stranger"])
    dashboard = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
    async with Scheduler(host="127.0.0.1", protocol="tls://", security=cluster_security(ours), **dashboard) as meeting:
        async with Client(meeting.address, security=cluster_security(friend), asynchronous=True) as client:
            assert client.status == "running"
        with pytest.raises(OSError):
            await Client(meeting.address, security=cluster_security(stranger), asynchronous=True, timeout=2)
