"""``gaps audit``: everything that is stored, checked again."""

import re
from dataclasses import asdict
from typing import Annotated, Final

import typer

from service.cli.context import current_database
from service.cli.failures import CommandError, Status
from service.cli.output import escaped, out, print_json, progress_bar
from service.publishing.audit import AuditReport, ReplayEndedError, audit

DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def audit_all(
    heads: Annotated[
        list[str] | None,
        typer.Option(
            "--head",
            metavar="DIGEST",
            help="A head of the chain that was noted before: it must still be there.",
            show_default=False,
        ),
    ] = None,
    deep: Annotated[
        bool,
        typer.Option(
            "--deep", help="Replay everything with both engine and checker, and compare them."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Replays every stored line and log, and checks every row of every table, and the chain.

    Changes nothing. Exit status 1 if anything is off; each fault comes with what to do about it.
    """
    for head in heads or ():
        if not DIGEST.fullmatch(head):
            raise CommandError(f"{head!r} is no head of a chain: it has 64 hex digits.")
    with current_database() as database, progress_bar() as bar:
        task = bar.add_task("auditing", total=None)
        try:
            report = audit(
                database,
                lambda done, of: bar.update(task, completed=done, total=of),
                heads=heads or (),
                deep=deep,
            )
        except ReplayEndedError as error:
            raise CommandError(str(error), Status.FAULT) from None
    if as_json:
        print_json(asdict(report))
    else:
        out.print(_summary(report))
        for fault in report.faults:
            told = f"{escaped(fault.where)}: {escaped(fault.message)}\n  {fault.remedy}"
            out.out(told, highlight=False)
    if report.faults:
        raise typer.Exit(Status.NO)


def _summary(report: AuditReport) -> str:
    looked_at = (
        f"Looked at {report.deals} deals, {report.dailies} dailies, {report.submissions} "
        f"submissions, {report.plays} plays, {report.practices} numbers to practise, "
        f"{report.refusals} refusals and {report.links} links: "
        f"{len(report.faults) or 'no'} fault{'' if len(report.faults) == 1 else 's'}."
    )
    by = "both readings, engine and checker" if report.deep else "the checker"
    return (
        f"{looked_at}\nReplayed by {by}: lines {report.lines_replayed}, logs "
        f"{report.logs_replayed}; not replayed: {report.not_replayed}."
    )
