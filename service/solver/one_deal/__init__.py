"""The game without a redeal on one pack: a portfolio of searches, each with its share.

`search` is all that others need.
"""

from service.solver.one_deal.found import Result
from service.solver.one_deal.portfolio import search

__all__ = ["Result", "search"]
