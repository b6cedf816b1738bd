"""Classes of the course: their students by nickname, and what each did at each task."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "classrooms",
        sa.Column("code", sa.String(12), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(), nullable=False),
        sa.Column("used", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_classrooms")),
    )
    op.create_table(
        "students",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("classroom", sa.String(12), nullable=False),
        sa.Column("nickname", sa.String(40), nullable=False),
        sa.Column("folded", sa.String(160), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("joined", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["classroom"], ["classrooms.code"], name=op.f("fk_students_classroom_classrooms"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_students")),
        sa.UniqueConstraint("classroom", "folded", name=op.f("uq_students_classroom_folded")),
    )
    op.create_table(
        "works",
        sa.Column("student", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(48), nullable=False),
        sa.Column("task", sa.String(48), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("last", sa.String(64), nullable=False),
        sa.Column("begun", sa.DateTime(), nullable=False),
        sa.Column("solved", sa.DateTime(), nullable=True),
        sa.Column("medals", sa.JSON(), nullable=False),
        sa.Column("refusals", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("failures", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("solution", sa.String(64), nullable=False),
        sa.Column("plan", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["student"], ["students.number"], name=op.f("fk_works_student_students"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("student", "lesson", "task", name=op.f("pk_works")),
    )


def downgrade() -> None:
    op.drop_table("works")
    op.drop_table("students")
    op.drop_table("classrooms")
