"""What is published: the calendar, who gets which deal, what may be seen, and verdicts.

`calendar` knows dates and instants and nothing else. `gate` decides what may be seen, and whoever
shows anything of a deal has it from there.
"""
