"""What can be wrong with dailies, and with the chain of what happened to them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from service.publishing.audit_faults import RESTORE, AuditFault, Finding, Row, found
from service.store import stored
from service.store.chain import digest_of
from service.store.identity import NO_LINK, deal_digest, layout_digest
from service.store.stored import StoredRow
from service.store.tables import Daily, LinkKind

_CHANGED: Final = (
    "It was changed behind the program's back: compare the daily, its deal, the link and the one "
    "before with a backup from before, and restore what differs."
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
        # The digest of the link before: the stored one, and what it should be if that is another.
        self._before: tuple[str, ...] = (NO_LINK,)

    def daily_faults(self, row: Row, deal: Row | None) -> list[AuditFault]:
        """What is wrong with a daily, seen with what can be read of its deal; None without one."""
        return found(f"daily {row['id']}", self._daily(row, deal))

    def link_faults(self, row: StoredRow) -> list[AuditFault]:
        """What is wrong with the next link.

        Of one that cannot be read it takes what can be; that it cannot be read is for others to
        say.
        """
        held = stored.held(row)
        before, self._position = self._position, held.get("position", self._position + 1)
        findings: list[Finding] = []
        if self._position != before + 1:
            findings.append((f"The link before it, {self._position - 1}, is not there.", _CUT))
            self._before = ()
        digest = held.get("digest")
        fresh: tuple[str, ...] = ()
        if {"kind", "daily_id"} <= held.keys():
            self._linked.add((held["daily_id"], held["kind"]))
            unprovable = self._unprovable(held)
            findings += unprovable
            fresh = () if unprovable else self._fresh(held)
            if fresh and digest is not None and digest not in fresh:
                what = f"{_name(self._dailies[held['daily_id']])} is not what was {held['kind']}"
                findings.append((f"{what}, by its digest.", _CHANGED))
        # Where the digest is what broke, the next link was made with what it should be.
        self._before = (*([] if digest is None else [digest]), *fresh[-1:])
        self.head = digest or self.head
        return found(f"link {self._position}", findings)

    def unlinked(self) -> Iterator[AuditFault]:
        """The dailies that a link should tell of and none did, once all links were looked at."""
        for daily in self._dailies.values():
            kinds = {LinkKind.PUBLISHED}
            if daily.withdrawn_at is not None:
                kinds.add(LinkKind.WITHDRAWN)
            for kind in sorted(kinds - {k for k in LinkKind if (daily.id, k) in self._linked}):
                message = f"{_name(daily)} is not in the chain as {kind}."
                yield AuditFault(f"daily {daily.id}", message, _UNCHAINED)

    def _daily(self, row: Row, deal: Row | None) -> Iterator[Finding]:
        daily = Daily(**row)
        self._dailies[daily.id] = daily
        name = _name(daily)
        if (daily.withdrawn_at is None) != (daily.withdrawn_reason is None):
            yield f"{name} was withdrawn at an instant or for a reason, but not both.", RESTORE
        if deal is None:
            yield f"{name} has the deal {daily.deal_id}, which is not stored.", RESTORE
            return
        if deal.get("variant", daily.variant) != daily.variant:
            yield f"{name} has a deal of {deal['variant']}.", RESTORE
        if not {"document", "line"} <= deal.keys():
            yield f"{name} has a deal whose document or line cannot be read.", RESTORE
            return
        self._contents[daily.id] = deal_digest(deal["document"], deal["line"])
        layout = deal["document"].get("layout")
        if layout is None:
            return
        first = self._dailies[self._layouts.setdefault(layout_digest(layout), daily.id)]
        if first is not daily:
            yield f"{name} has the same layout as {first.variant} on {first.date}.", RESTORE

    def _unprovable(self, link: Mapping[str, Any]) -> list[Finding]:
        """Why it cannot be said what the digest of a link should be, if it cannot."""
        number, withdrawn = link["daily_id"], link["kind"] is LinkKind.WITHDRAWN
        daily = self._dailies.get(number)
        if daily is None:
            return [(f"Its daily {number} is not stored, or cannot be read.", RESTORE)]
        if withdrawn and daily.withdrawn_at is None:
            return [(f"{_name(daily)} was withdrawn, and is so no more.", _CHANGED)]
        if withdrawn and daily.withdrawn_reason is None:
            return [(f"{_name(daily)} was withdrawn for a reason, and has none.", _CHANGED)]
        if number not in self._contents:
            message = f"{_name(daily)} has a deal that is not stored, or cannot be read."
            return [(message, RESTORE)]
        return []

    def _fresh(self, link: Mapping[str, Any]) -> tuple[str, ...]:
        """The digest of a link by its daily, after each that the link before may have had."""
        daily, content = self._dailies[link["daily_id"]], self._contents[link["daily_id"]]
        return tuple(digest_of(link["kind"], before, daily, content) for before in self._before)


def lost_head(digest: str) -> AuditFault:
    """The fault of a head that somebody noted and no link has."""
    return AuditFault(f"head {digest}", "No link of the chain has this digest.", _CUT)


def _name(daily: Daily) -> str:
    return f"The daily of {daily.variant} on {daily.date}"
