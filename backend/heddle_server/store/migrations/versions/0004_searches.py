"""Searches for schedules: runs with settings, which go back into the queue after each slice."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("search", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("runs", sa.Column("placed", sa.DateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("runs", "placed")
    op.drop_column("runs", "search")
