"""Which browser may cancel a run."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("owner", sa.String(64), nullable=False, server_default=""))
    # Those who had no id of their own cannot be told apart.
    op.execute("UPDATE runs SET owner = visitor WHERE visitor NOT LIKE '%-without-id'")


def downgrade() -> None:
    op.drop_column("runs", "owner")
