"""What a receipt needs of a task that a student of a class has done: the answers, and the seed of the data."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("works", sa.Column("answers", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("works", sa.Column("seed", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("works", "seed")
    op.drop_column("works", "answers")
