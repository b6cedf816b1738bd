"""Runs with their events, datasets, links."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("plan_hash", sa.String(64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("started", sa.DateTime()),
        sa.Column("finished", sa.DateTime()),
        sa.Column("progress", sa.JSON()),
        sa.Column("problem", sa.JSON()),
        sa.Column("result", sa.JSON()),
        sa.UniqueConstraint("id", name="uq_runs_id"),
    )
    op.create_index("ix_runs_state_number", "runs", ["state", "number"])
    op.create_index("ix_runs_plan_hash_state", "runs", ["plan_hash", "state"])
    op.create_table(
        "run_events",
        sa.Column(
            "run_id",
            sa.String(32),
            sa.ForeignKey("runs.id", name="fk_run_events_run_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("sequence", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("event", sa.String(16), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
    )
    op.create_table(
        "datasets",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("shape", sa.JSON(), nullable=False),
        sa.Column("nnz", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("plan_hash", sa.String(64), nullable=False),
        sa.Column("run_id", sa.String(32), sa.ForeignKey("runs.id", name="fk_links_run_id", ondelete="SET NULL")),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.UniqueConstraint("plan_hash", name="uq_links_plan_hash"),
    )


def downgrade() -> None:
    for table in ("links", "datasets", "run_events", "runs"):
        op.drop_table(table)
