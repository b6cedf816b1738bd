"""Codes that students type, and keys that only their owners have."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

from heddle_server.problem import ProblemError, clip

# Without letters and digits that are taken for one another.
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
HALF = 4
CODE = re.compile(rf"[{ALPHABET}]{{{2 * HALF}}}")


def new_code() -> str:
    """40 bits: nobody finds a class by guessing."""
    return spell("".join(secrets.choice(ALPHABET) for _ in range(2 * HALF)))


def read_code(text: str) -> str:
    """As it is kept, however somebody typed it. Raises ProblemError."""
    typed = re.sub(r"[\s-]", "", text).upper()
    if CODE.fullmatch(typed) is None:
        raise no_class(text)
    return spell(typed)


def spell(letters: str) -> str:
    return f"{letters[:HALF]}-{letters[HALF:]}"


def no_class(code: str) -> ProblemError:
    detail = (
        f"There is no class {clip(code)!r}: a code has eight letters and digits, like ABCD-2345. Check it for typing "
        "mistakes, or ask your teacher whether the class was deleted."
    )
    return ProblemError(404, "no-class", "No such class", detail)


def new_key() -> str:
    return secrets.token_urlsafe(18)


def hash_of_key(key: str) -> str:
    """Keys are random, so that one round of a hash is enough."""
    return hashlib.sha256(key.encode()).hexdigest()


def opens(key: str | None, known_hash: str) -> bool:
    return key is not None and hmac.compare_digest(hash_of_key(key), known_hash)


def no_key(who: str) -> ProblemError:
    detail = f"This needs the key of {who}, in the header Heddle-Key. The page that made or joined the class has it."
    return ProblemError(401, "no-class-key", "The key of this class is needed", detail)
