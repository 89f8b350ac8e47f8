"""Writes all files of a command or none, and never replaces a file of another kind."""

from __future__ import annotations

import errno
import json
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .errors import CannotWrite, PictureExists

# First bytes of pictures, by suffix. SVG has those of matplotlib and those of most other programs.
_BEGINNINGS = {"png": (b"\x89PNG\r\n\x1a\n",), "pdf": (b"%PDF-",), "svg": (b"<?xml", b"<svg")}
# The root element of an SVG begins within this number of bytes.
_HEAD = 4096
# If one of these errors occurs, another name helps. All other errors are failures of the machine.
_WRONG_NAMES = (errno.ENOTDIR, errno.ENAMETOOLONG, errno.EISDIR, errno.EEXIST, errno.ELOOP, errno.EINVAL)


@dataclass(frozen=True)
class OutputFile:
    """A file to be written. is_alike(contents): does an existing file with these contents have the
    kind of this file? --force replaces only such a file."""

    path: Path
    contents: bytes
    kind: str
    is_alike: Callable[[bytes], bool]


def picture_file(path: Path, contents: bytes) -> OutputFile:
    """A picture in any of the formats."""
    return OutputFile(path, contents, "picture", _is_picture)


def json_file(path: Path, contents: dict) -> OutputFile:
    """A table in JSON, which may replace a table with the same keys."""
    def is_alike(present: bytes) -> bool:
        try:
            found = json.loads(present)
        except (ValueError, RecursionError):
            return False
        return isinstance(found, dict) and found.keys() == contents.keys()

    text = json.dumps(contents, indent=2) + "\n"
    return OutputFile(path, text.encode("utf-8"), "file of this command", is_alike)


def csv_file(path: Path, text: str) -> OutputFile:
    """A table of CSV, which may replace a table with equal names of columns."""
    header = text.split("\n", 1)[0].encode("utf-8")
    return OutputFile(path, text.encode("utf-8"), "table with these columns",
                      lambda present: present.split(b"\n", 1)[0] == header)


def _is_picture(contents: bytes) -> bool:
    return any(contents.startswith(begin) and (kind != "svg" or b"<svg" in contents[:_HEAD])
               for kind, beginnings in _BEGINNINGS.items() for begin in beginnings)


def write_all(files: list[OutputFile], force: bool) -> list[Path]:
    """Writes the files under temporary names, then renames them; returns their paths.

    Raises PictureExists if a file exists, unless `force` is set and the file has the kind of the new one.
    Raises CannotWrite if the machine fails. After an error, no new file or folder remains.
    """
    for file in files:
        _attempt(file.path, lambda file=file: _require_free(file, force))
    with _Undo() as undo:
        temporaries = [_attempt(file.path, lambda file=file: _write_beside(file, undo)) for file in files]
        for file, temporary in zip(files, temporaries, strict=True):
            _attempt(file.path, lambda file=file, temporary=temporary: _place(file, temporary, force, undo))
        undo.forget()
    return [file.path for file in files]


class _Undo:
    """Removes new files and folders again if a step fails."""

    def __init__(self) -> None:
        self._steps: list[Callable[[], None]] = []

    def add(self, step: Callable[[], None]) -> None:
        self._steps.append(step)

    def forget(self) -> None:
        self._steps.clear()

    def __enter__(self) -> _Undo:
        return self

    def __exit__(self, *exception: object) -> None:
        for step in reversed(self._steps):
            with suppress(OSError):
                step()


def _attempt(path: Path, work: Callable):
    try:
        return work()
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _WRONG_NAMES:
            raise PictureExists(f"{path}: cannot be written there ({reason}); name another --output") from error
        raise CannotWrite(f"{path}: cannot be written ({reason})") from error


def _require_free(file: OutputFile, force: bool) -> None:
    """Raises PictureExists if the file may not be written. Does not follow a link, whose target may
    belong to anyone."""
    try:
        present = os.lstat(file.path)
    except FileNotFoundError:
        return
    if stat.S_ISDIR(present.st_mode):
        raise PictureExists(f"{file.path}: a folder; name a file in it")
    if not force:
        raise PictureExists(f"{file.path}: exists already; --force overwrites it")
    if not stat.S_ISREG(present.st_mode):
        raise PictureExists(f"{file.path}: a link or device, and --force replaces only files; name another --output")
    contents = file.path.read_bytes()
    if contents and not file.is_alike(contents):
        raise PictureExists(f"{file.path}: exists already and is not a {file.kind}, so --force does not replace it; "
                            "name another --output, or remove it")


def _write_beside(file: OutputFile, undo: _Undo) -> Path:
    _make_folders(file.path.parent, undo)
    while True:
        temporary = file.path.parent / f".larmor-{secrets.token_hex(8)}.tmp"
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            continue
        undo.add(temporary.unlink)
        with open(handle, "wb") as output:
            output.write(file.contents)
            output.flush()
            os.fsync(handle)
        return temporary


def _make_folders(folder: Path, undo: _Undo) -> None:
    if folder.is_dir():
        return
    _make_folders(folder.parent, undo)
    folder.mkdir(exist_ok=True)
    undo.add(folder.rmdir)


def _place(file: OutputFile, temporary: Path, force: bool, undo: _Undo) -> None:
    # A link, unlike a renamed file, cannot replace a file that another process created since the
    # check.
    try:
        os.link(temporary, file.path, follow_symlinks=False)
    except FileExistsError:
        _require_free(file, force)
        os.replace(temporary, file.path)
        return
    except OSError:
        # Some file systems have no hard links.
        _require_free(file, force)
        os.replace(temporary, file.path)
        undo.add(file.path.unlink)
        return
    undo.add(file.path.unlink)
    temporary.unlink()
