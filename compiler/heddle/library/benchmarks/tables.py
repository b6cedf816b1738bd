"""Records of what was timed, as a table of pandas and as CSV."""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic
from heddle.wrong_arguments import require_path

Record = dict[str, Any]


class Records(ABC):
    """Something timed, which ``len`` and ``iter`` see as its ``records``."""

    __slots__ = ()

    @property
    @abstractmethod
    def records(self) -> list[Record]:
        """A dictionary for each line of the table, all with the same keys."""

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` of the records.

        Raises
        ------
        CompileError
            ``runtime/no-pandas``.
        """
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            raise CompileError(
                Diagnostic(
                    "runtime/no-pandas",
                    "to_pandas() needs pandas: pip install pandas",
                    expected="pandas",
                    actual="an installation without it",
                    hint="records is a list of dictionaries, and to_csv() a text.",
                )
            ) from None
        return pandas.DataFrame.from_records(self.records)

    def to_csv(self, path: object = None) -> str:
        """The records as CSV, with a line for each; also written to ``path`` where one is passed.

        Raises
        ------
        OperandError
            ``runtime/argument`` for what is no path. OSError: as ``open``.
        """
        text, records = io.StringIO(), self.records
        writer = csv.DictWriter(text, list(records[0]) if records else ["name"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
        if path is not None:
            require_path(path, "the path").write_text(text.getvalue(), encoding="utf-8")
        return text.getvalue()
