"""CompileResult -> JSON for diagrams and code."""

from compiler.views.commands import command_views
from compiler.views.compile import compile_view

__all__ = ["command_views", "compile_view"]
