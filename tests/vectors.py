"""The golden vectors: for two numbered deals of every variant the document, and logs replayed."""

import json
from pathlib import Path
from typing import Any

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "vectors.json").read_text("utf-8")
)
IDS = [f"{vector['deal']['variant']}-{vector['number']}" for vector in VECTORS]
