"""CompileResult -> JSON for diagrams and code."""

from heddle.views.commands import command_views
from heddle.views.compile import compile_view

__all__ = ["command_views", "compile_view"]
