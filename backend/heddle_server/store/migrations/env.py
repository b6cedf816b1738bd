"""Alembic's environment. ``heddle_server.store.migrate`` hands over an open connection in a transaction."""

from alembic import context

from heddle_server.store.tables import Base

connection = context.config.attributes["connection"]
assert connection is not None, "run migrations through heddle_server.store.migrate.upgrade"
# SQLite alters a table by copying it: batch mode.
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True, compare_type=True)
with context.begin_transaction():
    context.run_migrations()
