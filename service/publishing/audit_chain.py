"""What can be wrong with dailies, and with the chain of what happened to them."""

from collections.abc import Iterator
from typing import Final

from service.publishing.audit_rows import RESTORE, AuditFault, Finding, Row, found
from service.store.chain import digest_of
from service.store.identity import NO_LINK, deal_digest, layout_digest
from service.store.stored import StoredRow, Unreadable
from service.store.tables import Daily, LinkKind

_CHANGED: Final = (
    "It was changed behind the program's back: compare the daily, its deal and the link before "
    "with a backup from before, and restore what differs."
)
_UNCHAINED: Final = (
    "It was written behind the program's back: compare it with a backup from before, and restore "
    "what differs."
)
_CUT: Final = (
    "Links were deleted, or the chain was computed anew: compare it with a backup from before, and "
    "restore what differs."
)


class ChainAudit:
    """Dailies and links, looked at one by one: first all dailies, then all links in their order.

    It remembers a few hundred bytes of each daily, and nothing of its deal.
    """

    def __init__(self) -> None:
        self.head: str | None = None
        """The digest of the last link that was looked at."""
        self._position = 0
        self._layouts: dict[str, int] = {}
        self._dailies: dict[int, Daily] = {}
        self._contents: dict[int, str] = {}
        self._linked: set[tuple[int, LinkKind]] = set()

    def daily_faults(self, row: Row, deal: StoredRow | None) -> list[AuditFault]:
        """What is wrong with a daily, seen with the row of its deal; None if there is none."""
        return found(f"daily {row['id']}", self._daily(row, deal))

    def link_faults(self, row: Row) -> list[AuditFault]:
        """What is wrong with the next link."""
        return found(f"link {row['position']}", self._link(row))

    def unlinked(self) -> Iterator[AuditFault]:
        """The dailies that a link should tell of and none did, once all links were looked at."""
        for daily in self._dailies.values():
            kinds = {LinkKind.PUBLISHED}
            if daily.withdrawn_at is not None:
                kinds.add(LinkKind.WITHDRAWN)
            for kind in sorted(kinds - {k for k in LinkKind if (daily.id, k) in self._linked}):
                message = f"{_name(daily)} is not in the chain as {kind}."
                yield AuditFault(f"daily {daily.id}", message, _UNCHAINED)

    def _daily(self, row: Row, deal: StoredRow | None) -> Iterator[Finding]:
        daily = Daily(**row)
        self._dailies[daily.id] = daily
        name = _name(daily)
        if deal is None:
            yield f"{name} has the deal {daily.deal_id}, which is not stored.", RESTORE
            return
        if isinstance(deal, Unreadable):
            yield f"{name} has a deal that cannot be read ({deal.error}).", RESTORE
            return
        if deal["variant"] != daily.variant:
            yield f"{name} has a deal of {deal['variant']}.", RESTORE
        self._contents[daily.id] = deal_digest(deal["document"], deal["line"])
        digest = layout_digest(deal["document"]["layout"])
        first = self._dailies[self._layouts.setdefault(digest, daily.id)]
        if first is not daily:
            yield f"{name} has the same layout as {first.variant} on {first.date}.", RESTORE

    def _link(self, row: Row) -> Iterator[Finding]:
        previous, self.head = self.head or NO_LINK, row["digest"]
        expected, self._position = self._position + 1, row["position"]
        if self._position != expected:
            yield f"The link before it, {self._position - 1}, is not there.", _CUT
        kind, number = row["kind"], row["daily_id"]
        self._linked.add((number, kind))
        daily, content = self._dailies.get(number), self._contents.get(number)
        if daily is None:
            yield f"Its daily {number} is not stored, or cannot be read.", RESTORE
        elif kind is LinkKind.WITHDRAWN and daily.withdrawn_at is None:
            yield f"{_name(daily)} was withdrawn, and is so no more.", _CHANGED
        elif content is None or row["digest"] != digest_of(kind, previous, daily, content):
            yield f"{_name(daily)} is not what was {kind}, by its digest.", _CHANGED


def lost_head(digest: str) -> AuditFault:
    """The fault of a head that somebody noted and no link has."""
    return AuditFault(f"head {digest}", "No link of the chain has this digest.", _CUT)


def _name(daily: Daily) -> str:
    return f"The daily of {daily.variant} on {daily.date}"
