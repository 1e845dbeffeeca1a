from service.store import deals, refusals
from service.store.database import Database
from tests.clock import NOON
from tests.deals import won


def test_a_refusal_keeps_all_evidence_and_stays_out_of_the_stock(database: Database) -> None:
    win = won()[0]
    reason = {**win.verdict, "legal": False, "won": False}
    with database.writing() as session:
        for version in ("1", "2"):
            refusals.add(
                session,
                document=win.document,
                line=win.line,
                reason=reason,
                solver_version=version,
                refused_at=NOON,
            )
    with database.reading() as session:
        first, second = refusals.every(session)
        assert refusals.ids(session) == [first.id, second.id]
        assert refusals.count(session) == 2
        assert deals.stock(session, "classic") == 0
    assert first.deal_id == win.document["seed_commitment"][:20]
    assert (first.variant, first.document, first.line) == ("classic", win.document, win.line)
    assert (first.reason, first.refused_at) == (reason, NOON)
    assert [first.solver_version, second.solver_version] == ["1", "2"]
