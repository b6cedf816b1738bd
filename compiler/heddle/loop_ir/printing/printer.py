"""Loop IR as readable text: *flat* (as it is executed) and *structured* (with tensors, levels and coordinates)."""

from __future__ import annotations

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import dtype_of, lanes_of
from heddle.loop_ir.nodes import (
    Allocate,
    AllocateMap,
    AllocateResult,
    Assign,
    Barrier,
    Block,
    Break,
    ClearMap,
    Combine,
    CombineRuns,
    Comment,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    Grow,
    If,
    Insert,
    Lanes,
    LoopKind,
    MemorySpace,
    OpenTable,
    Parameter,
    Prefetch,
    Require,
    Scan,
    Scatter,
    Search,
    Single,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    VectorStore,
    While,
)
from heddle.loop_ir.printing.expression_text import array_text, element_text, expression_text, slice_text
from heddle.loop_ir.printing.source_text import SourceBuilder, SourceText, signature_text
from heddle.loop_ir.walk import declared_names


def print_flat(function: Function) -> SourceText:
    """``A_vals[jA]``: arrays by their parameter names, subscripts as computed."""
    return _print(function, structured=False)


def print_structured(function: Function) -> SourceText:
    """``A.vals[i, jA]``: tensors and levels, subscripts as coordinates and positions where these are known."""
    return _print(function, structured=True)


def _print(function: Function, structured: bool) -> SourceText:
    """Once for each function: compiles do not print it, and readers ask for it in several places."""
    key = "structured" if structured else "flat"
    text: SourceText | None = function.memo.get(key)
    if text is None:
        text = function.memo[key] = _Printer(structured).function(function)
    return text


def statement_lines(function: Function) -> tuple[int, ...]:
    """The 1-based line of each statement, in the order of :func:`heddle.loop_ir.walk.statements`.

    Both printed forms have the same lines.
    """
    printer = _Printer(structured=False)
    printer.function(function)
    return tuple(printer.lines)


def headline(statement: Stmt, structured: bool = False) -> str:
    """The first line of ``statement``: for a loop or a branch its header."""

    def text(expression: Expr, precedence: int = 0) -> str:
        return expression_text(expression, structured, precedence)

    match statement:
        case Block():
            return "block:"
        case Declare(name=name, dtype=dtype, value=value, mutable=mutable):
            vector = "" if lanes_of(dtype) is None else f": {dtype}"
            return f"{'var ' if mutable else ''}{name}{vector} = {text(value)}"
        case Assign(name=name, value=value, reduce=reduce):
            return f"{name} {reduce or ''}= {text(value)}"
        case Store(array=array, index=index, value=value, reduce=reduce, atomic=atomic, path=path):
            target = element_text(array, index, path, structured)
            return f"{'atomic ' if atomic else ''}{target} {reduce or ''}= {text(value)}"
        case VectorStore(array=array, index=index, value=value, reduce=reduce, path=path):
            target = slice_text(array, index, lanes_of(dtype_of(value)) or 1, path, structured)
            return f"{target} {reduce or ''}= {text(value)}"
        case Scatter(array=array, indices=indices, value=value, reduce=reduce):
            return f"{array_text(array, structured)}[{text(indices)}] {reduce or ''}= {text(value)}"
        case Lanes(variable=variable, count=count):
            return f"{count} lanes of {variable}:"
        case For():
            return _for_header(statement, structured)
        case While(condition=condition):
            return f"while {text(condition)}:"
        case If(condition=condition):
            return f"if {text(condition)}:"
        case Break():
            return "break"
        case Continue():
            return "continue"
        case Search(name=name, kind=kind, array=array, lower=lower, upper=upper, value=value):
            where = f"{array_text(array, structured)}, [{text(lower)}, {text(upper)}), {text(value)}"
            return f"var {name} = search_{kind.value}({where})"
        case Fill(array=array, size=size, value=value):
            return f"{array_text(array, structured)}[0:{text(size)}] = {text(value)}"
        case Allocate(array=array, size=size, zero=zero, space=space):
            placement = "" if space is MemorySpace.GLOBAL else f", {space.value}"
            return f"{array.name} = allocate({array.dtype}, {text(size)}{', zero' if zero else ''}{placement})"
        case AllocateResult(array=array, size=size):
            return f"{array_text(array, structured)} = allocate_result({array.dtype}, {text(size)})"
        case Prefetch(array=array, index=index):
            return f"prefetch({array_text(array, structured)}[{text(index)}])"
        case Grow(array=array, needed=needed):
            return f"grow({array_text(array, structured)}, {text(needed)})"
        case Scan(array=array, size=size):
            return f"prefix_sum({array_text(array, structured)}[0:{text(size)}])"
        case Sort(array=array, lower=lower, upper=upper):
            return f"sort({array_text(array, structured)}[{text(lower)}:{text(upper)}])"
        case AllocateMap(map=table):
            return f"{table.name} = map({table.dtype})"
        case Slot(name=name, map=table, key=key, new=new):
            return f"{name}{f', {new}' if new else ''} = slot({table.name}, {text(key)})"
        case SortMap(map=table):
            return f"sort({table.name})"
        case ClearMap(map=table):
            return f"clear({table.name})"
        case Barrier(scope=scope):
            return f"barrier({scope.value})"
        case Single(scope=scope):
            return f"one thread of the {scope.value}:"
        case Combine(name=name, operator=operator, scope=scope):
            return f"combine({operator}: {name}) over the {scope.value}"
        case CombineRuns(name=name, key=key, head=head, operator=operator):
            return f"{head} = combine({operator}: {name}) over lanes with equal {key}"
        case OpenTable(keys=keys, values=values, room=room, most=most):
            arrays = keys.name if values is None else f"{keys.name}, {values.name}"
            return f"var {room}; {arrays} = open_table({text(most)})"
        case Insert(name=name, keys=keys, lower=lower, room=room, key=key):
            where = f"{array_text(keys, structured)}, [{text(lower)}, {text(build.add(lower, room))})"
            return f"var {name} = insert({where}, {text(key)})"
        case Require(condition=condition, code=code, message=message):
            return f"require {text(condition)} else {code}  # {_join_lines(message)}"
        case Comment(text=words):
            return f"# {_join_lines(words)}"
        case _:
            raise TypeError(f"unexpected node {statement!r}")


class _Printer:
    """Collects the text and the line of each statement."""

    def __init__(self, structured: bool) -> None:
        self._structured = structured
        self._out = SourceBuilder(step="    ")
        self.lines: list[int] = []

    def function(self, function: Function) -> SourceText:
        parameters = [_parameter(parameter) for parameter in function.parameters]
        self._out.emit_unmapped(signature_text(f"def {function.name}", parameters, ":"))
        self._body(function.body)
        return self._out.build()

    def _body(self, body: Stmt) -> None:
        self._out.indent()
        before = self._out.next_line
        self._sequence(body)
        if self._out.next_line == before:
            self._out.line("pass")
        self._out.dedent()

    def _sequence(self, body: Stmt) -> None:
        for statement in body.statements if isinstance(body, Block) else (body,):
            self._statement(statement)

    def _statement(self, statement: Stmt) -> None:
        match statement:
            case Block(statements=inner):
                if any(declared_names(child) for child in inner):
                    self._out.line("block:")
                    self._body(statement)
                else:
                    self._sequence(statement)
            case For(body=body) | While(body=body) | Single(body=body) | Lanes(body=body):
                self._headline(statement)
                self._body(body)
            case If():
                self._conditional(statement)
            case _:
                self._headline(statement)

    def _conditional(self, branch: If) -> None:
        self._headline(branch)
        self._body(branch.then)
        otherwise = branch.otherwise
        while otherwise is not None:
            if isinstance(otherwise, Block) and len(otherwise.statements) == 1:
                otherwise = otherwise.statements[0]
            elif isinstance(otherwise, If):
                self._headline(otherwise, "el")
                self._body(otherwise.then)
                otherwise = otherwise.otherwise
            else:
                self._out.line("else:", branch.origin)
                self._body(otherwise)
                otherwise = None

    def _headline(self, statement: Stmt, prefix: str = "") -> None:
        assert not isinstance(statement, Block)
        self.lines.append(self._out.line(prefix + headline(statement, self._structured), statement.origin))


def _for_header(loop: For, structured: bool) -> str:
    lower, upper = expression_text(loop.lower, structured), expression_text(loop.upper, structured)
    header = f"for {loop.variable} in [{lower}, {upper})"
    if loop.step != 1:
        header += f" by {loop.step}"
    if loop.kind is not LoopKind.SERIAL:
        header += f" on {loop.kind.value}"
    if loop.reductions:
        header += f" reduce({', '.join(f'{reduction.operator}: {reduction.name}' for reduction in loop.reductions)})"
    if loop.private:
        header += f" private({', '.join(headline(workspace) for workspace in loop.private)})"
    if loop.unroll:
        header += f" unroll {loop.unroll}"
    return header + ":"


def _parameter(parameter: Parameter) -> str:
    if parameter.array is None:
        return f"{parameter.name}: {parameter.dtype}"
    kind = "out allocated " if parameter.allocated else "out " if parameter.output else ""
    return f"{kind}{parameter.name}: {parameter.array.dtype}[]"


def _join_lines(text: str) -> str:
    return " ".join(text.split())
