"""Codes that students type, and keys of which only hashes are kept."""

from __future__ import annotations

import pytest

from backend.problem import ProblemError
from backend.services.classrooms.keys import CODE, hash_of_key, new_code, new_key, opens, read_code


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
