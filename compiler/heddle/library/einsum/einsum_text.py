"""The strings of ``einsum``, as NumPy and opt_einsum have them, as index notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from heddle.diagnostics import Diagnostic, Location, OperandError, Part

ELLIPSIS = "..."
RESULT = "Z"
_NAMES = [chr(code) for code in range(ord("A"), ord("Z"))]


@dataclass(frozen=True)
class Subscripts:
    """``operands`` has the index variables of each operand, in which one may repeat; ``result`` those of the result."""

    operands: tuple[tuple[str, ...], ...]
    result: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the operands are called, in their order: A, B, C, …"""
        return tuple(operand_name(number) for number in range(len(self.operands)))

    @cached_property
    def repeats(self) -> bool:
        """Whether an index stands twice in an operand."""
        return any(len(set(variables)) < len(variables) for variables in self.operands)

    @cached_property
    def expression(self) -> str:
        """The product in index notation, over the distinct variables of each operand."""
        factors = [
            _access(name, tuple(dict.fromkeys(variables)))
            for name, variables in zip(self.names, self.operands, strict=True)
        ]
        return f"{_access(RESULT, self.result)} = {' * '.join(factors)}"


def operand_name(number: int) -> str:
    """Of the operand of this number, from 0."""
    return _NAMES[number] if number < len(_NAMES) else f"T{number}"


def parse_subscripts(text: str, orders: Sequence[int]) -> Subscripts:
    """The subscripts of ``text`` for operands of so many dimensions each.

    An ellipsis stands for the dimensions that no letter names, aligned at the right. Without ``->`` the result has the
    letters that occur once, in alphabetical order, behind what an ellipsis stands for.

    Raises
    ------
    OperandError
        ``einsum/syntax``, ``einsum/operands``, ``einsum/order`` or ``einsum/result``.
    """
    plain = "".join(text.split())
    left, arrow, right = plain.partition("->")
    terms = left.split(",")
    if len(terms) != len(orders):
        raise _refuse(
            "operands",
            f'"{text}" has subscripts for {_count(len(terms), "operand")}, but {len(orders)} are passed.',
            f"{len(terms)} operands",
            f"{len(orders)}",
        )
    for term in (*terms, right):
        _check_term(text, term)
    broadcast = max(0, *(order - _letters(term) for term, order in zip(terms, orders, strict=True)))
    operands = [
        _expanded(text, term, order, broadcast, n) for n, (term, order) in enumerate(zip(terms, orders, strict=True))
    ]
    counts = Counter(letter for operand in operands for letter in operand)
    hidden = [name for name in counts if len(name) > 1]
    if arrow:
        dots = sorted(hidden) if ELLIPSIS in right else []
        at = right.find(ELLIPSIS)
        letters = list(right.replace(ELLIPSIS, ""))
        result = letters[:at] + dots + letters[at:] if ELLIPSIS in right else letters
    else:
        result = sorted(hidden) + sorted(name for name, count in counts.items() if count == 1 and len(name) == 1)
    _check_result(text, result, counts, hidden if arrow and ELLIPSIS not in right else [])
    renamed = {name: _variable(name, number) for number, name in enumerate(counts)}
    return Subscripts(
        tuple(tuple(renamed[name] for name in operand) for operand in operands),
        tuple(renamed[name] for name in result),
    )


def _check_term(text: str, term: str) -> None:
    letters = term.replace(ELLIPSIS, "", 1)
    for letter in letters:
        if not letter.isalpha():
            raise _refuse(
                "syntax",
                f'"{text}" has the character `{letter}`, which is not an index.',
                'letters, "," between operands, "->" before the result, and "..."',
                letter,
                'Write hd.einsum("ij,jk->ik", A, B); for other operations than products see hd.evaluate.',
            )


def _letters(term: str) -> int:
    """How many dimensions its letters name; those of a term without an ellipsis are all."""
    return len(term.replace(ELLIPSIS, "")) if ELLIPSIS in term else 1 << 30


def _expanded(text: str, term: str, order: int, broadcast: int, number: int) -> list[str]:
    letters = term.replace(ELLIPSIS, "")
    missing = order - len(letters)
    if missing < 0 or (missing and ELLIPSIS not in term):
        raise _refuse(
            "order",
            f'Operand {number} has {_count(order, "dimension")}, but "{term}" of "{text}" names {len(letters)}.',
            _count(order, "letter"),
            f'"{term}"',
        )
    if ELLIPSIS not in term:
        return list(letters)
    dots = [f"dots{place}" for place in range(broadcast - missing, broadcast)]
    at = term.find(ELLIPSIS)
    return [*letters[:at], *dots, *letters[at:]]


def _check_result(text: str, result: Sequence[str], counts: Counter[str], dropped: Sequence[str]) -> None:
    repeated = next((letter for letter, count in Counter(result).items() if count > 1), None)
    unknown = next((letter for letter in result if letter not in counts), None)
    if repeated is not None:
        reason, actual = f"names {repeated} twice", repeated
    elif unknown is not None:
        reason, actual = f"names {unknown}, which no operand has", unknown
    elif dropped:
        reason, actual = "leaves out the dimensions that ... stands for", "no ellipsis"
    else:
        return
    raise _refuse("result", f'The result of "{text}" {reason}.', "letters of the operands, each once", actual)


def _variable(name: str, number: int) -> str:
    """Letters that are names of index notation stay; others get names that no tensor has."""
    return name if len(name) > 1 or ("a" <= name <= "z") else f"v{number}"


def _access(name: str, variables: Sequence[str]) -> str:
    return f"{name}({','.join(variables)})" if variables else name


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _refuse(code: str, message: str, expected: str, actual: str, hint: str | None = None) -> OperandError:
    return OperandError(
        Diagnostic(f"einsum/{code}", message, Location(Part.EXPRESSION), expected=expected, actual=actual, hint=hint)
    )
