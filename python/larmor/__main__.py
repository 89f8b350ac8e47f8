"""python -m larmor"""

import sys

from .cli import main

sys.exit(main())
