"""Deals, dailies, refusals and submissions."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "deals",
        sa.Column("id", sa.String(20), nullable=False),
        sa.Column("variant", sa.String(32), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("layout_digest", sa.String(64), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
        sa.Column("verdict", sa.JSON(), nullable=False),
        sa.Column("slides", sa.Integer(), nullable=False),
        sa.Column("redeals", sa.Integer(), nullable=False),
        sa.Column("positions", sa.BigInteger(), nullable=False),
        sa.Column("budget", sa.BigInteger(), nullable=False),
        sa.Column("solver_version", sa.String(32), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("minted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deals"),
        sa.UniqueConstraint("seed", name="uq_deals_seed"),
        sa.UniqueConstraint("layout_digest", name="uq_deals_layout_digest"),
    )
    op.create_index("ix_deals_variant_minted_at", "deals", ["variant", "minted_at"])
    op.create_table(
        "dailies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("variant", sa.String(32), nullable=False),
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("deal_id", sa.String(20), nullable=False),
        sa.Column("redeals", sa.String(16), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_dailies"),
        sa.UniqueConstraint("deal_id", name="uq_dailies_deal_id"),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_dailies_deal_id"),
    )
    op.create_index("uq_dailies_date_variant", "dailies", ["date", "variant"], unique=True)
    op.create_table(
        "refusals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("deal_id", sa.String(20), nullable=False),
        sa.Column("variant", sa.String(32), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("line", sa.JSON(), nullable=False),
        sa.Column("reason", sa.JSON(), nullable=False),
        sa.Column("solver_version", sa.String(32), nullable=False),
        sa.Column("refused_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_refusals"),
    )
    op.create_index("ix_refusals_deal_id", "refusals", ["deal_id"])
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("deal_id", sa.String(20), nullable=False),
        sa.Column("moves", sa.JSON(), nullable=False),
        sa.Column("verdict", sa.JSON(), nullable=False),
        sa.Column("legal", sa.Boolean(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("ordered", sa.Integer(), nullable=False),
        sa.Column("slides", sa.Integer(), nullable=False),
        sa.Column("redeals", sa.Integer(), nullable=False),
        sa.Column("undos", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
        sa.ForeignKeyConstraint(["deal_id"], ["deals.id"], name="fk_submissions_deal_id"),
    )
    op.create_index("ix_submissions_deal_id", "submissions", ["deal_id"])


def downgrade() -> None:
    """Drops them, and all that is in them."""
    op.drop_table("submissions")
    op.drop_table("refusals")
    op.drop_table("dailies")
    op.drop_table("deals")
