"""python -m larmor"""

import signal
import sys


def _stop(number: int, _: object) -> None:
    # If the program ends by sys.exit, it still removes its files under temporary names.
    sys.exit(128 + number)


for _signal in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(_signal) != signal.SIG_IGN:
        signal.signal(_signal, _stop)
for _stream in (sys.stdout, sys.stderr):
    # The name of a file may have bytes that the encoding of the terminal lacks.
    if _stream is not None:
        _stream.reconfigure(errors="backslashreplace")

from .cli import main  # noqa: E402  (takes a second, in which a signal may come)

sys.exit(main())
