"""Pictures and other files of commands: all or none, and never in place of a file of another kind."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from larmor import cli
from larmor.cli import main
from larmor.errors import CannotWrite, PictureExists
from larmor.output_files import json_file, picture_file, write_all

PNG = b"\x89PNG\r\n\x1a\n"


def run(arguments, **options):
    package = Path(__file__).resolve().parents[1]
    return subprocess.run([sys.executable, "-m", "larmor", *map(str, arguments)], check=False,
                          env={**os.environ, "PYTHONPATH": str(package)}, stderr=subprocess.PIPE, **options)


@pytest.mark.parametrize("present", [b"a study", b"\x89PN", b"%PD", b"<?xml version='1.0'?><a/>"])
def test_what_is_no_picture_is_not_replaced(tmp_path, present):
    path = tmp_path / "a.png"
    path.write_bytes(present)
    with pytest.raises(PictureExists, match="not a picture, so --force does not replace it"):
        write_all([picture_file(tmp_path / "b.png", PNG), picture_file(path, PNG)], force=True)
    assert path.read_bytes() == present
    assert os.listdir(tmp_path) == ["a.png"]


@pytest.mark.parametrize("present", [b"", PNG + b"old", b"%PDF-1.4", b"<?xml version='1.0'?>\n<svg/>"])
def test_pictures_and_empty_files_are_replaced_on_request(tmp_path, present):
    path = tmp_path / "a.png"
    path.write_bytes(present)
    with pytest.raises(PictureExists, match="--force overwrites"):
        write_all([picture_file(path, PNG)], force=False)
    assert path.read_bytes() == present
    assert write_all([picture_file(path, PNG)], force=True) == [path]
    assert path.read_bytes() == PNG
    assert os.listdir(tmp_path) == ["a.png"]


@pytest.mark.parametrize("force", [False, True])
def test_links_are_not_followed(tmp_path, force):
    behind, link, dangling = tmp_path / "behind.png", tmp_path / "a.png", tmp_path / "b.png"
    behind.write_bytes(PNG + b"mine")
    link.symlink_to(behind)
    dangling.symlink_to(tmp_path / "nowhere.png")
    for path in (link, dangling):
        with pytest.raises(PictureExists):
            write_all([picture_file(path, PNG)], force)
    assert behind.read_bytes() == PNG + b"mine"
    assert sorted(os.listdir(tmp_path)) == ["a.png", "b.png", "behind.png"]


def test_a_folder_or_file_in_the_way_is_told(thermal, unsaved, tmp_path, capsys):
    folder, file = tmp_path / "figure.svg", tmp_path / "file"
    folder.mkdir()
    file.write_text("mine")
    for output in (folder, file, file / "deeper"):
        assert main(["plot", str(thermal), "--what", "averages", "--force", "-o", str(output)]) == 2
        message = capsys.readouterr().err
        assert message.startswith(f"larmor: {output}") and message.count("\n") == 1
    assert list(folder.iterdir()) == [] and file.read_text() == "mine"


def test_a_full_disk_leaves_nothing_behind(thermal, unsaved, tmp_path, capsys, monkeypatch):
    calls = []

    def fail_at_the_second(handle):
        calls.append(handle)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail_at_the_second)
    output = tmp_path / "new" / "pictures"
    assert main(["plot", str(thermal), "-o", str(output)]) == 3
    assert "cannot be written (No space left on device)" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_files_are_made_exclusively_beside_their_place(tmp_path, monkeypatch):
    opened = []
    original = os.open

    def noted(path, flags, mode=0o777):
        opened.append((Path(path), flags))
        return original(path, flags, mode)

    monkeypatch.setattr(os, "open", noted)
    path = tmp_path / "a.png"
    write_all([picture_file(path, PNG)], force=False)
    (temporary, flags), = opened
    assert temporary.parent == tmp_path and temporary != path
    assert flags & os.O_EXCL and flags & os.O_NOFOLLOW
    assert stat.S_ISREG(os.lstat(path).st_mode)


def test_who_comes_first_keeps_the_name(tmp_path, monkeypatch):
    path = tmp_path / "b.png"
    monkeypatch.setattr(os, "fsync", lambda handle: path.write_bytes(PNG + b"other"))
    with pytest.raises(PictureExists):
        write_all([picture_file(tmp_path / "a.png", PNG), picture_file(path, PNG)], force=False)
    assert path.read_bytes() == PNG + b"other"
    assert os.listdir(tmp_path) == ["b.png"]


def test_file_systems_without_links(tmp_path, monkeypatch):
    def no_links(*arguments, **options):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", no_links)
    write_all([picture_file(tmp_path / "a.png", PNG)], force=False)
    assert os.listdir(tmp_path) == ["a.png"]


def test_tables_replace_tables_of_their_kind(tmp_path):
    path = tmp_path / "found.json"
    for present in ('{"other": 1}', "[1]", "text", "[" * 100000):
        path.write_text(present)
        with pytest.raises(PictureExists):
            write_all([json_file(path, {"nu": 0.7})], force=True)
    path.write_text('{"nu": 1}')
    write_all([json_file(path, {"nu": 0.7})], force=True)
    assert json.loads(path.read_text()) == {"nu": 0.7}


def test_the_machine_is_told_by_code_3(tmp_path):
    with pytest.raises(CannotWrite):
        write_all([picture_file(Path("/proc/larmor/a.png"), PNG)], force=False)


def test_interruption_is_told(thermal, capsys, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "draw_all", interrupt)
    assert main(["plot", str(thermal)]) == 130
    assert capsys.readouterr().err == "larmor: interrupted\n"


def test_output_that_cannot_be_written_ends_without_a_traceback(thermal, tmp_path):
    with open("/dev/full", "w") as full:
        done = run(["plot", thermal, "--what", "averages", "-o", tmp_path / "a.png"], stdout=full)
    assert done.returncode == 3
    assert done.stderr.decode() == "larmor: the output cannot be written (No space left on device)\n"
