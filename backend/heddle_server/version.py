"""The version of the service, which is that of the compiler."""

from heddle.version import VERSION

__all__ = ["VERSION"]
