"""Opens a file of HDF5 so that it can also be opened by others."""

from __future__ import annotations

import io
from pathlib import Path
from types import TracebackType
from typing import Any

import h5py


class _Bytes(io.FileIO):
    """A file that is closed without a warning when the last object that reads it is gone."""

    def __del__(self) -> None:
        self.close()


class ReadOnlyFile:
    """A file of HDF5 that is open for reading, and `group`, its root.

    HDF5 refuses to open a file twice with different modes or settings of locks. This file is therefore read through an
    object of Python, which HDF5 does not compare with other files. It holds no lock, since a run replaces its file or
    appends to it, and the contents that are read do not change.
    """

    def __init__(self, path: Path):
        """Raises OSError if the file cannot be read, or is not a file of HDF5."""
        self._bytes = _Bytes(path)
        try:
            self.group: Any = h5py.File(self._bytes, "r")
        except Exception:
            self._bytes.close()
            raise

    def close(self) -> None:
        """Closes the file. It may be closed twice."""
        self.group.close()
        self._bytes.close()

    def __enter__(self) -> ReadOnlyFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()
