"""The rules for the engine: cards, variants, boards, redeals, notation, deals and shuffles.

Built for speed: a card is a small number, a board a flat list of them. Nothing here knows of
databases, HTTP or clocks. The rules are written out in ``docs/rules.md``.
"""
