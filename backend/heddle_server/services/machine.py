"""What this service's machine is, as its last timed run found it."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import cast

from heddle.runtime.native.machine_class import NATIVE
from heddle_server.engine.machine import machine_facts
from heddle_server.schema.run import MachineFacts


class MachineService:
    def __init__(self, data_directory: Path, elsewhere: bool) -> None:
        """``elsewhere``: runs are timed on other machines than this one."""
        self._file = data_directory.resolve() / "machine.json"
        self._elsewhere = elsewhere
        self._local_facts: MachineFacts | None = None

    def remember(self, facts: MachineFacts) -> None:
        temporary = self._file.with_suffix(".new")
        temporary.write_text(json.dumps(facts), encoding="utf-8")
        os.replace(temporary, self._file)

    async def kinds(self, connected: list[MachineFacts]) -> list[tuple[str, ...]]:
        """What of the machines that may time a run decides the result: of our own, or of those ``connected``."""
        if self._local_facts is None and not self._elsewhere:
            self._local_facts = await asyncio.to_thread(machine_facts)
        candidates = [self._local_facts] if self._local_facts is not None else connected or [await self.facts()]
        return sorted({kind(facts) for facts in candidates})

    async def facts(self) -> MachineFacts:
        """Before the first run: this process's own machine, with what has not been measured left out."""
        try:
            return cast(MachineFacts, json.loads(self._file.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError):  # A machine that lost its power may leave half a file.
            return await asyncio.to_thread(machine_facts)


def kind(facts: MachineFacts) -> tuple[str, ...]:
    """The class of machines counts where it is another than the processor's own, which its name decides."""
    march = facts.get("march", NATIVE)
    told = (march,) if march != NATIVE else ()
    return (facts["cpu"], str(facts["cores"]), facts["compiler"] or "", facts["python"], *told)
