"""A program of patterns read with names for its positions: one expression of index notation, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from heddle.explorer.translation.bridged import no_bridge
from heddle.explorer.translation.symbols import (
    ArraySymbol,
    ChainSymbol,
    FunctionSymbol,
    Index,
    OperatorSymbol,
    PairSymbol,
    PieceOf,
    PlaceIn,
    Position,
    ScalarSymbol,
    Symbol,
)
from heddle.notation.nodes import (
    Access,
    Binary,
    Expression,
    IndexValue,
    Literal,
    Reduce,
    Unary,
    accesses,
)
from heddle.patterns.syntax.nodes import (
    Annotated,
    Apply,
    Element,
    Lambda,
    Let,
    NatLambda,
    Negative,
    Number,
    Operator,
    PairTerm,
    Projection,
    Term,
    Variable,
)
from heddle.patterns.syntax.nodes import Binary as BinaryTerm
from heddle.patterns.syntax.printer import to_text
from heddle.patterns.typing.signatures import MAPS, PATTERNS, SHORT

NAMES = "ijklmnpqrstuvw"
STATE = "state'"
_KEEPING = ("toGlobal", "toLocal", "toPrivate")


@dataclass(slots=True)
class Reading:
    """``splits`` are the variables that were cut into pieces, with the sizes of these; ``parallel`` those whose loop is
    on threads."""

    taken: set[str]
    splits: dict[str, str] = field(default_factory=dict)
    merged: dict[tuple[str, str], Index] = field(default_factory=dict)
    parallel: set[str] = field(default_factory=set)
    piece_loops: set[str] = field(default_factory=set)

    def fresh(self, array: ArraySymbol) -> Index:
        name = next((candidate for candidate in NAMES if candidate not in self.taken), None)
        if name is None:
            raise no_bridge("The program has more loops than there are names for them.", f"at most {len(NAMES)}", "")
        self.taken.add(name)
        if array.parallel:
            self.parallel.add(name)
        return Index(name, array.over)

    # ------------------------------------------------------------------------------------------------- terms

    def term(self, term: Term, names: Mapping[str, Symbol]) -> Symbol:
        match term:
            case Variable(name=name):
                if name in names:
                    return names[name]
                pattern = SHORT.get(name, name)
                if pattern in PATTERNS:
                    return FunctionSymbol(term, names, pattern)
                if name in ("min", "max", "clamp", "wrap"):
                    return OperatorSymbol(name)
                raise self.refusal(term, "it is no array of these")
            case Number(text=text, is_float=is_float):
                return ScalarSymbol(Literal(float(text) if is_float else int(text)))
            case Operator(operator=operator):
                return OperatorSymbol(operator)
            case Lambda() | NatLambda():
                return FunctionSymbol(term, names)
            case Let(name=name, value=value, body=body):
                return self.term(body, {**names, name: self.term(value, names)})
            case Annotated(term=inner):
                return self.term(inner, names)
            case PairTerm(first=first, second=second):
                return PairSymbol(self.term(first, names), self.term(second, names))
            case Projection(pair=pair, number=number):
                both = self.term(pair, names)
                if isinstance(both, PairSymbol):
                    return both.first if number == 1 else both.second
                raise self.refusal(term, "it is no pair")
            case Element(array=array, index=index):
                where = self.term(index, names)
                if isinstance(where, ScalarSymbol) and where.index is not None:
                    return self.array(self.term(array, names), array).element(where.index)
                raise self.refusal(index, "an index is computed, and index notation has none but its variables")
            case BinaryTerm(operator=operator, left=left, right=right):
                return self._combine(operator, self.term(left, names), self.term(right, names), term)
            case Negative(operand=operand):
                return ScalarSymbol(Unary("-", self.scalar(self.term(operand, names), operand)))
            case Apply(function=function, arguments=arguments):
                return self._apply_term(function, arguments, names, term)
            case _:
                raise self.refusal(term, "index notation has no such term here")

    def refusal(self, term: Term, why: str) -> Exception:
        text = to_text(term)
        short = text if len(text) <= 60 else f"{text[:57]}…"
        return no_bridge(f"{short} does not fit index notation: {why}.", "maps, zips, sums and products", short)

    def scalar(self, symbol: Symbol, term: Term) -> Expression:
        if isinstance(symbol, ScalarSymbol):
            return symbol.expression
        raise self.refusal(term, "it is no number")

    def array(self, symbol: Symbol, term: Term) -> ArraySymbol:
        if isinstance(symbol, ArraySymbol):
            return symbol
        raise self.refusal(term, "it is no array")

    def _apply_term(
        self, function: Term, arguments: tuple[Term, ...], names: Mapping[str, Symbol], term: Term
    ) -> Symbol:
        if isinstance(function, Variable) and function.name not in names:
            if function.name == "toNat":
                return self.term(arguments[0], names)
            if function.name in ("min", "max") and len(arguments) == 2:
                left, other = (self.term(side, names) for side in arguments)
                return self._combine(function.name, left, other, term)
        first = self.term(arguments[0], names)
        applied = self.term(function, names)
        if (
            isinstance(first, FunctionSymbol | ChainSymbol | OperatorSymbol)
            and len(arguments) == 1
            and (isinstance(term, Apply) and term.pipe)
        ):
            return ChainSymbol(first, applied)
        for argument in (first, *(self.term(argument, names) for argument in arguments[1:])):
            applied = self.apply(applied, (argument,), term)
        return applied

    def apply(self, function: Symbol, arguments: tuple[Symbol, ...], term: Term) -> Symbol:
        """What ``function`` makes of ``arguments``, one after the other."""
        for argument in arguments:
            match function:
                case FunctionSymbol(pattern=str() as pattern, bound_arguments=bound_arguments):
                    supplied = (*bound_arguments, argument)
                    if len(supplied) < len(PATTERNS[pattern].takes):
                        function = replace(function, bound_arguments=supplied)
                    else:
                        function = self._pattern(pattern, supplied, term)
                case (
                    FunctionSymbol(term=Lambda(parameter=name, body=body), names=names)
                    | FunctionSymbol(term=NatLambda(parameter=name, body=body), names=names)
                ):
                    function = self.term(body, {**names, name: argument})
                case ChainSymbol(first=first, second=second):
                    function = self.apply(second, (self.apply(first, (argument,), term),), term)
                case OperatorSymbol(operator=operator) if isinstance(argument, PairSymbol):
                    function = self._combine(operator, argument.first, argument.second, term)
                case _:
                    raise self.refusal(term, "it is applied as no function is")
        return function

    def apply_two(self, function: Symbol, first: Symbol, second: Symbol, term: Term) -> Symbol:
        if isinstance(function, OperatorSymbol):
            return self._combine(function.operator, first, second, term)
        return self.apply(function, (first, second), term)

    def _combine(self, operator: str, left: Symbol, right: Symbol, term: Term) -> Symbol:
        scalar, other = self.scalar(left, term), self.scalar(right, term)
        match operator:
            case "+" | "-" | "*" | "/":
                return ScalarSymbol(Binary(operator, scalar, other))
            case _:
                raise self.refusal(term, f"{operator} is not taken over")

    # ---------------------------------------------------------------------------------------------- patterns

    def _pattern(self, name: str, symbol: tuple[Symbol, ...], term: Term) -> Symbol:
        if name in MAPS or name == "mapi":
            source = self.array(symbol[1], term)
            parallel = source.parallel or name == "mapPar"
            return replace(source, element=lambda at: self._map(name, symbol[0], source, at, term), parallel=parallel)
        if name in _KEEPING:
            return symbol[0]
        match name:
            case "zip":
                left, right = self.array(symbol[0], term), self.array(symbol[1], term)
                both = left if left.over is not None or left.piece is not None else right
                return replace(
                    both,
                    element=lambda at: PairSymbol(left.element(at), right.element(at)),
                    parallel=left.parallel or right.parallel,
                )
            case "unzip":
                source = self.array(symbol[0], term)
                return PairSymbol(*(self._half(source, number, term) for number in (1, 2)))
            case "split" | "splitUp" | "deal":
                return self._pieces(name, symbol[0], self.array(symbol[1], term), term)
            case "join":
                return self._join(self.array(symbol[0], term), term)
            case "transpose":
                source = self.array(symbol[0], term)
                return ArraySymbol(
                    lambda column: ArraySymbol(lambda row: self.array(source.element(row), term).element(column))
                )
            case "generate":
                return ArraySymbol(lambda at: self.apply(symbol[1], (_coordinate(at, self, term),), term))
            case "iota":
                return ArraySymbol(lambda at: _coordinate(at, self, term))
            case "zeros":
                return ArraySymbol(lambda at: ScalarSymbol(Literal(0)))
            case "reduce" | "reduceSeq" | "reduceUnroll":
                return self._reduce(symbol[0], symbol[1], self.array(symbol[2], term), term)
            case _:
                raise self.refusal(term, f"{name} is not taken over")

    def _map(self, name: str, function: Symbol, source: ArraySymbol, at: Position, term: Term) -> Symbol:
        element = source.element(at)
        if name == "mapi":
            return self.apply(function, (_coordinate(at, self, term), element), term)
        return self.apply(function, (element,), term)

    def _half(self, source: ArraySymbol, number: int, term: Term) -> ArraySymbol:
        def element(at: Position) -> Symbol:
            element = source.element(at)
            if not isinstance(element, PairSymbol):
                raise self.refusal(term, "its elements are no pairs")
            return element.first if number == 1 else element.second

        return replace(source, element=element)

    def _pieces(self, name: str, size: Symbol, source: ArraySymbol, term: Term) -> ArraySymbol:
        number = (
            size.expression.value if isinstance(size, ScalarSymbol) and isinstance(size.expression, Literal) else None
        )
        if not isinstance(number, int):
            raise self.refusal(term, "the size of its pieces is not a number")
        key = f"{name.replace('splitUp', 'split')} {number}"

        def row(piece: Position) -> Symbol:
            def element(place: Position) -> Symbol:
                match piece, place:
                    case PieceOf(whole=whole, size=piece_size), PlaceIn(whole=same, size=place_size) if whole == same:
                        if piece_size == place_size == key:
                            self.splits[whole.name] = key
                            return source.element(whole)
                    case Index(name=outer, over=None), Index(name=inner, over=None):
                        whole = self.merged.setdefault((outer, inner), Index(f"{outer}{inner}", source.over))
                        self.splits[whole.name] = key
                        return source.element(whole)
                raise self.refusal(term, "its pieces are not put together as they were cut")

            return ArraySymbol(element, piece=key if name != "deal" else None)

        return ArraySymbol(row, parallel=source.parallel)

    def _join(self, source: ArraySymbol, term: Term) -> ArraySymbol:
        def element(at: Position) -> Symbol:
            if not isinstance(at, Index):
                raise self.refusal(term, "it is cut again")
            # The size of a piece is asked of any one.
            size = self.array(source.element(Index("?")), term).piece
            if size is None:
                raise self.refusal(term, "its rows are not pieces of one array")
            if source.parallel:
                self.piece_loops.add(at.name)
            row = self.array(source.element(PieceOf(at, size)), term)
            return row.element(PlaceIn(at, size))

        return ArraySymbol(element)

    def _reduce(self, function: Symbol, start: Symbol, source: ArraySymbol, term: Term) -> Symbol:
        index = self.fresh(source)
        element = source.element(index)
        if isinstance(start, ArraySymbol):
            return ArraySymbol(
                lambda at: ScalarSymbol(
                    self._add(
                        self.scalar(
                            self.array(self.apply_two(function, _states(at), element, term), term).element(at), term
                        ),
                        self.scalar(start.element(at), term),
                        index,
                        term,
                    )
                )
            )
        state = ScalarSymbol(Access(STATE, ()))
        scalar = self.scalar(self.apply_two(function, state, element, term), term)
        return ScalarSymbol(self._add(scalar, self.scalar(start, term), index, term))

    def _add(self, expression: Expression, start: Expression, index: Index, term: Term) -> Expression:
        """The sum of what a step adds to the state."""
        added = _addend(expression)
        if added is None or any(access.tensor == STATE for access in accesses(added)):
            raise self.refusal(term, "its state is not what is added up")
        total = Reduce("+", index.name, added)
        return total if isinstance(start, Literal) and start.value == 0 else Binary("+", start, total)


def _coordinate(at: Position, reading: Reading, term: Term) -> ScalarSymbol:
    if isinstance(at, Index) and at.over is None:
        return ScalarSymbol(IndexValue(at.name), at)
    raise reading.refusal(term, "a position among entries is no coordinate")


def _states(at: Position) -> ArraySymbol:
    """The state of a reduction to an array, of which only the element that is computed is known."""

    def element(other: Position) -> Symbol:
        return ScalarSymbol(Access(STATE if other == at else "another'", ()))

    return ArraySymbol(element)


def _addend(expression: Expression) -> Expression | None:
    match expression:
        case Binary(operator="+", left=Access(tensor=name), right=right) if name == STATE:
            return right
        case Binary(operator="+", left=left, right=Access(tensor=name)) if name == STATE:
            return left
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            inner = _addend(left)
            return Binary(operator, inner, right) if inner is not None else None
        case _:
            return None
