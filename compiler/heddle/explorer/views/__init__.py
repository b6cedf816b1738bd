"""CompileResult -> JSON for diagrams and code."""

from heddle.explorer.views.commands import command_views
from heddle.explorer.views.compile import compile_view

__all__ = ["command_views", "compile_view"]
