"""Why a machine is not let in, said on both sides: Dask tries again in silence."""

from __future__ import annotations

import asyncio
import logging
import ssl
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from heddle_server.engine.cluster.cluster_security import AUTHORITY, CERTIFICATE, KEY

ANSWER_SECONDS = 2.5
DASK_PORT = 8786
_LENGTH = struct.Struct("<Q")
"""What every message of Dask's begins with: how many bytes follow."""
LONGEST_GREETING = 1 << 20
_OUT_OF_TIME = (9, 10)
"""OpenSSL's codes for a certificate that is not valid yet, or no longer."""
HANDSHAKES = "distributed.comm.tcp"
"""Dask's logger of connections that end before anything was said."""


async def find_obstacle(scheduler: str, certificates: Path | None) -> str | None:
    """Speak to a scheduler as a worker would and hang up. None where it answers, else what is in the way.

    A scheduler speaks first, so that what it says tells that this machine is let in.
    """
    address = urlsplit(scheduler)
    try:
        context = _context(certificates) if certificates is not None else None
    except OSError as error:  # of SSL, too
        return f"the certificates in {certificates} cannot be used ({_reason(error)}); copy the folder again"
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_connection(address.hostname, address.port or DASK_PORT, ssl=context)
            said = await reader.readexactly(_LENGTH.size)
        (length,) = _LENGTH.unpack(said)
        return None if length <= LONGEST_GREETING else _stranger(said)
    except asyncio.IncompleteReadError as error:
        return _closed(certificates) if not error.partial else _stranger(error.partial)
    except TimeoutError:
        hint = "" if certificates is not None else "; it may speak TLS (tls://, with --certificates)"
        return f"nothing came from it within {ANSWER_SECONDS:g} s{hint}"
    except ssl.SSLCertVerificationError as error:
        if error.verify_code in _OUT_OF_TIME:
            return f"its certificate is not valid today by this machine's clock ({error.verify_message})"
        return f"its certificate is of another authority than {Path(str(certificates)) / AUTHORITY}"
    except ssl.SSLError as error:
        return _refused(error, certificates)
    except ConnectionResetError:
        return _closed(certificates)
    except OSError as error:
        return error.strerror or str(error)
    finally:
        if writer is not None:
            writer.close()
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(1):
                    await writer.wait_closed()


def _context(certificates: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(certificates / AUTHORITY))
    context.check_hostname = False  # as Dask does: the authority is this cluster's own
    context.load_cert_chain(certificates / CERTIFICATE, certificates / KEY)
    return context


def _refused(error: ssl.SSLError, certificates: Path | None) -> str:
    if "WRONG_VERSION_NUMBER" in str(error):
        return "it does not speak TLS: write tcp:// before the host, or start it with --certificates"
    return f"it refused the certificate in {certificates} ({error.reason or error})"


def _reason(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or "they are not PEM").replace("_", " ").lower()
    return (error.strerror or str(error)).lower()


def _stranger(said: bytes) -> str:
    return f"what answers there is no scheduler: it says {said!r}"


def _closed(certificates: Path | None) -> str:
    if certificates is not None:
        return f"it closed the connection: the certificate in {certificates} may be old, or not of its authority"
    return "it closed the connection: it may speak TLS, for which this machine needs --certificates and tls://"


class Refusals(logging.Handler):
    """Says which machines a scheduler did not let in."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        """Of a record of Dask's about a handshake; others are left alone."""
        if "handshake failed" not in str(record.msg) or not isinstance(record.args, tuple) or len(record.args) != 3:
            return
        _, remote, error = record.args
        where = ":".join(str(part) for part in remote[:2]) if isinstance(remote, tuple) else str(remote)
        self._say(
            f"Refused {where}: it has no valid certificate of this cluster's authority, or speaks no TLS ({error})"
        )


def say_refusals(say: Callable[[str], None]) -> None:
    """From now on, in this process."""
    logger = logging.getLogger(HANDSHAKES)
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    logger.addHandler(Refusals(say))
