"""Who made a link and who uploaded data, so that they can delete it; and how large a link's plan is."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # What is there already belongs to nobody.
    op.add_column("datasets", sa.Column("visitor", sa.String(64), nullable=False, server_default=""))
    op.add_column("links", sa.Column("visitor", sa.String(64), nullable=False, server_default=""))
    op.add_column("links", sa.Column("bytes", sa.BigInteger(), nullable=False, server_default="0"))
    op.execute("UPDATE links SET bytes = length(CAST(plan AS TEXT))")


def downgrade() -> None:
    op.drop_column("links", "bytes")
    op.drop_column("links", "visitor")
    op.drop_column("datasets", "visitor")
