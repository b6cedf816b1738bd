"""Alembic, run by the service itself at start-up."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from heddle_server.start_failure import CannotStartError

MIGRATIONS = Path(__file__).resolve().parent / "migrations"


def alembic_config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run the missing migrations within the caller's transaction."""
    config = alembic_config(connection)
    script = ScriptDirectory.from_config(config)
    present = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in script.walk_revisions()}
    if present is not None and present not in known:
        raise CannotStartError(
            f"The database has schema {present}, which this version of Heddle does not know (newest: "
            f"{script.get_current_head()}). Use a newer Heddle, or another data directory."
        )
    command.upgrade(config, "head")
