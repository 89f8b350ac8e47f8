"""A run removes and replaces only files that it wrote itself."""
# Rooms: io, study

import os
import pathlib
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

import h5py
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
import larmor as reader
from program import LARMOR, PATIENCE, assert_same_bits, command, datasets, is_complete, larmor
from running import start, stop_once_there, wait_until_there

STUDY = """seed = 3
replicas = 2
[lattice]
type = "square"
size = [4, 4]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "monte-carlo"
temperature = [1.0, 0.8]
sweeps = {sweeps}
measure_every = 5
trajectory_every = 2
[[stage]]
kind = "dynamics"
timestep = 0.05
steps = 20
measure = [{{ what = "energy", every = 5 }}, {{ what = "trajectory", every = 20 }}]
"""
SCAN = '[[scan]]\nkey = "seed"\nvalues = [1, 2]\n'
HOURS = 100000000


def write_study(folder, sweeps=40, scan=False):
    study = folder / "s.toml"
    study.write_text(STUDY.format(sweeps=sweeps) + (SCAN if scan else ""))
    return study


def contents(path):
    """All contents below a path, by name."""
    if path.is_dir() and not path.is_symlink():
        return {name.name: contents(name) for name in path.iterdir()}
    return os.readlink(path) if path.is_symlink() else path.read_bytes()


def stopped(folder, output, *options, sweeps=HOURS, scan=False):
    """Results of a run that was stopped after its first checkpoint."""
    study = write_study(folder, sweeps, scan)
    process = start("run", study, "-o", output, "--checkpoint-every", "0.02", *options)
    there = f"{output.name}.points/*.ckpt" if scan else f"{output.name}.ckpt"
    code, _, errors = stop_once_there(process, folder / there, signal.SIGTERM)
    assert code == 143, errors
    return output


def foreign_hdf5(path):
    with h5py.File(path, "w") as file:
        file["weights"] = [1.0, 2.0]


def folder_with(name):
    def make(path):
        path.mkdir()
        foreign_hdf5(path / name)

    return make


def text(path):
    path.write_text("my thesis\n")


def nothing(path):
    path.write_text("")


# Files of a user whose names Larmor would derive from s.h5.
PLANTED = {
    "results": ("s.h5", foreign_hdf5),
    "results-text": ("s.h5", text),
    "checkpoint": ("s.h5.ckpt", text),
    "empty-checkpoint": ("s.h5.ckpt", nothing),
    "checkpoint-before": ("s.h5.ckpt.prev", text),
    "checkpoint-folder": ("s.h5.ckpt", pathlib.Path.mkdir),
    "checkpoint-link": ("s.h5.ckpt", lambda path: path.symlink_to("thesis.txt")),
    "points-file": ("s.h5.points", text),
    "points-notes": ("s.h5.points", folder_with("notes.h5")),
    "point": ("s.h5.points", folder_with("0001.h5")),
    "point-checkpoint": ("s.h5.points", folder_with("0000.h5.ckpt")),
    "temporary": ("s.h5.tmp-1", text),
    "other-checkpoint": ("s.ckpt", text),
    "other-points": ("s.points", folder_with("0001.h5")),
}


@pytest.mark.parametrize("scan", [False, True], ids=["study", "scan"])
@pytest.mark.parametrize("case", PLANTED)
def test_foreign_files_stay_or_are_refused_by_name(tmp_path, case, scan):
    name, make = PLANTED[case]
    study, place = write_study(tmp_path, scan=scan), tmp_path / name
    make(place)
    before = contents(place)
    for options in ((), ("--force",), ("--force",)):
        run = larmor("run", study, *options, cwd=tmp_path)
        found = contents(place)
        if place.is_dir():  # the folder may contain more during a scan
            assert before.items() <= found.items()
        else:
            assert found == before
        assert run.returncode in (0, 2), run.stderr
        if run.returncode == 2 and place.exists() and not (tmp_path / "s.h5").exists():
            assert name in run.stderr
    assert not list(tmp_path.glob("*.tmp-*-*"))


@pytest.mark.parametrize("case", ["checkpoint", "checkpoint-before", "point", "points-notes", "temporary"])
def test_foreign_files_that_come_while_a_run_is_stopped_stay(tmp_path, case):
    name, make = PLANTED[case]
    scan = name.endswith(".points")
    output = stopped(tmp_path, tmp_path / "s.h5", scan=scan)
    place = tmp_path / name
    if scan:
        inside = next(iter(contents_of_planted(make, tmp_path / "planted")))
        (place / inside).unlink(missing_ok=True)
        shutil.copy(tmp_path / "planted" / inside, place / inside)
        place = place / inside
    else:
        place.unlink(missing_ok=True)
        make(place)
    before = contents(place)
    process = start("resume", output, "--checkpoint-every", "0.02")
    code, _, errors = ended(process)
    assert contents(place) == before
    assert code in (2, 143), errors
    if code == 2:
        assert place.name in errors
    forced = start("run", write_study(tmp_path, scan=scan), "-o", output, "--force")
    code, _, errors = ended(forced)
    assert contents(place) == before
    assert code in (0, 2, 143), errors


def contents_of_planted(make, folder):
    make(folder)
    return contents(folder)


def ended(process, seconds=1.0):
    """The end of a process, after this time by SIGTERM."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, out, errors


def test_results_of_like_names_have_checkpoints_of_their_own(tmp_path):
    one = stopped(tmp_path, tmp_path / "x.h5")
    before = contents(tmp_path / "x.h5.ckpt")
    stopped(tmp_path, tmp_path / "x.hdf5", "--precision", "single")
    assert contents(tmp_path / "x.h5.ckpt") == before and one.exists()


def test_a_checkpoint_of_another_run_of_the_same_study_is_refused(tmp_path):
    one = stopped(tmp_path, tmp_path / "one.h5")
    stopped(tmp_path, tmp_path / "other.h5", "--precision", "single")
    shutil.copy(tmp_path / "other.h5.ckpt", tmp_path / "one.h5.ckpt")
    before = contents(tmp_path)
    resumed = larmor("resume", one)
    assert resumed.returncode == 2 and "not a checkpoint of this run" in resumed.stderr
    assert contents(tmp_path) == before


def test_a_checkpoint_whose_results_were_moved_is_not_replaced(tmp_path):
    output = stopped(tmp_path, tmp_path / "x.h5")
    (tmp_path / "elsewhere").mkdir()
    moved = output.rename(tmp_path / "elsewhere" / "x.h5")
    before = contents(tmp_path)
    again = larmor("run", tmp_path / "s.toml", "-o", output)
    assert again.returncode == 2 and "x.h5.ckpt" in again.stderr
    forced = larmor("run", tmp_path / "s.toml", "-o", output, "--force")
    assert forced.returncode == 2 and "x.h5.ckpt" in forced.stderr
    resumed = larmor("resume", moved)
    assert resumed.returncode == 2 and "--from-start" in resumed.stderr
    assert contents(tmp_path) == before


def test_a_run_goes_on_by_each_name_of_its_results(tmp_path):
    (tmp_path / "disk").mkdir()
    whole = tmp_path / "whole.h5"
    assert larmor("run", write_study(tmp_path, sweeps=20000), "-o", whole).returncode == 0
    real, link = tmp_path / "disk" / "real.h5", tmp_path / "link.h5"
    for begun, goes_on in ((real, link), (link, real)):
        study = write_study(tmp_path, sweeps=20000)
        if begun is real:
            link.symlink_to(real)
            options = ()
        else:
            options = ("--force",)
        process = start("run", study, "-o", begun, "--checkpoint-every", "0.005", *options)
        stop_once_there(process, tmp_path / "disk" / "real.h5.ckpt", signal.SIGTERM)
        if not is_complete(real):
            resumed = larmor("resume", goes_on)
            assert resumed.returncode == 0, resumed.stderr
            assert "anew" not in resumed.stderr
        assert_same_bits(whole, real)
        assert link.is_symlink() and sorted(os.listdir(tmp_path / "disk")) == ["real.h5"]


def test_the_folder_of_points_stays_if_others_have_put_files_there(tmp_path):
    study = write_study(tmp_path, sweeps=20000, scan=True)
    process = start("run", study, cwd=tmp_path)
    wait_until_there(process, tmp_path / "s.h5.points/0000.h5")
    (tmp_path / "s.h5.points" / "thesis").mkdir()
    (tmp_path / "s.h5.points" / "thesis" / "notes.txt").write_text("my thesis\n")
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert "note:" in errors and "s.h5.points" in errors and "thesis" in errors
    assert contents(tmp_path / "s.h5.points") == {"thesis": {"notes.txt": b"my thesis\n"}}
    assert is_complete(tmp_path / "s.h5")


def test_force_removes_points_of_the_scan_that_it_replaces_only(tmp_path):
    output = stopped(tmp_path, tmp_path / "s.h5", scan=True)
    stopped(tmp_path, tmp_path / "other.h5", scan=True)
    folder, others = tmp_path / "s.h5.points", tmp_path / "other.h5.points"
    for copied in ("0000.h5", "0000.h5.ckpt"):
        shutil.copy(others / copied, folder / f"mine-{copied}")
    kept = {path.name: contents(path) for path in folder.glob("mine-*")}
    study = write_study(tmp_path, scan=True)
    done = larmor("run", study, "-o", output, "--force")
    assert done.returncode == 0 and "mine-0000.h5" in done.stderr, done.stderr
    assert contents(folder) == kept and len(kept) == 2
    shutil.copy(others / "0000.h5", folder / "0000.h5")
    before = contents(folder)
    refused = larmor("run", study, "-o", output, "--force")
    assert refused.returncode == 2 and "0000.h5" in refused.stderr and contents(folder) == before
    shutil.rmtree(folder)
    folder.symlink_to(others)
    before = contents(others)
    refused = larmor("run", study, "-o", output, "--force")
    assert refused.returncode == 2 and "s.h5.points" in refused.stderr and contents(others) == before


def test_points_of_another_scan_are_not_taken_in(tmp_path):
    one = stopped(tmp_path, tmp_path / "one.h5", scan=True)
    stopped(tmp_path, tmp_path / "other.h5", scan=True)
    shutil.copy(tmp_path / "other.h5.points" / "0000.h5", tmp_path / "one.h5.points" / "0000.h5")
    resumed = larmor("resume", one)
    assert resumed.returncode == 2 and "not of this scan" in resumed.stderr


def test_a_lost_folder_of_points_is_told(tmp_path):
    output = stopped(tmp_path, tmp_path / "s.h5", scan=True)
    shutil.rmtree(tmp_path / "s.h5.points")
    resumed = larmor("resume", output)
    assert resumed.returncode == 2 and "s.h5.points" in resumed.stderr and "--from-start" in resumed.stderr
    process = start("resume", output, "--from-start")
    wait_until_there(process, tmp_path / "s.h5.points/0000.h5")
    assert ended(process, 0.1)[0] == 143


def test_a_study_that_replaces_a_scan_tells_of_its_points(tmp_path):
    output = stopped(tmp_path, tmp_path / "s.h5", scan=True)
    before = contents(tmp_path / "s.h5.points")
    done = larmor("run", write_study(tmp_path), "-o", output, "--force")
    assert done.returncode == 0 and "s.h5.points' stays" in done.stderr, done.stderr
    assert contents(tmp_path / "s.h5.points") == before


def test_a_checkpoint_of_a_point_without_results_is_left_alone(tmp_path):
    output = stopped(tmp_path, tmp_path / "s.h5", scan=True)
    points = tmp_path / "s.h5.points"
    (points / "0000.h5").unlink()
    before = contents(points)
    for words in (("resume", output), ("run", write_study(tmp_path, scan=True), "-o", output, "--force")):
        refused = larmor(*words)
        assert refused.returncode == 2 and "0000.h5.ckpt" in refused.stderr, refused.stderr
        assert before.items() <= contents(points).items()


def test_a_point_whose_checkpoint_is_damaged_begins_anew_only_if_asked(tmp_path):
    output = stopped(tmp_path, tmp_path / "s.h5", scan=True)
    checkpoint = tmp_path / "s.h5.points" / "0000.h5.ckpt"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
    checkpoint.with_name("0000.h5.ckpt.prev").unlink(missing_ok=True)
    before = contents(tmp_path / "s.h5.points" / "0000.h5")
    refused = larmor("resume", output)
    assert refused.returncode == 3 and "damaged" in refused.stderr and "--from-start" in refused.stderr
    assert contents(tmp_path / "s.h5.points" / "0000.h5") == before
    code, _, errors = ended(start("resume", output, "--from-start"))
    assert code == 143 and "0000.h5.ckpt' is damaged" in errors and "the study began anew" in errors


def test_from_start_is_for_runs_without_a_checkpoint(tmp_path):
    output = stopped(tmp_path, tmp_path / "s.h5")
    code, _, errors = ended(start("resume", output, "--from-start"))
    assert code == 143 and "--from-start was not needed" in errors
    checkpoint = tmp_path / "s.h5.ckpt"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
    (tmp_path / "s.h5.ckpt.prev").unlink(missing_ok=True)
    before = contents(tmp_path)
    refused = larmor("resume", output)
    assert refused.returncode == 3 and "damaged" in refused.stderr and "--from-start" in refused.stderr
    assert contents(tmp_path) == before
    process = start("resume", output, "--from-start", "--checkpoint-every", "0.02")
    code, _, errors = stop_once_there(process, tmp_path / "s.h5.ckpt.prev", signal.SIGTERM)
    assert code == 143 and "damaged" in errors and "the study began anew" in errors
    code, _, errors = ended(start("resume", output), 0.2)
    assert code == 143 and errors == ""


@pytest.mark.parametrize("size", [0, 3000000])
def test_a_checkpoint_that_a_power_cut_blanked_is_no_loss(tmp_path, size):
    whole, output = tmp_path / "whole.h5", tmp_path / "s.h5"
    study = write_study(tmp_path, sweeps=20000)
    assert larmor("run", study, "-o", whole).returncode == 0
    process = start("run", study, "-o", output, "--checkpoint-every", "0.005")
    code, _, errors = stop_once_there(process, tmp_path / "s.h5.ckpt.prev", signal.SIGKILL)
    assert code == -9, errors
    (tmp_path / "s.h5.ckpt").write_bytes(bytes(size))
    resumed = larmor("resume", output, *(("--checkpoint-every", "0.005") if size else ()))
    assert resumed.returncode == 0 and "going on from" in resumed.stderr, resumed.stderr
    assert "anew" not in resumed.stderr
    assert_same_bits(whole, output)
    assert not list(tmp_path.glob("s.h5.*"))


def test_a_name_is_quoted_where_a_shell_needs_it(tmp_path):
    output = tmp_path / "my run's.h5"
    process = start("run", write_study(tmp_path, sweeps=HOURS), "-o", output, "--checkpoint-every", "0.02")
    code, out, errors = stop_once_there(process, tmp_path / "my run's.h5.ckpt", signal.SIGTERM)
    assert code == 143, errors
    proposed = out[out.index("larmor resume") :].split(" ", 2)[2].strip()
    words = subprocess.run(["sh", "-c", f"printf %s {proposed}"], capture_output=True, text=True)
    assert words.stdout == str(output)


@pytest.mark.parametrize("name", ["dangling.h5", "loop.h5", "x" * 245 + ".h5"])
def test_an_output_that_could_not_be_written_is_refused_before_the_run(tmp_path, name):
    (tmp_path / "dangling.h5").symlink_to("nowhere.h5")
    (tmp_path / "loop.h5").symlink_to("loop.h5")
    study = write_study(tmp_path, sweeps=HOURS)
    before = contents(tmp_path)
    for options in ((), ("--force",)):
        refused = larmor("run", study, "-o", tmp_path / name, *options)
        assert refused.returncode == 2 and name in refused.stderr
        assert ("leads to no file" in refused.stderr) == (len(name) < 20)
        assert ("too long" in refused.stderr) == (len(name) > 20)
        assert contents(tmp_path) == before


def inputs_of_commands(folder):
    """Files that commands read, and the commands without their outputs."""
    evaluate = many_structures(folder / "in.extxyz", 2)[:-2]
    (folder / "problem.txt").write_text("0 1 1\n1 2 -1\n")
    done = larmor("run", write_study(folder), "-o", folder / "r.h5")
    assert done.returncode == 0, done.stderr
    return {"evaluate": evaluate, "solve": ("solve", folder / "problem.txt"), "export": ("export", folder / "r.h5")}


def test_force_replaces_text_of_commands_and_nothing_else(tmp_path):
    commands = inputs_of_commands(tmp_path)
    stopped(tmp_path, tmp_path / "other.h5")
    foreign_hdf5(tmp_path / "foreign.h5")
    (tmp_path / "link.txt").symlink_to("s.toml")
    (tmp_path / "archive.gz").write_bytes(b"\x1f\x8b\x08\x00" + bytes(20))
    before = contents(tmp_path)
    for words in commands.values():
        for kept in ("other.h5", "other.h5.ckpt", "foreign.h5", "archive.gz", "s.toml", "link.txt"):
            refused = larmor(*words, "-o", tmp_path / kept, "--force")
            assert refused.returncode == 2 and kept in refused.stderr, (words, kept, refused.stderr)
            assert contents(tmp_path) == before
    for kept in ("other.h5", "other.h5.ckpt", "foreign.h5"):
        refused = larmor("new", "spin-waves", tmp_path / kept, "--force")
        assert refused.returncode == 2 and contents(tmp_path) == before
    refused = larmor("reweight", tmp_path / "r.h5", "-o", tmp_path / "other.h5", "--force")
    assert refused.returncode == 2 and "no curves" in refused.stderr and contents(tmp_path) == before


@pytest.mark.parametrize("ending", ["snapcoeff", "snapparam", "mod", "h5"])
def test_a_fit_replaces_no_file_of_others(tmp_path, ending):
    frame = '2\nLattice="3 0 0 0 3 0 0 0 3" Properties=species:S:1:pos:R:3 energy={}\nW 0 0 0\nW 1.5 1.5 1.{}\n'
    (tmp_path / "set.extxyz").write_text("".join(frame.format(n, n) for n in range(3, 8)))
    (tmp_path / "fit.toml").write_text('[snap]\nrcutfac = 4.7\ntwojmax = 0\n[[element]]\nname = "W"\n[[group]]\n'
                                       'name = "all"\nfiles = ["set.extxyz"]\nenergy_weight = 1\nforce_weight = 0\n'
                                       "stress_weight = 0\n")
    fit = ("fit", tmp_path / "fit.toml", "-o", tmp_path / "w")
    foreign_hdf5(tmp_path / f"w.{ending}")
    before = contents(tmp_path)
    for words in (fit, (*fit, "--force")):
        refused = larmor(*words)
        assert refused.returncode == 2 and f"w.{ending}" in refused.stderr, refused.stderr
        assert contents(tmp_path) == before
    (tmp_path / f"w.{ending}").unlink()
    assert larmor(*fit).returncode == 0
    before = contents(tmp_path)
    assert larmor(*fit).returncode == 2 and contents(tmp_path) == before
    assert larmor(*fit, "--force").returncode == 0


def test_an_output_that_is_a_link_stays_one(tmp_path):
    for name, words in inputs_of_commands(tmp_path).items():
        (tmp_path / "disk").mkdir(exist_ok=True)
        (tmp_path / "disk" / name).write_text("old\n")
        link = tmp_path / f"{name}.link"
        link.symlink_to(tmp_path / "disk" / name)
        done = larmor(*words, "-o", link, "--force")
        assert done.returncode == 0, done.stderr
        assert link.is_symlink() and len((tmp_path / "disk" / name).read_text()) > 20
    assert sorted(os.listdir(tmp_path / "disk")) == ["evaluate", "export", "solve"]


def test_a_pipe_that_would_be_read_twice_is_refused(tmp_path):
    commands = inputs_of_commands(tmp_path)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for name in ("evaluate", "solve"):
        words = [pipe if word == commands[name][1] else word for word in commands[name]]
        refused = larmor(*words, "-o", tmp_path / "out")
        assert refused.returncode == 2 and "must read this input twice" in refused.stderr, refused.stderr
    assert not (tmp_path / "out").exists()
    study = tmp_path / "pipe.toml"
    study.write_text('units = "material"\n[lattice]\ntype = "sc"\nsize = [4, 4, 4]\nconstant = "3 Å"\nmoment = "1 μB"\n'
                     '[[exchange]]\nfile = "pipe"\n[[stage]]\nkind = "minimise"\n')
    with subprocess.Popen(["sh", "-c", r"printf '1 1 1 0 0 1\n1 1 -1 0 0 1\n' > pipe"], cwd=tmp_path) as writer:
        refused = larmor("run", study, cwd=tmp_path)
        writer.kill()
    assert refused.returncode == 2 and "must read this input twice" in refused.stderr, refused.stderr


@pytest.mark.parametrize("frames", ["", "\nkeep_configurations = 2"], ids=["small", "with-spins"])
def test_a_reader_holds_up_no_run(tmp_path, frames):
    study = write_study(tmp_path, sweeps=HOURS)
    study.write_text(study.read_text().replace("trajectory_every = 2", "trajectory_every = 2" + frames))
    process = start("run", study, "-o", tmp_path / "s.h5", "--checkpoint-every", "0.02")
    wait_until_there(process, tmp_path / "s.h5.ckpt.prev")
    with h5py.File(tmp_path / "s.h5"):
        seen = (tmp_path / "s.h5.ckpt").stat().st_mtime_ns
        deadline = time.monotonic() + 60
        while not (tmp_path / "s.h5.ckpt").exists() or (tmp_path / "s.h5.ckpt").stat().st_mtime_ns == seen:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert ended(process, 0)[0] == 143
    assert not list(tmp_path.glob("*.tmp-*"))


def test_results_are_read_both_ways_while_a_run_goes_on(tmp_path):
    output = tmp_path / "s.h5"
    process = start("run", write_study(tmp_path, sweeps=HOURS), "-o", output, "--checkpoint-every", "0.02")
    wait_until_there(process, tmp_path / "s.h5.ckpt.prev")
    for _ in range(20):
        with reader.open(output) as results, h5py.File(output):
            assert results.units == "reduced"
        with h5py.File(output), reader.open(output) as results:
            assert results.units == "reduced"
    assert ended(process, 0)[0] == 143


def many_structures(path, frames):
    frame = '2\nLattice="3 0 0 0 3 0 0 0 3" Properties=species:S:1:pos:R:3\nW 0 0 0\nW 1.5 1.5 1.4\n'
    path.write_text(frame * frames)
    (path.parent / "w.snapcoeff").write_text("1 2\nW 0.5 1\n-1\n0.1\n")
    (path.parent / "w.snapparam").write_text("rcutfac 4.7\ntwojmax 0\n")
    return ("evaluate", path, "--snap", path.parent / "w", "-o", path.parent / "out.extxyz")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGUSR1])
def test_a_signal_leaves_no_temporary_file(tmp_path, how):
    process = start(*many_structures(tmp_path / "in.extxyz", 400000))
    before = {"in.extxyz", "w.snapcoeff", "w.snapparam"}
    wait_until_there(process, tmp_path / "*.tmp-*")
    code, _, errors = stop_once_there(process, tmp_path / "in.extxyz", how)
    assert code == -how, errors
    assert set(os.listdir(tmp_path)) == before


def test_too_large_a_file_is_an_error_without_traces(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    written = inputs_of_commands(tmp_path)
    words = many_structures(tmp_path / "in.extxyz", 100)
    before = set(os.listdir(tmp_path))
    commands = (words, written["solve"], (*written["export"], "-o", tmp_path / "out.extxyz"),
                ("new", "spin-waves", tmp_path / "n.toml"))
    for each in commands:
        done = larmor(*each, preexec_fn=limit)
        assert done.returncode == 3 and "File too large" in done.stderr
        assert set(os.listdir(tmp_path)) == before


def test_a_hangup_stops_a_run_resumably_but_not_under_nohup(tmp_path):
    study, output = write_study(tmp_path, sweeps=HOURS), tmp_path / "s.h5"
    process = start("run", study, "-o", output, "--checkpoint-every", "0.02")
    code, out, _ = stop_once_there(process, tmp_path / "s.h5.ckpt", signal.SIGHUP)
    assert code == 129 and "larmor resume" in out

    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    process = start("resume", output, "--checkpoint-every", "0.02", preexec_fn=ignore)
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.3)
    assert ended(process, 0)[0] == 143


def test_a_full_disk_on_the_standard_output_is_an_error(tmp_path):
    study = write_study(tmp_path)
    assert larmor("run", study, "-o", tmp_path / "r.h5").returncode == 0
    for words in (("show", tmp_path / "r.h5", "--json"), ("show", tmp_path / "r.h5", "--csv"),
                  ("check", study), ("explain", "dynamics"), ("new",), ("devices",), ("--help",)):
        with open("/dev/full", "w") as full:
            done = subprocess.run([LARMOR, *map(str, words)], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=PATIENCE)
        assert done.returncode == 3, (words, done.stderr)
        assert done.stderr.count("\n") == 1 and "standard output" in done.stderr


def test_results_never_become_a_closed_standard_output(tmp_path):
    study, expected, output = write_study(tmp_path), tmp_path / "whole.h5", tmp_path / "r.h5"
    assert larmor("run", study, "-o", expected).returncode == 0
    done = subprocess.run(["sh", "-c", f"exec {shlex.join(command('run', study, '-o', output))} >&- 2>&- <&-"],
                          timeout=PATIENCE)
    assert done.returncode == 3, "the words at its end were not written"
    assert datasets(output) == datasets(expected)
