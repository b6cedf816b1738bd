"""Text and source map grow together."""

from __future__ import annotations

from heddle.loop_ir.printing.source_text import SourceBuilder, SourceSpan, signature_text
from heddle.origin import Origin, Role

LOOP, GUARD = Origin(Role.COMPUTE, "i"), Origin(Role.GUARD, "i", command=1)


def test_lines_and_parts_carry_their_origins() -> None:
    out = SourceBuilder()
    assert out.line("for {", LOOP) == 1
    out.indent()
    assert out.parts(("if (x) ", GUARD), ("break;", LOOP), ("  // done", None)) == 2
    out.line("plain;")
    out.dedent()
    out.line("}", LOOP)
    source = out.build()
    assert source.text == "for {\n  if (x) break;  // done\n  plain;\n}\n"
    assert source.spans == (
        SourceSpan(1, 0, 5, LOOP),
        SourceSpan(2, 2, 8, GUARD),
        SourceSpan(2, 9, 15, LOOP),
        SourceSpan(4, 0, 1, LOOP),
    )
    assert source.line(3) == "  plain;"


def test_included_text_is_shifted() -> None:
    inner = SourceBuilder()
    inner.line("x;", GUARD)
    out = SourceBuilder()
    out.emit_unmapped("#include <a>\n")
    out.include(inner)
    assert out.next_line == 4
    assert out.build().text == "#include <a>\n\nx;\n"
    assert out.build().spans == (SourceSpan(3, 0, 2, GUARD),)


def test_long_signatures_wrap_between_parameters() -> None:
    assert signature_text("f", [], ":") == "f():"
    assert signature_text("f", ["a", "b"], " {") == "f(a, b) {"
    wrapped = signature_text("f", [f"parameter_{number}" for number in range(12)], " {").split("\n")
    assert wrapped[0] == "f("
    assert wrapped[1].startswith("    parameter_0, parameter_1,")
    assert wrapped[-1].endswith("parameter_11) {")
    assert all(len(line) <= 110 for line in wrapped)
