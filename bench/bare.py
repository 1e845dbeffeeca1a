"""What the service is measured against: routes of FastAPI that do the least there is to do.

Environment: ``GAPS_DATABASE_URL``, and ``BENCH_ANSWERS``, a folder with the bytes to answer.
"""

import os
import secrets
from pathlib import Path

from fastapi import FastAPI, Response
from pydantic import BaseModel
from sqlalchemy import text

from service.store.database import Database

TABLE = "CREATE TABLE bench_rows (id VARCHAR(32) PRIMARY KEY, moves TEXT NOT NULL)"
INSERT = text("INSERT INTO bench_rows (id, moves) VALUES (:id, :moves)")


class Log(BaseModel):
    """The body that the service takes, too."""

    moves: list[str]


def application() -> FastAPI:
    """The bare routes."""
    app = FastAPI(openapi_url=None)
    folder = Path(os.environ["BENCH_ANSWERS"])
    daily, deal = ((folder / name).read_bytes() for name in ("daily", "deal"))
    database = Database.open(os.environ["GAPS_DATABASE_URL"])

    @app.get("/daily")
    async def get_daily() -> Response:
        return Response(daily, media_type="application/json")

    @app.get("/deal")
    async def get_deal() -> Response:
        return Response(deal, media_type="application/json")

    @app.post("/rows", status_code=201)
    def post_row(log: Log) -> dict[str, str]:
        name = secrets.token_hex(16)
        with database.writing() as session:
            session.execute(INSERT, {"id": name, "moves": " ".join(log.moves)})
        return {"id": name}

    return app
