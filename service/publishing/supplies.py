"""What there is for the days to come, as the database says it: stock, days prepared, refusals."""

import datetime as dt

from sqlalchemy.orm import Session

from service.clock import Clock
from service.metrics import Supplies, Supply
from service.minting.minter import search_limits
from service.publishing.calendar import today
from service.publishing.reconcile import missing
from service.settings import Settings
from service.store import deals, refusals
from service.store.database import Database
from service.store.engine import DatabaseUnavailableError


def supplies(database: Database, settings: Settings, clock: Clock) -> Supplies | None:
    """The supplies of every variant in the settings; None where the database cannot be used."""
    try:
        with database.reading() as session:
            return Supplies(
                [
                    Supply(
                        variant,
                        deals.stock(session, variant, search_limits(settings, variant).max_redeals),
                        days_ahead(session, variant, clock(), settings.horizon_days),
                    )
                    for variant in settings.variants
                ],
                refusals.count(session),
                settings.stock,
                settings.horizon_days,
            )
    except DatabaseUnavailableError:
        return None


def days_ahead(session: Session, variant: str, now: dt.datetime, horizon_days: int) -> int:
    """How many days after today, in UTC and up to the horizon, lack no daily; -1 if today does.

    Later ones do not count: it is the first missing day that somebody will ask for in vain.
    """
    lacking = [date for date in missing(session, variant, now, horizon_days) if date >= today(now)]
    return (lacking[0] - today(now)).days - 1 if lacking else horizon_days
