"""Texts of programs to terms: recursive descent, an operator's strength by the depth of its function."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import CompileError, Diagnostic, Fix
from heddle.patterns.syntax.depth import check_depth
from heddle.patterns.syntax.limits import MAX_DEPTH
from heddle.patterns.syntax.nodes import (
    Annotated,
    Apply,
    ArrayTerm,
    Binary,
    Choice,
    Element,
    IndexTerm,
    Lambda,
    Let,
    NatLambda,
    Negative,
    Number,
    Operator,
    PairTerm,
    PairTypeTerm,
    Projection,
    ScalarTerm,
    Span,
    Term,
    Truth,
    TypeTerm,
    Variable,
)
from heddle.patterns.syntax.problem import problem
from heddle.patterns.syntax.words import Reader

DIGITS = 19
"""Of the largest integer of 64 bits."""
OPERATORS = ("+", "*", "-", "/", "%", "&&", "||")
_LEVELS = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))


def parse(text: str) -> Term:
    """The term that ``text`` spells.

    Raises
    ------
    CompileError
        ``patterns/syntax``, ``patterns/too-long``, ``patterns/too-deep``, ``patterns/character``, ``patterns/number``
        or ``patterns/projection``.
    """
    try:
        return _parse(text)
    except CompileError as error:
        raise CompileError(*(_with_fixes_that_parse(each) for each in error.diagnostics)) from None


def _parse(text: str) -> Term:
    parser = _Parser(text)
    term = parser.term()
    if parser.next.kind != "end":
        parser.fail("the end of the program, or `:>>`")
    check_depth(term)
    return term


def _with_fixes_that_parse(diagnostic: Diagnostic) -> Diagnostic:
    """Where a repair leaves another mistake at the same place it was none; but several parentheses may be missing."""
    fixes = [_follow(fix) for fix in diagnostic.fixes]
    return replace(diagnostic, fixes=tuple(fix for fix in fixes if fix is not None))


def _follow(fix: Fix) -> Fix | None:
    """The repair and those that the text still needs after it; None where it leads nowhere."""
    for inserted in range(1, MAX_DEPTH):
        if fix.expression is None:
            return fix
        try:
            _parse(fix.expression)
        except CompileError as error:
            left = error.diagnostics[0].fixes
            if not left:
                return None
            fix = replace(left[0], title=f"Insert the {inserted + 1} parentheses")
        else:
            return fix
    return None


class _Parser(Reader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    # ------------------------------------------------------------------------------------------------- terms

    def _enter(self) -> None:
        """Begins what lies inside of another term or type; counted by hand, for levels are dear: each takes a dozen of
        Python's frames."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise problem(
                "too-deep",
                f"Terms are more than {MAX_DEPTH} levels inside one another.",
                self.next.span,
                expected=f"at most {MAX_DEPTH} levels",
                hint="Name parts of it with let.",
            )

    def term(self) -> Term:
        self._enter()
        start = self.next.span[0]
        if self.word("let"):
            self.take()
            name = self.want("name").text
            self.want("=")
            value = self.term()
            if not self.word("in"):
                self.fail("`in`")
            self.take()
            body = self.term()
            term: Term = Let(name, value, body, (start, self.end()))
        else:
            term = self.conditional()
            while self.at(":>>"):
                self.take()
                function = self._application()
                term = Apply(function, (term,), True, (start, self.end()))
        self._depth -= 1
        return term

    def conditional(self) -> Term:
        start = self.next.span[0]
        condition = self._binary(0)
        if not self.at("?"):
            return condition
        self.take()
        self._enter()
        then = self.conditional()
        self.want(":")
        otherwise = self.conditional()
        self._depth -= 1
        return Choice(condition, then, otherwise, (start, self.end()))

    def _binary(self, level: int) -> Term:
        if level == len(_LEVELS):
            return self._unary()
        start = self.next.span[0]
        left = self._binary(level + 1)
        while self.at(*_LEVELS[level]):
            operator = self.take().kind
            right = self._binary(level + 1)
            left = Binary(operator, left, right, (start, self.end()))
        return left

    def _unary(self) -> Term:
        if not self.at("-"):
            return self._parse_indexed()
        start = self.take().span[0]
        self._enter()
        operand = self._unary()
        self._depth -= 1
        return Negative(operand, (start, self.end()))

    def _parse_indexed(self) -> Term:
        start = self.next.span[0]
        array = self._application()
        while self.at("@"):
            self.take()
            index = self._application()
            array = Element(array, index, (start, self.end()))
        return array

    def _application(self) -> Term:
        start = self.next.span[0]
        atom = self._atom()
        while True:
            if self.at("("):
                self.take()
                arguments = self._arguments()
                atom = Apply(atom, arguments, False, (start, self.end()))
            elif self.at("projection"):
                token = self.take()
                field = int(token.text[1:])
                if field not in (1, 2):
                    raise problem(
                        "projection",
                        f"A pair has the fields .1 and .2, not {token.text}.",
                        token.span,
                        expected=".1 or .2",
                        actual=token.text,
                    )
                atom = Projection(atom, field, (start, self.end()))
            else:
                return atom

    def _arguments(self) -> tuple[Term, ...]:
        terms: list[Term] = []
        if self.at(")"):
            self.fail("an argument")
        while True:
            if self.at(*OPERATORS) and self.after().kind in (",", ")"):
                token = self.take()
                terms.append(Operator(token.kind, token.span))
            else:
                terms.append(self.term())
            if self.at(","):
                self.take()
                continue
            if not self.at(")"):
                self.fail("`)` or `,`")
            self.take()
            return tuple(terms)

    def _atom(self) -> Term:
        token = self.next
        match token.kind:
            case "number":
                return self._number()
            case "name" if token.text in ("fun", "λ") and self.after().kind == "(":
                return self._lambda()
            case "name" if token.text in ("nFun", "nfun") and self.after().kind == "(":
                return self._nat_lambda()
            case "name" if token.text == "if" and self.after().kind == "(":
                return self._if()
            case "name" if token.text in ("true", "false"):
                self.take()
                return Truth(token.text == "true", token.span)
            case "name" if token.text not in ("let", "in"):
                self.take()
                return Variable(token.text, token.span)
            case "(":
                return self._parenthesis()
            case _:
                self.fail("a term")
                raise AssertionError

    def _number(self) -> Number:
        token = self.take()
        number = Number(token.text, token.span)
        if not number.is_float and (len(token.text) > DIGITS or int(token.text) >= 2**63):
            raise problem(
                "number",
                "The number does not fit into 64 bits.",
                token.span,
                expected="an integer below 2^63",
                actual=f"{len(token.text)} digits",
                hint="Write it with a point, as a float.",
            )
        return number

    def _lambda(self) -> Term:
        start = self.take().span[0]
        self.want("(")
        name = self.want("name").text
        annotation = None
        if self.at(":"):
            self.take()
            annotation = self.type()
        self.want("=>")
        body = self.term()
        self.want(")")
        return Lambda(name, annotation, body, (start, self.end()))

    def _nat_lambda(self) -> Term:
        start = self.take().span[0]
        self.want("(")
        name = self.want("name").text
        self.want("=>")
        body = self.term()
        self.want(")")
        return NatLambda(name, body, (start, self.end()))

    def _if(self) -> Term:
        start = self.take().span[0]
        self.want("(")
        parts = self._arguments()
        span = (start, self.end())
        if len(parts) != 3:
            raise problem(
                "arguments",
                f"if has a condition and two values, found {len(parts)} arguments.",
                span,
                expected="if(condition, then, otherwise)",
                actual=f"{len(parts)} arguments",
            )
        return Choice(parts[0], parts[1], parts[2], span)

    def _parenthesis(self) -> Term:
        start = self.take().span[0]
        first = self.term()
        if self.at(":"):
            self.take()
            annotation = self.type()
            self.want(")")
            return Annotated(first, annotation, (start, self.end()))
        if self.at(","):
            self.take()
            second = self.term()
            self.want(")")
            return PairTerm(first, second, (start, self.end()))
        self.want(")")
        return first

    # ------------------------------------------------------------------------------------------------- types

    def type(self) -> TypeTerm:
        self._enter()
        type_term = self._type()
        self._depth -= 1
        return type_term

    def _type(self) -> TypeTerm:
        start = self.next.span[0]
        if self.at("("):
            self.take()
            first = self.type()
            self.want(",")
            second = self.type()
            self.want(")")
            return PairTypeTerm(first, second, (start, self.end()))
        if self.at("["):
            return self._array_type()
        if self.word("idx") and self.after().kind == "(":
            self.take()
            self.take()
            size = self.conditional()
            self.want(")")
            return IndexTerm(size, (start, self.end()))
        if not self.at("name"):
            self.fail("a type, such as float or [float]_n")
        token = self.take()
        return ScalarTerm(token.text, token.span)

    def _array_type(self) -> TypeTerm:
        start = self.take().span[0]
        variable = None
        if self.at("name") and self.after().kind in ("->", "=>"):
            variable = self.take().text
            self.take()
        span: Span = self.next.span
        element = self.type()
        if self.at("?") or self.at("=="):
            raise _only_lengths(span)
        if self.at(";"):
            self.take()
            size = self.conditional()
            self.want("]")
            return ArrayTerm(element, size, variable, (start, self.end()))
        if self.at("]"):
            self.take()
        else:
            if isinstance(element, ScalarTerm) and self.at("==", "?", "<", ">", "!="):
                raise _only_lengths(span)
            self.fail("`]`")
        if self.at("_"):
            self.take()
        if self.at("{"):
            self.take()
            size = self.conditional()
            self.want("}")
        else:
            size = self.conditional()
        return ArrayTerm(element, size, variable, (start, self.end()))


def _only_lengths(span: Span) -> CompileError:
    return problem(
        "only-lengths",
        "Only lengths may depend on a position; the elements of an array are all of one kind.",
        span,
        expected="a type, such as [float]_{i + 1}",
        actual="a choice between types",
    )
