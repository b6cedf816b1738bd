"""What goes wrong in a command, in one line on the standard error, and as a status."""

from __future__ import annotations

import sys
from collections.abc import Callable

from heddle.cli.parsing import UsageError
from heddle.cli.source import SourceError
from heddle.cli.status import Status
from heddle.diagnostics import CompileError, Diagnostic

_LINKS = "Symlink loop from "
"""How :mod:`pathlib` begins, up to Python 3.12, where it follows links for ever."""


def end_command(command: Callable[[], int], source: object = None) -> int:
    """The status of ``command``; what it raises is told. ``source`` is the file that it reads, to name it."""
    try:
        return command()
    except UsageError as error:
        print(f"heddle: {error}", file=sys.stderr)
        return Status.USAGE
    except SourceError as error:
        print(f"heddle: {error}", file=sys.stderr)
        return Status.REFUSED
    except CompileError as error:
        say_refusal(error, source)
        return Status.REFUSED
    except BrokenPipeError:
        raise
    except OSError as error:
        name = f"{error.filename}: " if error.filename is not None else ""
        print(f"heddle: {name}{error.strerror or error}", file=sys.stderr)
        return Status.REFUSED
    except RuntimeError as error:
        if not str(error).startswith(_LINKS):
            raise
        print(f"heddle: {str(error).removeprefix(_LINKS)}: these links lead to each other", file=sys.stderr)
        return Status.REFUSED


def say_refusal(error: CompileError, source: object = None) -> None:
    """Each diagnostic with what was expected, what was found and what helps, behind the name of the file."""
    name = "" if source is None else f"{'standard input' if str(source) == '-' else source}: "
    for diagnostic in error.diagnostics:
        print(f"heddle: {name}{diagnostic.message}", file=sys.stderr)
        for word, text in details_of(diagnostic):
            print(f"  {word}: {text}", file=sys.stderr)


def details_of(diagnostic: Diagnostic) -> list[tuple[str, str]]:
    """What was expected, what was found, a hint and near names, where there are any."""
    details = (("expected", diagnostic.expected), ("found", diagnostic.actual), ("hint", diagnostic.hint))
    alike = [("did you mean", ", ".join(diagnostic.candidates))] if diagnostic.candidates else []
    return [*((word, text) for word, text in details if text), *alike]
