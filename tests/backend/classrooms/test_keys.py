"""Codes that students type, and keys of which only hashes are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from heddle_server.http.asker import Asker, asked_by
from heddle_server.http.visitor import Visitor
from heddle_server.problem import ProblemError
from heddle_server.services.classrooms.classrooms import ClassroomService
from heddle_server.services.classrooms.code_guesses import GUESSES_AT_ONCE, CodeGuesses
from heddle_server.services.classrooms.keys import CODE, hash_of_key, new_code, new_key, opens, read_code
from heddle_server.settings import Settings
from heddle_server.store.database import Database


def test_a_code_is_read_however_it_was_typed() -> None:
    code = new_code()
    assert CODE.fullmatch(code.replace("-", ""))
    for typed in (code, code.lower(), code.replace("-", ""), f" {code.replace('-', ' - ')} "):
        assert read_code(typed) == code


@pytest.mark.parametrize("typed", ["", "ABCD", "ABCD-23450", "ABCD-234O", "ABCD-2345'--", "ÀBCD-2345", "x" * 5000])
def test_what_is_no_code_is_no_class(typed: str) -> None:
    with pytest.raises(ProblemError, match="eight letters and digits") as refused:
        read_code(typed)
    assert refused.value.status == 404
    assert len(refused.value.detail) < 500


def test_a_key_opens_what_it_was_made_for() -> None:
    key = new_key()
    assert opens(key, hash_of_key(key))
    assert key not in hash_of_key(key)
    for other in (None, "", new_key(), hash_of_key(key)):
        assert not opens(other, hash_of_key(key))


async def test_codes_cannot_be_found_by_trying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(data_directory=tmp_path)
    database = Database(settings.database)
    await database.migrate()
    guesses = CodeGuesses(settings.quota_factor)
    service = ClassroomService(settings, database, cast(Any, None), cast(Any, None), guesses)
    monkeypatch.setattr(guesses._allowance, "_clock", lambda: 0.0)
    trying, teaching = Visitor("mallory", "192.0.2.1"), Visitor("ann", "198.51.100.1")
    room = await service.create("Sparse", teaching)
    refused: list[int] = []

    async def status(code: str, key: str | None) -> int:
        with pytest.raises(ProblemError) as found:
            await service.view(code, key, None)
        return found.value.status

    try:
        with asked_by(Asker("192.0.2.1/32", "mallory")):
            for _ in range(GUESSES_AT_ONCE + 1):
                refused.append(await status("AAAA-2222", None))
            # From here on a code that is one is answered like one that is none, whatever is tried with it.
            assert await status(room["code"], None) == await status(room["code"], "guessed") == 429
            with pytest.raises(ProblemError, match="tried in vain") as joining:
                await service.join(room["code"], "Mallory", trying)
            assert (joining.value.status, int(joining.value.headers["Retry-After"])) == (429, 1)
            # Whoever has the key is let in all the same.
            assert await service.table(room["code"], room["key"], "http://heddle.test")
        with asked_by(Asker("198.51.100.1/32", "ann")):
            assert await status("AAAA-2222", None) == 404
            await service.join(room["code"], "Ben", teaching)
    finally:
        await database.close()
    assert refused == [404] * GUESSES_AT_ONCE + [429]
