"""The statements of loop IR in the C family of languages: what C, CUDA and OpenCL spell alike.

A target derives from :class:`KernelPrinter` and says how it starts a loop, updates atomically, allocates and returns.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from heddle.codegen.expressions import ADDITIVE, EQUALITY, ExpressionPrinter
from heddle.codegen.identifiers import Identifiers
from heddle.codegen.support import Support, spelled_operator
from heddle.diagnostics import InternalError
from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    AllocateMap,
    AllocateResult,
    Array,
    Assign,
    Barrier,
    Block,
    Break,
    ClearMap,
    Combine,
    CombineRuns,
    Comment,
    Const,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Grow,
    If,
    Insert,
    Load,
    MapSize,
    Prefetch,
    Require,
    Scan,
    Search,
    Single,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    Var,
    While,
)
from heddle.loop_ir.printing.source_text import SourceBuilder
from heddle.loop_ir.walk import all_statements, declared_names, subexpressions, written_arrays

MemoryStatement = AllocateResult | Grow | Scan | Sort | AllocateMap | Slot | SortMap | ClearMap
CollectiveStatement = Barrier | Single | Combine | CombineRuns | Insert


class KernelPrinter(ABC):
    """Prints one function. One object per function: it collects the support functions that the body asks for."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.out = SourceBuilder()
        self.support = Support()
        self._assigned, self._written, names = _effects(function)
        self.identifiers = Identifiers(names)
        self.expressions = ExpressionPrinter(self.identifiers, self.support)
        self._results: dict[str, str] = {}
        self.lines: list[int] = []
        """The 1-based line in ``out`` of each statement printed so far, in the order of ``walk.statements``."""

    @abstractmethod
    def for_loop(self, loop: For) -> None:
        """Prints a loop of any kind with its body, and with what its kind asks for (pragmas, launches)."""

    @abstractmethod
    def atomic(self, store: Store) -> None:
        """Prints an update that no other thread may interrupt."""

    @abstractmethod
    def fill(self, fill: Fill) -> None:
        """Prints the setting of a whole array to one value."""

    @abstractmethod
    def allocate(self, allocate: Allocate) -> None:
        """Prints the declaration of a workspace; its memory is freed where its block ends, and before jumps out of
        it."""

    @abstractmethod
    def memory(self, statement: MemoryStatement) -> None:
        """Prints what obtains, grows, scans and sorts the arrays of results and hash maps."""

    @abstractmethod
    def require(self, require: Require) -> None:
        """Prints the check of a claim about the data, whose failure ends the kernel with the claim's status."""

    def collective(self, statement: CollectiveStatement) -> None:
        """Prints what the threads of a GPU do together.

        Raises
        ------
        InternalError
            the target has no such threads.
        """
        raise InternalError(f"this target has no threads of a GPU: {type(statement).__name__}")

    def vector(self, statement: Stmt) -> bool:
        """Prints a statement of vectors; False for another one, and where the target has none."""
        return False

    def search_function(self, search: Search) -> str:
        return self.support.search(search.kind, search.array.dtype)

    def scalar_type(self, name: str, dtype: str) -> str:
        """The type of the scalar ``name``, which is a ``dtype`` in loop IR."""
        return self.support.type(dtype)

    def search(self, search: Search) -> None:
        text, array = self.expressions.text, search.array
        call = self.search_function(search)
        bounds = [text(search.lower), text(search.upper), text(search.value)]
        arguments = ", ".join([self.identifiers.spell(array.name), *bounds])
        name = self.identifiers.spell(search.name)
        self.out.line(f"{self.scalar_type(search.name, INDEX)} {name} = {call}({arguments});", search.origin)

    def cleanup_before_jump(self) -> list[str]:
        """The statements that must run before a ``break`` or ``continue`` that stands here."""
        return []

    def statement(self, statement: Stmt) -> None:
        spell, text = self.identifiers.spell, self.expressions.text
        if not isinstance(statement, Block):
            self.lines.append(self.out.next_line)
            if self.vector(statement):
                return
        match statement:
            case Block(statements=inner):
                if any(declared_names(child) for child in inner):
                    self.out.line("{")
                    self.print_indented(statement)
                    self.out.line("}")
                else:
                    self.sequence(inner)
            case Declare(name=name, dtype=dtype, value=value, origin=origin):
                self.out.line(
                    f"{self.scalar_type(name, dtype)} {spell(name)} = {self.expressions.value(value)};", origin
                )
            case Assign(name=name, value=value, origin=origin, reduce=reduce):
                self.out.line(self.update(spell(name), reduce, value), origin)
            case Store(array=array, index=index, value=value, origin=origin, reduce=reduce, atomic=atomic):
                if atomic:
                    self.atomic(statement)
                else:
                    self.out.line(self.update(self.expressions.subscript(array.name, index), reduce, value), origin)
            case Search():
                self.search(statement)
            case For():
                self.for_loop(statement)
            case While(condition=condition, body=body, origin=origin):
                self.out.line(f"while ({text(condition)}) {{", origin)
                self.loop_body(body)
                self.out.line("}", origin)
            case If():
                self._conditional(statement)
            case Break(origin=origin) | Continue(origin=origin):
                for cleanup in self.cleanup_before_jump():
                    self.out.line(cleanup, origin)
                self.out.line(_jump(statement), origin)
            case Fill():
                self.fill(statement)
            case Allocate():
                self.allocate(statement)
            case AllocateResult() | Grow() | Scan() | Sort() | AllocateMap() | Slot() | SortMap() | ClearMap():
                self.memory(statement)
            case Barrier() | Single() | Combine() | CombineRuns() | Insert():
                self.collective(statement)
            case Prefetch(array=array, index=index, origin=origin):
                self.out.line(f"__builtin_prefetch(&{self.expressions.subscript(array.name, index)});", origin)
            case Require():
                self.require(statement)
            case Comment(text=words, origin=origin):
                self.out.line(comment(words), origin)
            case _:
                raise TypeError(f"unexpected node {statement!r}")

    def sequence(self, block: tuple[Stmt, ...]) -> None:
        for statement in block:
            self.statement(statement)

    def print_indented(self, body: Stmt) -> None:
        """Prints the statements of ``body`` one step further in; the caller prints the braces."""
        self.out.indent()
        self.sequence(body.statements if isinstance(body, Block) else (body,))
        self.out.dedent()

    def loop_body(self, body: Stmt) -> None:
        self.print_indented(body)

    def update(self, target: str, reduce: str | None, value: Expr) -> str:
        if reduce is None:
            return f"{target} = {self.expressions.value(value)};"
        self.support.integer(dtype_of(value))
        match spelled_operator(reduce, dtype_of(value)):
            case "+" if value == Const(1):
                return f"{target}++;"
            case "+" | "*" as operator:
                return f"{target} {operator}= {self.expressions.value(value)};"
            case "min" | "max" as operator:
                function = self.support.select(operator, dtype_of(value))
                return f"{target} = {function}({target}, {self.expressions.text(value)});"
            case "&&" | "||" as operator:
                return f"{target} = {target} {operator} {self.expressions.text(value, EQUALITY)};"
            case _:
                raise TypeError(f"no reduction {reduce!r}")

    def serial_header(self, loop: For) -> str:
        """``for (…) {``. A bound that the body could change is computed once before the loop."""
        return self.header(loop, self.upper(loop), loop.step)

    def upper(self, loop: For) -> str:
        """The text of the upper bound, which the body cannot change."""
        if self._is_invariant(loop.upper):
            return self.expressions.text(loop.upper, ADDITIVE)
        upper = self.identifiers.fresh(f"{loop.variable}_end")
        type_name = self.support.type(self.expressions.computed_dtype(loop.upper))
        self.out.line(f"{type_name} {upper} = {self.expressions.text(loop.upper)};", loop.origin)
        return upper

    def header(self, loop: For, upper: str, step: int = 1) -> str:
        variable, index = self.identifiers.spell(loop.variable), self.scalar_type(loop.variable, INDEX)
        advance = f"{variable}++" if step == 1 else f"{variable} += {step}"
        return f"for ({index} {variable} = {self.expressions.text(loop.lower)}; {variable} < {upper}; {advance}) {{"

    def parameters(self) -> list[str]:
        """The declarations of the parameters, in call order."""
        declarations = []
        for parameter in self.function.parameters:
            name = self.identifiers.spell(parameter.name)
            if parameter.array is None:
                declarations.append(f"{self.support.type(parameter.dtype)} {name}")
            elif parameter.allocated:
                declarations.append(
                    f"{self.support.type(parameter.dtype)}** restrict {self.result_name(parameter.array)}"
                )
            else:
                constant = "" if parameter.output else "const "
                declarations.append(f"{constant}{self.support.type(parameter.array.dtype)}* restrict {name}")
        return declarations

    def result_name(self, array: Array) -> str:
        """The parameter through which the caller gets the array that the kernel allocates."""
        if array.name not in self._results:
            self._results[array.name] = self.identifiers.fresh(f"{array.name}_result")
        return self._results[array.name]

    def _is_invariant(self, expression: Expr) -> bool:
        for part in subexpressions(expression):
            match part:
                case Var(name=name) if name in self._assigned:
                    return False
                case Load(array=array) if array.name in self._written:
                    return False
                case MapSize():
                    return False
                case _:
                    pass
        return True

    def _conditional(self, branch: If) -> None:
        header = f"if ({self.expressions.text(branch.condition)}) "
        jump = _only_statement(branch.then)
        if isinstance(jump, Break | Continue) and branch.otherwise is None and not self.cleanup_before_jump():
            self.lines.append(self.out.parts((header, branch.origin), (_jump(jump), jump.origin)))
            return
        self.out.line(header + "{", branch.origin)
        self.print_indented(branch.then)
        otherwise = branch.otherwise
        while otherwise is not None:
            chained = _only_statement(otherwise)
            if isinstance(chained, If):
                header = f"}} else if ({self.expressions.text(chained.condition)}) {{"
                self.lines.append(self.out.line(header, chained.origin))
                self.print_indented(chained.then)
                otherwise = chained.otherwise
            else:
                self.out.line("} else {", branch.origin)
                self.print_indented(otherwise)
                otherwise = None
        self.out.line("}", branch.origin)


def comment(text: str) -> str:
    """A comment of one line, whatever the text holds: no line breaks, no backslash that would splice lines."""
    return "// " + re.sub(r"[^\x20-\x7e]+", " ", text).replace("\\", "/").strip()


def _jump(statement: Break | Continue) -> str:
    return "break;" if isinstance(statement, Break) else "continue;"


def _only_statement(body: Stmt) -> Stmt:
    """The one statement that ``body`` consists of, else ``body``."""
    while isinstance(body, Block) and len(body.statements) == 1:
        body = body.statements[0]
    return body


def _effects(function: Function) -> tuple[set[str], set[str], set[str]]:
    """The scalars assigned, the arrays written, and all names of ``function``."""
    assigned: set[str] = set()
    written = {parameter.name for parameter in function.parameters if parameter.output}
    names = {parameter.name for parameter in function.parameters}
    for statement in all_statements(function):
        names.update(declared_names(statement))
        written.update(written_arrays(statement))
        if isinstance(statement, Assign):
            assigned.add(statement.name)
    return assigned, written, names
