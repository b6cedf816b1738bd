"""What the host does for a GPU kernel, as a comment in the kernel's language: checks, memory, launches, in order."""

from __future__ import annotations

from collections.abc import Callable

from heddle.codegen.device.program import DeviceKernel
from heddle.codegen.expressions import MULTIPLICATIVE, ExpressionPrinter
from heddle.codegen.identifiers import Identifiers
from heddle.codegen.printer import comment
from heddle.diagnostics import InternalError
from heddle.loop_ir.build import sub
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    AllocateResult,
    Comment,
    Declare,
    Expr,
    Fill,
    Function,
    Require,
    Scan,
    Search,
    Stmt,
)
from heddle.loop_ir.printing.source_text import SourceBuilder
from heddle.origin import Origin


class HostText:
    """Collects the lines in ``out``."""

    def __init__(
        self,
        function: Function,
        expressions: ExpressionPrinter,
        identifiers: Identifiers,
        type_name: Callable[[str], str],
    ) -> None:
        self.out = SourceBuilder()
        self._expressions = expressions
        self._identifiers = identifiers
        self._type = type_name
        self.out.line("// The host, in this order:")

    def statement(self, statement: Stmt) -> None:
        spell, text = self._identifiers.spell, self._expressions.text
        match statement:
            case Declare(name=name, dtype=dtype, value=value, origin=origin):
                self._line(f"{self._type(dtype)} {spell(name)} = {text(value)};", origin)
            case Require(condition=condition, code=code, message=message, origin=origin):
                refused = self._expressions.negation(condition)
                self._line(f"if ({refused}) return {code};  {comment(message)}", origin)
            case Search(name=name, kind=kind, array=array, lower=lower, upper=upper, value=value, origin=origin):
                arguments = ", ".join([spell(array.name), text(lower), text(upper), text(value)])
                self._line(f"{self._type(INDEX)} {spell(name)} = search_{kind.value}({arguments});", origin)
            case Allocate(array=array, size=size, zero=zero, origin=origin):
                cleared = ", all zero" if zero else ""
                self._line(f"allocate {self._type(array.dtype)} {spell(array.name)}[{text(size)}]{cleared}", origin)
            case Fill(array=array, size=size, value=value, origin=origin):
                self._line(f"fill {spell(array.name)}[0 : {text(size)}] with {text(value)}", origin)
            case AllocateResult(array=array, size=size, origin=origin):
                self._line(f"obtain {self._type(array.dtype)} {spell(array.name)}[{text(size)}] of the result", origin)
            case Scan(array=array, size=size, origin=origin):
                self._line(f"prefix sum of {spell(array.name)}[0 : {text(size)}]", origin)
            case Comment(text=words, origin=origin):
                self._line(comment(words).removeprefix("// "), origin)
            case _:
                raise InternalError(f"the host of a GPU does not run {type(statement).__name__}")

    def launch(self, kernel: DeviceKernel) -> None:
        loop = kernel.loop
        blocks: Expr = sub(loop.upper, loop.lower)
        text = self._expressions.text(blocks, MULTIPLICATIVE if kernel.groups > 1 else 0)
        groups = f"{text} * {kernel.groups}" if kernel.groups > 1 else text
        names = ", ".join(self._identifiers.spell(argument.name) for argument in kernel.arguments)
        self._line(f"{kernel.name}<<<{groups}, {kernel.threads}>>>({names});", loop.origin)

    def _line(self, text: str, origin: Origin) -> None:
        self.out.parts(("//   ", None), (text, origin))
