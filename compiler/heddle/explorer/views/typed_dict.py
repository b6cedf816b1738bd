"""``TypedDict`` as the description of the API needs it, which is made from such types: not that of Python 3.11."""

import sys

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict

__all__ = ["TypedDict"]
