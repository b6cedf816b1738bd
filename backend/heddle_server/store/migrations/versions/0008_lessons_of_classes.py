"""Lessons that a teacher wrote for one class."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "class_lessons",
        sa.Column("classroom", sa.String(12), nullable=False),
        sa.Column("name", sa.String(48), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["classroom"], ["classrooms.code"], name=op.f("fk_class_lessons_classroom_classrooms"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("classroom", "name", name=op.f("pk_class_lessons")),
    )


def downgrade() -> None:
    op.drop_table("class_lessons")
