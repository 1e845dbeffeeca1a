"""Dailies can be withdrawn, and what happens to them is a chain."""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from service.store.columns import UtcDateTime
from service.store.identity import NO_LINK, deal_digest, published_link

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

PAGE = 200

deals = sa.table(
    "deals",
    sa.column("id", sa.String()),
    sa.column("document", sa.JSON()),
    sa.column("line", sa.JSON()),
)
dailies = sa.table(
    "dailies",
    sa.column("id", sa.Integer()),
    sa.column("variant", sa.String()),
    sa.column("date", sa.Date()),
    sa.column("deal_id", sa.String()),
    sa.column("redeals", sa.String()),
    sa.column("published_at", UtcDateTime()),
)
links = sa.table(
    "links",
    sa.column("position", sa.Integer()),
    sa.column("kind", sa.String()),
    sa.column("daily_id", sa.Integer()),
    sa.column("digest", sa.String()),
)


def upgrade() -> None:
    """Lets dailies be withdrawn, and links those that there are, in the order of their ids."""
    op.add_column("dailies", sa.Column("withdrawn_at", sa.DateTime(timezone=True)))
    op.add_column("dailies", sa.Column("withdrawn_reason", sa.String(500)))
    op.drop_index("uq_dailies_date_variant", "dailies")
    standing = sa.text("withdrawn_at IS NULL")
    op.create_index(
        "uq_dailies_date_variant",
        "dailies",
        ["date", "variant"],
        unique=True,
        sqlite_where=standing,
        postgresql_where=standing,
    )
    op.create_index("ix_dailies_date_variant_id", "dailies", ["date", "variant", "id"])
    op.create_table(
        "links",
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("daily_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_links"),
        sa.UniqueConstraint("digest", name="uq_links_digest"),
        sa.UniqueConstraint("daily_id", "kind", name="uq_links_daily_id_kind"),
        sa.ForeignKeyConstraint(["daily_id"], ["dailies.id"], name="fk_links_daily_id"),
    )
    previous = NO_LINK
    for position, daily in enumerate(_published(op.get_bind()), 1):
        previous = published_link(
            previous,
            variant=daily.variant,
            date=daily.date,
            deal=daily.deal_id,
            redeals=daily.redeals,
            published_at=daily.published_at,
            content=deal_digest(daily.document, daily.line),
        )
        op.execute(
            links.insert().values(
                position=position, kind="published", daily_id=daily.id, digest=previous
            )
        )


def _published(connection: sa.Connection) -> Iterator[sa.Row[tuple[object, ...]]]:
    """All dailies with their deals, oldest first, a few at a time in memory."""
    last = 0
    wanted = (
        sa.select(dailies, deals.c.document, deals.c.line)
        .join_from(dailies, deals, deals.c.id == dailies.c.deal_id)
        .order_by(dailies.c.id)
        .limit(PAGE)
    )
    while page := connection.execute(wanted.where(dailies.c.id > last)).all():
        yield from page
        last = page[-1].id


def downgrade() -> None:
    """Forgets the chain, and that dailies were withdrawn: their deals go back into the stock."""
    op.drop_table("links")
    op.execute("DELETE FROM dailies WHERE withdrawn_at IS NOT NULL")
    op.drop_index("ix_dailies_date_variant_id", "dailies")
    op.drop_index("uq_dailies_date_variant", "dailies")
    op.create_index("uq_dailies_date_variant", "dailies", ["date", "variant"], unique=True)
    with op.batch_alter_table("dailies") as batch:
        batch.drop_column("withdrawn_reason")
        batch.drop_column("withdrawn_at")
