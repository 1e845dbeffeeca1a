"""`python -m checker`: the command gaps-check."""

import sys

from .command import main

sys.exit(main())
