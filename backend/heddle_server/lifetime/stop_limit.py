"""A server that was told to end does so in time, whatever it waits for."""

from __future__ import annotations

import faulthandler
import os
import sys
import threading

# After the time that open requests have: for runs that go back into the queue, and for letting go of the workers.
CLOSING_SECONDS = 4.5


def end_after(seconds: float) -> None:
    """Ends this process after so many seconds, if it has not ended by then. Nothing is lost: a run that is still under
    way in the database is started again by the next server, as after a power cut."""
    threading.Thread(target=_end, args=(seconds,), name="stop limit", daemon=True).start()


def _end(seconds: float) -> None:
    threading.Event().wait(seconds)
    print(f"heddle: still not ended {seconds:g} s after it was told to: ended now. It was here:", file=sys.stderr)
    faulthandler.dump_traceback(sys.stderr)
    sys.stderr.flush()
    os._exit(1)
