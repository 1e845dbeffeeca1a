"""Statistics summed up as submissions come in, players' records, and numbered deals to practise."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the tables, and sums up the submissions that there are."""
    op.create_table(
        "tallies",
        sa.Column("deal_id", sa.String(20), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("legal", sa.Boolean(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("redeals", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ordered", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("submissions", sa.Integer(), nullable=False),
        sa.Column("fewest_moves", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(
            "deal_id", "state", "legal", "won", "redeals", "ordered", name="pk_tallies"
        ),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_tallies_deal_id"),
    )
    op.execute(
        "INSERT INTO tallies"
        " (deal_id, state, legal, won, redeals, ordered, submissions, fewest_moves)"
        " SELECT deal_id, state, legal, won, redeals, ordered, count(*), min(slides + redeals)"
        " FROM submissions GROUP BY deal_id, state, legal, won, redeals, ordered"
    )
    op.create_table(
        "plays",
        sa.Column("player", sa.String(64), nullable=False),
        sa.Column("submission_id", sa.String(32), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("played_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("player", "submission_id", name="pk_plays"),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name="fk_plays_submission_id"
        ),
    )
    op.create_table(
        "practices",
        sa.Column("variant", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("deal_id", sa.String(20)),
        sa.Column("budget", sa.BigInteger(), nullable=False),
        sa.Column("solver_version", sa.String(32), nullable=False),
        sa.Column("searched_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("variant", "number", name="pk_practices"),
        sa.UniqueConstraint("deal_id", name="uq_practices_deal_id"),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_practices_deal_id"),
    )


def downgrade() -> None:
    """Forgets who played what, and practice with all that was submitted to it.

    Their deals must not stay: without their numbers they would look like stock.
    """
    op.drop_table("plays")
    op.drop_table("tallies")
    op.execute("DELETE FROM submissions WHERE deal_id IN (SELECT deal_id FROM practices)")
    op.execute(
        "CREATE TEMPORARY TABLE practised AS"
        " SELECT deal_id FROM practices WHERE deal_id IS NOT NULL"
    )
    op.drop_table("practices")
    op.execute("DELETE FROM deals WHERE id IN (SELECT deal_id FROM practised)")
    op.execute("DROP TABLE practised")
