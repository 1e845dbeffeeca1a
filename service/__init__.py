"""Gaps: one deal a day that a solver has won and a separately written checker has replayed."""

__version__ = "0.1.0"
