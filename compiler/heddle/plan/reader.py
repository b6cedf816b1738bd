"""Reading untrusted JSON: each method returns the value, or notes a problem with its JSON pointer and gives None."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part, nearest


class Reader:
    """Collects every problem of one document, so that a person sees all of them at once."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def finish(self) -> None:
        if self.diagnostics:
            raise CompileError(*self.diagnostics)

    def problem(
        self,
        code: str,
        message: str,
        path: str,
        *,
        expected: str | None = None,
        actual: str | None = None,
        candidates: tuple[str, ...] = (),
        hint: str | None = None,
        tensor: str | None = None,
        fixes: tuple[Fix, ...] = (),
    ) -> None:
        location = Location(Part.PLAN, path=path, tensor=tensor)
        self.diagnostics.append(
            Diagnostic(
                code, message, location, expected=expected, actual=actual, candidates=candidates, hint=hint, fixes=fixes
            )
        )

    def wrong_type(self, value: object, path: str, expected: str) -> None:
        actual = describe(value)
        self.problem(
            "plan/type", f"{name_of(path)} must be {expected}, found {actual}", path, expected=expected, actual=actual
        )

    def entries(self, value: object, path: str, limit: int) -> dict[str, object]:
        """A JSON object with at most ``limit`` entries; an empty one after a problem."""
        if not isinstance(value, Mapping):
            self.wrong_type(value, path, "an object")
            return {}
        if len(value) > limit:
            self.problem(
                "plan/too-many-entries",
                f"{name_of(path)} has {len(value)} entries, the limit is {limit}",
                path,
                expected=f"at most {limit} entries",
                actual=str(len(value)),
            )
            return {}
        texts = {key: entry for key, entry in value.items() if isinstance(key, str)}
        if len(texts) < len(value):
            self.wrong_type(next(key for key in value if not isinstance(key, str)), path, "an object with text keys")
        return texts

    def known_keys(
        self,
        entries: dict[str, object],
        path: str,
        known: tuple[str, ...],
        *,
        code: str = "plan/unknown-key",
        what: str | None = None,
        meant: Mapping[str, str] | None = None,
    ) -> None:
        """Notes every key that is not ``known``; a misspelt key must not be ignored. ``what`` has the entries, and
        ``meant`` says what other programs call some of the known ones."""
        for key in entries:
            if key not in known:
                other = (meant or {}).get(key)
                close = (other,) if other in known else nearest(key, known)
                self.problem(
                    code,
                    f"{what or name_of(path)} has no entry `{shorten(key)}`"
                    + (f"; did you mean {close[0]}?" if close else ""),
                    child(path, key),
                    expected="one of " + ", ".join(known),
                    actual=f"`{shorten(key)}`",
                    candidates=close or known,
                )

    def text(
        self, value: object, path: str, limit: int, shorter: Callable[[str], tuple[Fix, ...]] | None = None
    ) -> str | None:
        """``shorter`` has the repairs of a text that is too long."""
        if not isinstance(value, str):
            self.wrong_type(value, path, "a text")
            return None
        if len(value) > limit:
            self.problem(
                "plan/too-long",
                f"{name_of(path)} has {len(value)} characters, the limit is {limit}",
                path,
                expected=f"at most {limit} characters",
                actual=f"{len(value)} characters",
                fixes=() if shorter is None else shorter(value),
            )
            return None
        return value

    def choice(self, value: object, path: str, choices: tuple[str, ...]) -> str | None:
        if isinstance(value, str) and value in choices:
            return value
        actual = describe(value)
        close = nearest(value, choices) if isinstance(value, str) and len(value) <= 100 else ()
        self.problem(
            "plan/choice",
            f"{name_of(path)} must be one of {', '.join(choices)}, found {actual}",
            path,
            expected="one of " + ", ".join(choices),
            actual=actual,
            candidates=close or choices,
        )
        return None

    def integer(self, value: object, path: str, smallest: int, largest: int) -> int | None:
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # JSON has one kind of number
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong_type(value, path, "an integer")
            return None
        if not smallest <= value <= largest:
            actual = describe(value)
            self.problem(
                "plan/out-of-range",
                f"{name_of(path)} must be from {smallest} to {largest}, found {actual}",
                path,
                expected=f"an integer from {smallest} to {largest}",
                actual=actual,
            )
            return None
        return value

    def number(self, value: object, path: str, largest: int) -> int | float | None:
        """An integer or a finite float of at most ``largest`` in magnitude; whole floats become integers."""
        if isinstance(value, float):
            if not math.isfinite(value):
                self.wrong_type(value, path, "a finite number")
                return None
            if value.is_integer() and abs(value) <= largest:
                return int(value)
            if abs(value) <= largest:
                return value
        elif isinstance(value, bool) or not isinstance(value, int):
            self.wrong_type(value, path, "a number")
            return None
        return self.integer(int(value), path, -largest, largest)

    def elements(self, value: object, path: str, limit: int | None, what: str) -> list[object]:
        if not isinstance(value, list | tuple):
            self.wrong_type(value, path, f"a list of {what}")
            return []
        if limit is not None and len(value) > limit:
            self.problem(
                f"plan/too-many-{what.replace(' ', '-')}",
                f"{name_of(path)} has {len(value)} {what}, the limit is {limit}",
                path,
                expected=f"at most {limit} {what}",
                actual=str(len(value)),
            )
            return []
        return [*value]


def child(path: str, key: str | int) -> str:
    """The JSON pointer (RFC 6901) of an entry; a stranger's key is cut to a bounded length."""
    return f"{path}/{shorten(str(key)).replace('~', '~0').replace('/', '~1')}"


def name_of(path: str) -> str:
    """A pointer in a reader's words: ``/tensors/A/shape`` is ``tensors.A.shape``."""
    return ".".join(part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]) or "the plan"


def shorten(text: str) -> str:
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    return shown if shown.isprintable() else ascii(shown)[1:-1]


def describe(value: object) -> str:
    """What was found, in bounded length."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text `{shorten(value)}`"
        case int() if abs(value) >= 10**30:
            return f"an integer of {value.bit_length()} bits"
        case int() | float():
            return f"the number {value}"
        case list() | tuple():
            return "a list"
        case Mapping():
            return "an object"
        case _:
            return f"a value of type {type(value).__name__}"
