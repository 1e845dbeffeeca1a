"""How a log came in, seen from its deal: while that was live, or later."""

import datetime as dt

from service.publishing.calendar import State, state
from service.store.tables import Arrival


def arrived(date: dt.date | None, instant: dt.datetime) -> Arrival:
    """What a log is that came in at an instant, to the daily of a date; None is to practise.

    Raises `ValueError` for an instant without a zone.
    """
    live = date is not None and state(date, instant) is State.LIVE
    return Arrival.LIVE if live else Arrival.ARCHIVE
