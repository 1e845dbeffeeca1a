"""What can be wrong with dailies, and with the chain of what happened to them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from service.publishing.audit_faults import RESTORE, AuditFault, Finding, Row, found
from service.store.chain import digest_of
from service.store.identity import NO_LINK, deal_digest, layout_digest
from service.store.stored import StoredRow, Unreadable
from service.store.tables import Daily, LinkKind

_CHANGED: Final = (
    "It was changed behind the program's back: compare the daily, its deal, the link and the one "
    "before with a backup from before, and restore what differs."
)
_UNCHAINED: Final = (
    "It was written behind the program's back: compare it with a backup from before, and restore "
    "what differs."
)
_DIGEST: Final = "Compare the link with a backup from before, and restore its digest."
_CUT: Final = (
    "Links were deleted, or the chain was computed anew: compare it with a backup from before, and "
    "restore what differs."
)

_MOST_GUESSES: Final = 4
"""How many digests a link is tried with as that of the link before it."""


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A link whose digest is not what it should be by its daily and the link before.

    Only the next link, which was made with the digest as it was, can tell which of both is wrong.
    """

    where: str
    what: str

    def fault(self, *, digest_changed: bool) -> AuditFault:
        if digest_changed:
            message = "Its digest was changed: the link after it was made with another one."
            return AuditFault(self.where, message, _DIGEST)
        return AuditFault(self.where, f"{self.what}, by its digest.", _CHANGED)


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
        # What the digest of the link before is by its row, and by its daily if that is another one.
        self._before: list[str] = [NO_LINK]
        self._doubt: _Doubt | None = None

    def daily_faults(self, row: Row, deal: StoredRow | None) -> list[AuditFault]:
        """What is wrong with a daily, seen with the row of its deal; None if there is none."""
        return found(f"daily {row['id']}", self._daily(row, deal))

    def link_faults(self, row: StoredRow) -> list[AuditFault]:
        """What is wrong with the next link, and with the one before if this one tells.

        Of one that cannot be read it takes what can be; that it cannot be read is for others to
        say.
        """
        held = row.rest if isinstance(row, Unreadable) else row
        before, self._position = self._position, held.get("position", self._position + 1)
        where = f"link {self._position}"
        findings: list[Finding] = []
        fresh: list[str] = []
        if self._position != before + 1:
            findings.append((f"The link before it, {self._position - 1}, is not there.", _CUT))
            self._before = []
        if {"kind", "daily_id"} <= held.keys():
            self._linked.add((held["daily_id"], held["kind"]))
            unprovable = self._unprovable(held)
            findings += unprovable
            fresh = [] if unprovable else self._fresh(held)
        return self._judged(where, held, fresh) + found(where, findings)

    def unlinked(self) -> Iterator[AuditFault]:
        """What is left to say once all links were looked at.

        That is of the last link, and of the dailies that a link should tell of and none did.
        """
        yield from self._settled(digest_changed=False)
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
        if (daily.withdrawn_at is None) != (daily.withdrawn_reason is None):
            yield f"{name} was withdrawn at an instant or for a reason, but not both.", RESTORE
        if deal is None:
            yield f"{name} has the deal {daily.deal_id}, which is not stored.", RESTORE
            return
        # Of a deal that cannot be read whole, what can be read is looked at.
        held = deal.rest if isinstance(deal, Unreadable) else deal
        if held.get("variant", daily.variant) != daily.variant:
            yield f"{name} has a deal of {held['variant']}.", RESTORE
        if not {"document", "line"} <= held.keys():
            yield f"{name} has a deal whose document or line cannot be read.", RESTORE
            return
        self._contents[daily.id] = deal_digest(held["document"], held["line"])
        layout = held["document"].get("layout")
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

    def _fresh(self, link: Mapping[str, Any]) -> list[str]:
        """The digest of a link by its daily, after each that the link before may have had."""
        daily, content = self._dailies[link["daily_id"]], self._contents[link["daily_id"]]
        return [digest_of(link["kind"], before, daily, content) for before in self._before]

    def _judged(self, where: str, link: Mapping[str, Any], fresh: list[str]) -> list[AuditFault]:
        """What the digest of a link says of the link before it; doubts what it says of its own."""
        digest = link.get("digest")
        faults = list(self._settled(digest_changed=digest in fresh[1:]))
        if digest is None or digest in fresh or not fresh:
            self._before = fresh[:1] if digest is None else [digest]
        else:
            self._before = [digest, *fresh][:_MOST_GUESSES]
            what = f"{_name(self._dailies[link['daily_id']])} is not what was {link['kind']}"
            self._doubt = _Doubt(where, what)
        self.head = digest or self.head
        return faults

    def _settled(self, *, digest_changed: bool) -> Iterator[AuditFault]:
        """What the doubt about the link before comes to, if there is one."""
        if self._doubt is not None:
            doubt, self._doubt = self._doubt, None
            yield doubt.fault(digest_changed=digest_changed)


def lost_head(digest: str) -> AuditFault:
    """The fault of a head that somebody noted and no link has."""
    return AuditFault(f"head {digest}", "No link of the chain has this digest.", _CUT)


def _name(daily: Daily) -> str:
    return f"The daily of {daily.variant} on {daily.date}"
