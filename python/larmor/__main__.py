"""python -m larmor"""

import signal
import sys


def _stop(number: int, _: object) -> None:
    # Files under temporary names are removed on the way out.
    sys.exit(128 + number)


for _signal in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(_signal) != signal.SIG_IGN:
        signal.signal(_signal, _stop)
for _stream in (sys.stdout, sys.stderr):
    # Names of files may have bytes that the terminal's encoding lacks.
    if _stream is not None:
        _stream.reconfigure(errors="backslashreplace")

from .cli import main  # noqa: E402  (takes a second, in which a signal may come)

sys.exit(main())
