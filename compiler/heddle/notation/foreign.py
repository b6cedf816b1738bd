"""Expressions of other systems as index notation: einsum, products with ``@``, Halide, LaTeX, TACO's declarations."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_EINSUM = re.compile(
    r"(?:(\w+)\s*=\s*)?(?:\w+\.)*einsum\(\s*(['\"])([A-Za-z,\s]*)(?:->([A-Za-z\s]*))?\2\s*,(.*)\)",
    re.DOTALL,
)
_EINSUM_STRING = re.compile(r"([a-z]+(?:,[a-z]+)*)->([a-z]*)")
_KEYWORD = re.compile(r"^\w+\s*=")
_NAME = re.compile(r"[A-Za-z]\w*")
_DOT = re.compile(r"(?:\b\w+\.)?\b(?:dot|matmul)\(\s*(\w+)\s*,\s*(\w+)\s*\)")
_METHOD_DOT = re.compile(r"\b(\w+)\.dot\(\s*(\w+)\s*\)")
_PRODUCT = re.compile(r"(?:([A-Za-z]\w*)\s*(\+?=))?([^=@]*@[^=]*)")
_FACTOR = re.compile(r"^([A-Za-z]\w*)\s*(\.T|\.t\(\)|\.transpose\(\))?$")
_SCALED = re.compile(r"^(?:([A-Za-z0-9.]\w*)\s*\*\s*)?([^*]+)$")
_REDUCED = re.compile(r"\b([A-Za-z]\w*)\.([xyzw])\b")
_DECLARED = re.compile(
    r"(?:const\s+)?(?:taco::)?(?:(?:Tensor|TensorVar)\s*(?:<[^>;]*>)?|IndexVar|Format|Dimension)\s+\w+[^;=]*;\s*"
)
_COMMENT = re.compile(r"(?://|#|/\*)(?!\s*[\d(]|\s*[A-Za-z]\w*\s*\().*?(?:\*/|(?=\n)|$)", re.DOTALL)

_LATEX_SUM = re.compile(r"\\sum(?:\\limits)?\s*(?:_(?:\{[^{}]*\}|\w)|\^(?:\{[^{}]*\}|\w)|\s)*")
_LATEX_SPACE = re.compile(r"\\[,;:! ]|\\q?quad\b|\\(?:left|right)\b|&|~")
_LATEX_TIMES = re.compile(r"\\(?:cdot|times|ast)\b")
_BELOW = re.compile(r"\b([A-Za-z])_(?:\{([A-Za-z,\s]+)\}|([A-Za-z])\b)(?!\s*\()")
_NOT_LETTERS = re.compile(r"[^A-Za-z]")
_SIDE_BY_SIDE = re.compile(r"(\)|\b\d+(?:\.\d+)?)\s+(?=[A-Za-z(])")

RESULTS = ("a", "y", "C", "T")
"""Names for a result by its order, where the text has none."""
INDICES = "ijklmnopqrstuvw"

SELECT = (
    "there is no `c ? a : b` in index notation: write (c) * a + (1 - (c)) * b, or compile with "
    'language="comprehension", which has it'
)
_CONJUGATE = "Conjugate the operand itself: {name} of an array is x.conj()."
FUNCTIONS_INSTEAD = {
    "conj": _CONJUGATE,
    "conjugate": _CONJUGATE,
    "where": SELECT,
    "select": SELECT,
    "mean": "Divide a sum: y(i) = sum(j, A(i,j)) / n with a scalar n; T.mean(axis=1) of a tensor does.",
    "average": "Divide a sum: y(i) = sum(j, A(i,j)) / n with a scalar n; T.mean(axis=1) of a tensor does.",
    "argmax": "max(j, A(i,j)) is the value; T.argmax(axis=1) of a tensor has its place.",
    "argmin": "min(j, A(i,j)) is the value; T.argmin(axis=1) of a tensor has its place.",
    "softmax": "Write statements: m(i) = max(j, A(i,j)); E(i,j) = exp(A(i,j) - m(i)); s(i) = E(i,j); "
    "Y(i,j) = E(i,j) / s(i)",
    "norm": "Write sqrt(sum(i, square(x(i)))).",
    "count": "Count with a comparison: sum(j, A(i,j) != 0).",
    "nnz": "Count with a comparison: sum(j, A(i,j) != 0).",
    "transpose": "Swap the indices: A(j,i).",
    "dot": "Write a product: what both share and the result lacks is summed over, y(i) = A(i,j) * x(j).",
    "matmul": "Write a product: what both share and the result lacks is summed over, C(i,k) = A(i,j) * B(j,k).",
    "einsum": 'Use hd.einsum("ij,j->i", A, x), or write y(i) = A(i,j) * x(j).',
    "maximum": "Write max(a, b).",
    "minimum": "Write min(a, b).",
}
"""Functions of NumPy, PyTorch and GraphBLAS that index notation writes in another way."""


@dataclass(frozen=True, slots=True)
class Translation:
    """``text`` is what was meant, in index notation; ``hint`` says what the other system's words are here."""

    text: str
    hint: str


def translate(text: str) -> Translation | None:
    """What an expression of another system would be here; None where nothing of them is recognised."""
    text = text.strip().removesuffix(";").rstrip()
    for read in READERS:
        translation = read(text)
        if translation is not None and translation.text.strip():
            return translation
    return None


def _einsum(text: str) -> Translation | None:
    match = _EINSUM.fullmatch(text)
    if match is None:
        return None
    target, _, inputs, output, rest = match.groups()
    terms = ["".join(term.split()) for term in inputs.split(",")]
    operands = [word.strip() for word in rest.split(",") if word.strip() and not _KEYWORD.match(word.strip())]
    if len(operands) != len(terms) or not all(map(_NAME.fullmatch, operands)):
        return None
    letters = "".join(terms)
    result = "".join(output.split()) if output is not None else _once(letters)
    name = target or _result_name(len(result), operands)
    factors = (_access(operand, term) for operand, term in zip(operands, terms, strict=True))
    hint = "einsum lists the indices apart from the operands; here each operand is written with its own"
    return Translation(f"{_access(name, result)} = {' * '.join(factors)}", hint)


def _einsum_string(text: str) -> Translation | None:
    """``ij,j->i`` alone, of operands that have no names."""
    match = _EINSUM_STRING.fullmatch("".join(text.split()).strip("'\""))
    if match is None:
        return None
    terms, result = match[1].split(","), match[2]
    names = [chr(ord("A") + number) for number in range(len(terms))]
    factors = (_access(name, term) for name, term in zip(names, terms, strict=True))
    hint = (
        f'a string of einsum is for hd.einsum("{match[0]}", {", ".join(names)}); here each operand is written with its '
        "own indices"
    )
    return Translation(f"{_access(_result_name(len(result), names), result)} = {' * '.join(factors)}", hint)


def _once(letters: str) -> str:
    return "".join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))


def _product(text: str) -> Translation | None:
    plain = _METHOD_DOT.sub(r"\1 @ \2", _DOT.sub(r"\1 @ \2", text))
    match = _PRODUCT.fullmatch(plain)
    if match is None:
        return None
    target, assign, right = match.groups()
    signs, terms = re.findall(r"\s*([+-])\s*", right), re.split(r"\s*[+-]\s*", right)
    scaled = [_SCALED.match(term.strip()) for term in terms]
    chains = [None if term is None else _chain(term.group(2)) for term in scaled]
    if any(chain is None for chain in chains):
        return None
    read = [chain for chain in chains if chain is not None]
    outer = [_outer(chain) for chain in read]
    if len(set(outer)) != 1:
        return None
    written = [_print_sum(chain, outer[0]) for chain in read]
    factors = [term.group(1) if term is not None else None for term in scaled]
    parts = [f"{factor} * {part}" if factor else part for factor, part in zip(factors, written, strict=True)]
    expression = parts[0] + "".join(f" {sign} {part}" for sign, part in zip(signs, parts[1:], strict=True))
    names = [name for chain in read for name, _, _ in chain]
    name = target or _result_name(outer[0], names)
    hint = (
        "NumPy's product is written with indices here: what is summed over is shared (capitals are taken as matrices)"
    )
    return Translation(f"{_access(name, INDICES[: outer[0]])} {assign or '='} {expression}", hint)


Factor = tuple[str, int, bool]
"""A name, its order, and whether it is transposed."""


def _chain(text: str) -> list[Factor] | None:
    """The factors of ``A @ B @ x``. Capital letters begin the names of matrices, small ones those of vectors."""
    factors: list[Factor] = []
    for word in text.split("@"):
        match = _FACTOR.match(word.strip())
        if match is None:
            return None
        factors.append((match.group(1), 2 if match.group(1)[0].isupper() else 1, match.group(2) is not None))
    vectors_inside = any(order == 1 for _, order, _ in factors[1:-1])
    return None if vectors_inside or len(factors) > len(INDICES) - 2 else factors


def _outer(chain: Sequence[Factor]) -> int:
    """The order of what a chain makes."""
    return sum(order for _, order, _ in chain) - 2 * (len(chain) - 1)


def _print_sum(chain: Sequence[Factor], outer: int) -> str:
    """The factors with their indices; what neighbours share is summed over."""
    result, inner = list(INDICES[:outer]), list(INDICES[outer : outer + len(chain) - 1])
    row = [] if chain[0][1] == 1 and len(chain) > 1 else [result[0]]
    column = result[len(row) :]
    path = [*row, *inner, *column]
    accesses, place = [], 0
    for name, order, transposed in chain:
        indices = path[place : place + order]
        accesses.append(_access(name, "".join(reversed(indices) if transposed else indices)))
        place += order - 1
    return " * ".join(accesses)


def _halide(text: str) -> Translation | None:
    parts: dict[str, set[str]] = {}
    for domain, axis in _REDUCED.findall(text):
        parts.setdefault(domain, set()).add(axis)
    if not parts:
        return None
    plain = _REDUCED.sub(lambda match: match[1] if len(parts[match[1]]) == 1 else match[1] + match[2], text)
    names = ", ".join(f"`{domain}.{axis}`" for domain, axes in parts.items() for axis in sorted(axes))
    return Translation(plain.strip().rstrip(";"), f"write Halide's {names} as an index variable")


def _declarations(text: str) -> Translation | None:
    rest = _DECLARED.sub("", text)
    if rest == text:
        return None
    hint = "leave out TACO's declarations: formats and types are chosen beside the expression"
    return Translation(rest.strip().rstrip(";"), hint)


def _comment(text: str) -> Translation | None:
    rest = _COMMENT.sub("", text)
    return (
        None
        if rest == text
        else Translation(rest.strip(), "an expression takes no comments; they may stand in the schedule, after `#`")
    )


def _latex(text: str) -> Translation | None:
    """``y_i = \\sum_j A_{ij} x_j``: letters below a name are its indices, side by side is a product."""
    if "\\" not in text and "_{" not in text:
        return None
    plain = _LATEX_SPACE.sub(" ", _LATEX_SUM.sub(" ", text.strip().strip("$")))
    plain = _LATEX_TIMES.sub(" * ", plain)
    if "\\" in plain or "^" in plain:
        return None
    accesses = _BELOW.sub(lambda match: _access(match[1], _NOT_LETTERS.sub("", match[2] or match[3])), plain)
    if accesses == plain:
        return None
    hint = "LaTeX puts indices below a name; here they stand in parentheses, and what is not on the left is summed over"
    return Translation(_SIDE_BY_SIDE.sub(r"\1 * ", " ".join(accesses.split())), hint)


READERS: tuple[Callable[[str], Translation | None], ...] = (
    _declarations,
    _einsum,
    _einsum_string,
    _product,
    _halide,
    _latex,
    _comment,
)


def _access(name: str, indices: str) -> str:
    return f"{name}({','.join(indices)})" if indices else name


def _result_name(order: int, reserved: Sequence[str]) -> str:
    name = RESULTS[min(order, len(RESULTS) - 1)]
    while name in reserved:
        name += "0"
    return name


def written_instead(name: str) -> str | None:
    """How index notation writes the function ``name``; None for any other."""
    hint = FUNCTIONS_INSTEAD.get(name)
    return None if hint is None else hint.replace("{name}", name.lower())
