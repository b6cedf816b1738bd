"""Alembic, run by the service itself at start-up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from heddle_server.start_failure import CannotStartError

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).resolve().parent / "migrations"


def alembic_config(connection: Connection | None = None) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run the missing migrations within the caller's transaction. Most starts miss none, and go without Alembic, whose
    import takes as long as all else that they do with the database."""
    if is_newest(connection):
        return
    from alembic import command
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

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


def is_newest(connection: Connection) -> bool:
    """Whether the schema is the one that the last migration leaves; the names of their files begin with their ids."""
    newest = max(path.name for path in (MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]
    if not inspect(connection).has_table("alembic_version"):
        return False
    return list(connection.execute(text("SELECT version_num FROM alembic_version")).scalars()) == [newest]
