"""The replay checker: given a deal and a move log, or a bundle of both, says what it comes to.

It is written from docs/rules.md alone and shares nothing with the program that deals and plays,
so that the two can disagree. It needs Python 3.11 and nothing else; the folder can be copied
anywhere and run there: `python -m checker --help`.

Start reading with board.py and replay.py.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - the folder runs where nobody installed it
    raise ImportError("the checker needs Python 3.11 or later")

from .bundle import check_bundle
from .document import check_deal
from .faults import DealFault, RefusedDeal
from .replay import verify
from .verdict import Fault, Verdict

__all__ = [
    "DealFault",
    "Fault",
    "RefusedDeal",
    "Verdict",
    "check_bundle",
    "check_deal",
    "verify",
]
