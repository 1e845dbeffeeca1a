"""``gaps audit``: everything that is stored, checked again."""

from dataclasses import asdict
from typing import Annotated

import typer

from service.cli.context import current_database
from service.cli.failures import Status
from service.cli.output import out, print_json, progress_bar
from service.publishing.audit import audit


def audit_all(
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Replays every stored line and log, and checks every document, id and date.

    Changes nothing. Exit status 1 if anything is off; each fault comes with what to do about it.
    """
    with current_database() as database, progress_bar() as bar:
        task = bar.add_task("auditing", total=None)
        report = audit(database, lambda done, of: bar.update(task, completed=done, total=of))
    if as_json:
        print_json(asdict(report))
    else:
        out.print(
            f"Looked at {report.deals} deals, {report.dailies} dailies, {report.submissions} "
            f"submissions and {report.refusals} refusals: "
            f"{len(report.faults) or 'no'} fault{'' if len(report.faults) == 1 else 's'}."
        )
        for fault in report.faults:
            out.print(f"{fault.where}: {fault.message}\n  {fault.remedy}", markup=False)
    if report.faults:
        raise typer.Exit(Status.NO)
