"""The backup unit's own commands, run on folders of the test's: a copy a night, old ones let go."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from service.store import deals
from service.store.database import Database
from tests.deals import put_in_stock, won
from tests.deploy.files import unit

GAPS = Path(sys.executable).with_name("gaps")


def run(line: str, state: Path, url: str) -> None:
    """Runs a unit's command line as systemd would, its state folder being elsewhere."""
    line = line.replace("/opt/gaps/.venv/bin/gaps", str(GAPS)).replace("/var/lib/gaps", str(state))
    arguments = shlex.split(line.replace("$$", "$").replace("%%", "%"))
    environment = {"GAPS_DATABASE_URL": url, "PATH": os.defpath}
    ran = subprocess.run(arguments, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_a_copy_is_made_and_old_ones_go(tmp_path: Path, sqlite_url: str) -> None:
    service = unit("gaps-backup.service")["Service"]
    backups = tmp_path / "backups"
    backups.mkdir()
    for name, days in (("gaps-20260101T033000Z.db", 31), ("gaps-20260102T033000Z.db", 29)):
        (backups / name).touch()
        then = (backups / name).stat().st_mtime - days * 86_400
        os.utime(backups / name, (then, then))
    with Database.open(sqlite_url) as database:
        put_in_stock(database, won("classic")[0])
        for key in ("ExecStart", "ExecStartPost"):
            run(service[key][0], tmp_path, sqlite_url)
    old, new = sorted(path.name for path in backups.iterdir())
    assert old == "gaps-20260102T033000Z.db"
    assert re.fullmatch(r"gaps-\d{8}T\d{6}Z\.db", new)
    with Database.open(f"sqlite:///{backups / new}") as copy, copy.reading() as session:
        assert len(deals.ids(session)) == 1
