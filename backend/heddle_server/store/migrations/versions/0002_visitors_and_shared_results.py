"""Who asked for a run, and which measurement answered it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INDEXES = ("content_key", "visitor")


def upgrade() -> None:
    # Not in batch mode: on SQLite that drops the old table, and with it, by their foreign keys, events and links.
    op.add_column("runs", sa.Column("content_key", sa.String(64), nullable=False, server_default=""))
    op.add_column("runs", sa.Column("visitor", sa.String(64), nullable=False, server_default=""))
    op.add_column("runs", sa.Column("fresh", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("runs", sa.Column("measured_by", sa.String(32)))
    # Runs of before belong to nobody in particular: each to itself.
    op.execute("UPDATE runs SET visitor = id, content_key = id")
    for column in INDEXES:
        op.create_index(f"ix_runs_{column}_state", "runs", [column, "state"])


def downgrade() -> None:
    for column in INDEXES:
        op.drop_index(f"ix_runs_{column}_state", "runs")
    for name in ("measured_by", "fresh", "visitor", "content_key"):
        op.drop_column("runs", name)
