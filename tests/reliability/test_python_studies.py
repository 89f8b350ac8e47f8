"""Studies that Python builds, checks, runs, stops and continues with the program."""
# Rooms: study

import os
import pathlib
import signal
import subprocess
import sys
import time
import warnings

import pytest

import larmor
from program import LARMOR, PATIENCE, ROOT, assert_same_bits
from running import SOON

SWEEPS = 800


# The runs are too short for averages.
pytestmark = pytest.mark.filterwarnings("ignore:.*too few sweeps", "ignore:the run had stopped before")


@pytest.fixture(autouse=True)
def program(monkeypatch):
    monkeypatch.setenv("LARMOR", LARMOR)


def magnet(sweeps=SWEEPS, size=(8, 8, 8)):
    """A study of some tenths of a second."""
    study = larmor.Study(title="magnet", seed=3, replicas=4)
    study.lattice(type="sc", size=size)
    study.exchange(shell=1, J=1.0)
    study.stage("monte-carlo", temperature=1.44, thermalisation=sweeps // 4, sweeps=sweeps, measure_every=5)
    return study


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Results of an uninterrupted run."""
    output = tmp_path_factory.mktemp("whole") / "whole.h5"
    larmor.run(magnet(), output, progress=False, program=LARMOR).close()
    return output


def children():
    """Numbers of the processes that this process has started."""
    return list(map(int, pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()))


def sends(number):
    """A function for `on_progress` that sends one signal to the program, at the start of the run."""
    def on_progress(event):
        if event["event"] == "start":
            os.kill(children()[0], number)

    return on_progress


def test_a_run_returns_its_results(tmp_path):
    results = magnet(100).run(progress=False, threads=1, set={"replicas": 2, "stage.1.temperature": [1.4, 1.5]})
    assert results.title == "magnet" and results.stages[0].averages["energy"].value.shape == (2,)
    assert "replicas = 2" in results.completed_study and results.legs[0]["threads"] == 1
    assert larmor.Study.from_toml(results.study) == {**magnet(100), "replicas": 2, "stage": [
        {**magnet(100)["stage"][0], "temperature": [1.4, 1.5]}]}


def test_dictionaries_and_files_run_too(tmp_path):
    output = tmp_path / "out.h5"
    file = tmp_path / "study.toml"
    magnet(50).save(file)
    for study in (dict(magnet(50)), file, str(file)):
        with larmor.run(study, output, progress=False, force=True) as results:
            assert results.path == output and results.stages[0].completed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.h5", "study.toml"]


def test_a_temporary_file_lives_as_long_as_its_results():
    results = magnet(50).run(progress=False)
    path = results.path
    assert path.exists()
    stage = results.stages[0]
    del results
    assert not path.parent.exists()
    assert stage.averages["energy"].value < 0


def test_results_are_not_replaced_silently(tmp_path):
    output = tmp_path / "out.h5"
    output.write_text("mine")
    with pytest.raises(larmor.InputError, match="exists") as refused:
        magnet(50).run(output, progress=False)
    assert output.read_text() == "mine" and "force=True" in refused.value.remedy


def test_a_check_gives_the_plan_and_notes():
    plan = magnet(size=(2, 2, 2)).check()
    assert "8 sites" in plan.text and plan.text in repr(plan)
    assert len(plan.notes) == 1 and "bonds reach around" in plan.notes[0] and plan.notes[0] in repr(plan)


def test_notes_of_a_run_are_warnings_at_the_line_of_the_caller():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        magnet(50, size=(2, 2, 2)).run(progress=False)
    notes = [(str(w.message), w.filename) for w in caught if w.category is larmor.LarmorWarning]
    assert [file for _, file in notes] == [__file__] and "bonds reach around" in notes[0][0]
    with warnings.catch_warnings(), pytest.raises(larmor.LarmorWarning):
        warnings.simplefilter("error")
        magnet(50, size=(2, 2, 2)).run(progress=False)
    assert not children()


def test_a_mistake_is_an_error_with_its_key_and_remedy(tmp_path):
    study = magnet()
    study["exchange"][0]["shel"] = 1
    for attempt in (study.check, study.run):
        with pytest.raises(larmor.InputError) as refused:
            attempt()
        error = refused.value
        assert error.problem == "unknown key 'shel' in exchange" and "did you mean 'shell'?" in error.remedy
        assert error.key == "exchange.1.shel" and error.file == "study"
        assert str(error).startswith(f"study:{error.line}:") and "/tmp" not in str(error)
    file = tmp_path / "study.toml"
    study.save(file)
    with pytest.raises(larmor.InputError) as refused:
        larmor.check(file)
    assert refused.value.file == str(file) and study.to_toml().splitlines()[refused.value.line - 1] == "shel = 1"
    with pytest.raises(larmor.InputError) as refused:
        magnet().check(set={"stage.1.sweeps": -1})
    assert refused.value.key == "stage.1.sweeps"
    with pytest.raises(larmor.InputError, match="no-such-file"):
        larmor.check(tmp_path / "no-such-file.toml")
    with pytest.raises(larmor.MachineError):
        magnet().check(set={"replicas": 100_000, "lattice.size": [800, 800, 800]})
    with pytest.raises(larmor.InputError, match="nothing is called 'exchang'"):
        larmor.explain("exchang")


@pytest.mark.parametrize("change, key", [
    (lambda study: study["lattice"].pop("size"), "lattice.size"),
    (lambda study: study["exchange"][0].pop("J"), "exchange.1.J"),
    (lambda study: study["stage"][0].pop("temperature"), "stage.1.temperature"),
    (lambda study: study.pop("lattice"), "lattice"),
    (lambda study: study.update(alloy=[{"species": "A", "by": "B", "fraction": 0.5}]), "alloy.1.moment"),
    (lambda study: study.update(initial={"state": "skyrmion"}), "initial.radius"),
    (lambda study: study.update(initial={"state": "file"}), "initial.file"),
    (lambda study: study["stage"][0].pop("kind"), "stage.1.kind"),
    (lambda study: study["stage"][0].update(measure=[{"every": 2}]), "stage.1.measure.1.what"),
    (lambda study: study["lattice"].update(size=0), "lattice.size"),
    (lambda study: study["stage"][0].update(temperature={"from": 1.0}), "stage.1.temperature.to"),
], ids=["size", "J", "temperature", "lattice", "moment", "radius", "file", "kind", "what", "wrong", "to"])
def test_a_key_that_is_missing_is_named(tmp_path, change, key):
    study = magnet()
    change(study)
    for attempt in (study.check, study.save, study.start):
        if attempt == study.save:
            study.save(tmp_path / "study.toml")
            attempt = lambda: larmor.check(tmp_path / "study.toml")  # noqa: E731
        with pytest.raises(larmor.InputError) as refused:
            attempt()
        assert refused.value.key == key, str(refused.value)


def test_a_key_that_a_change_leaves_out_is_named():
    for attempt in (magnet().check, magnet().start):
        with pytest.raises(larmor.InputError) as refused:
            attempt(set={"lattice": {"type": "sc"}})
        assert refused.value.key == "lattice.size"


def test_errors_of_options_name_the_arguments(tmp_path):
    for options, name in (({"threads": -1}, "threads"), ({"backend": "gpu"}, "backend"),
                          ({"checkpoint_every": -1}, "checkpoint_every"), ({"points_at_once": 2}, "points_at_once")):
        with pytest.raises(larmor.InputError, match=f"^(error: )?{name}") as refused:
            magnet(50).run(progress=False, **options)
        assert "--" not in str(refused.value) + refused.value.problem
    with pytest.raises(larmor.InputError) as refused:
        magnet().check(set={"stage.1.sweeps": -1})
    error = refused.value
    assert str(error).startswith("set stage.1.sweeps=-1") and error.file is None and error.line is None


def test_nothing_is_left_open(tmp_path):
    script = tmp_path / "script.py"
    magnet(50).save(tmp_path / "study.toml")
    script.write_text(f'''
import larmor
study = larmor.Study.from_toml({str(tmp_path / "study.toml")!r})
for options in ({{}}, {{"output": "out.h5"}}):
    stage = study.run(progress=False, **options).stages[0]
    stage.averages["energy"].value
study.check()
for change in ({{"stage.1.sweeps": -1}}, {{"replicas": 0}}):
    try:
        study.run(progress=False, set=change)
    except larmor.InputError:
        pass
larmor.solve({{(0, 1): 1.0}}, certify=True, progress=False)
larmor.open("out.h5").report()
larmor.open("out.h5").to_pandas()
del stage
''')
    done = subprocess.run([sys.executable, "-W", "error", "-W", "ignore::larmor.LarmorWarning", "-X", "dev", script], cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "LARMOR": LARMOR},
                          capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and "ResourceWarning" not in done.stderr, done.stderr


def test_files_are_relative_to_the_folder_of_the_study(tmp_path):
    (tmp_path / "sites.xyz").write_text("2\nProperties=species:S:1:pos:R:3\nA 0 0 0\nA 1 0 0\n")
    study = larmor.Study.from_dict({"lattice": {"file": "sites.xyz"}, "exchange": [{"pairs": [[0, 1]], "J": 1.0}],
                                    "stage": [{"kind": "monte-carlo", "temperature": 1.0, "sweeps": 10}]})
    with pytest.raises(larmor.InputError, match="sites.xyz"):
        study.check()
    study.folder = tmp_path
    assert "2 plain positions" in study.check().text


def test_progress_reaches_a_function_and_a_line(capfd):
    events = []
    magnet(100).run(on_progress=events.append)
    # A slow machine also reports "progress".
    assert [event["event"] for event in events if event["event"] != "progress"] == ["start", "stage", "end"]
    assert events[-1]["done"] == events[-1]["total"] > 0
    assert ("done in" in capfd.readouterr().err) == (events[-1]["elapsed"] >= 2)


@pytest.mark.parametrize("how", [KeyboardInterrupt, ZeroDivisionError])
def test_an_exception_stops_the_run_after_a_checkpoint(tmp_path, whole, how):
    output = tmp_path / "out.h5"

    def fail(event):
        raise how

    with pytest.raises(larmor.Interrupted if how is KeyboardInterrupt else how) as stopped:
        magnet().run(output, progress=False, on_progress=fail)
    assert not children()
    if how is KeyboardInterrupt:
        assert stopped.value.output == output and f"larmor.resume('{output}')" in str(stopped.value)
        assert not stopped.value.is_complete
    larmor.resume(output, progress=False).close()
    assert_same_bits(whole, output)
    with pytest.raises(larmor.InputError, match="is complete"):
        larmor.resume(output)


def test_a_temporary_run_can_be_resumed(whole):
    def stop(event):
        raise KeyboardInterrupt

    with pytest.raises(larmor.Interrupted) as stopped:
        magnet().run(progress=False, on_progress=stop)
    with magnet().resume(stopped.value.output, progress=False) as results:
        assert_same_bits(whole, results.path)


def test_a_signal_from_elsewhere_is_an_interruption(tmp_path, whole):
    output = tmp_path / "out.h5"
    with pytest.raises(larmor.Interrupted, match="SIGTERM") as stopped:
        magnet().run(output, progress=False, on_progress=sends(signal.SIGTERM))
    assert stopped.value.signal == signal.SIGTERM
    larmor.resume(output, progress=False).close()
    assert_same_bits(whole, output)


def test_a_killed_program_is_an_error(tmp_path, whole):
    output = tmp_path / "out.h5"
    with pytest.raises(larmor.MachineError, match="ended by SIGKILL") as died:
        magnet().run(output, progress=False, on_progress=sends(signal.SIGKILL))
    assert died.value.output == output
    larmor.resume(output, progress=False).close()
    assert_same_bits(whole, output)


def python(folder, script):
    """Starts Python in a process group, as a shell does."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    return subprocess.Popen([sys.executable, "-c", script], cwd=folder, env=environment, start_new_session=True,
                            stderr=subprocess.PIPE, text=True)


LONG_RUN = ("import larmor; study = larmor.Study.from_toml('study.toml'); "
            "study.run('out.h5', checkpoint_every=0.01, set={'stage.1.sweeps': 5 * 10**6})")


def wait_for(condition):
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def child_of(process):
    """The program that a process has started; None: none yet."""
    numbers = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return int(numbers[0]) if numbers else None


def test_ctrl_c_in_a_terminal_reaches_the_program_once(tmp_path):
    magnet().save(tmp_path / "study.toml")
    session = python(tmp_path, LONG_RUN)
    wait_for((tmp_path / "out.h5.ckpt").exists)
    program = child_of(session)
    os.killpg(session.pid, signal.SIGINT)
    _, errors = session.communicate(timeout=PATIENCE)
    assert "larmor.errors.Interrupted: stopped by SIGINT; go on with larmor.resume" in errors
    assert not pathlib.Path(f"/proc/{program}").exists()
    # A program that is killed does not write when it ended.
    with larmor.open(tmp_path / "out.h5") as results:
        assert "ended" in results.legs[0] and not results.stages[0].completed


def test_the_program_ends_with_a_killed_session(tmp_path):
    magnet().save(tmp_path / "study.toml")
    session = python(tmp_path, LONG_RUN)
    wait_for((tmp_path / "out.h5.ckpt").exists)
    program = child_of(session)
    session.kill()
    session.communicate()
    wait_for(lambda: not pathlib.Path(f"/proc/{program}").exists())


def test_a_scan_runs(tmp_path):
    study = magnet(50).scan({"stage.1.temperature": [1.0, 2.0], "lattice.size": [[4, 4, 4], [6, 6, 6]]})
    with study.run(tmp_path / "scan.h5", progress=False, points_at_once=2) as results:
        assert results.scan.summary["01-monte-carlo"]["energy"].value.shape == (2, 2)


def test_a_structure_of_atoms_is_written_next_to_the_results(tmp_path):
    cell = larmor.Structure(["A", "A"], [[0, 0, 0], [1, 0, 0]])
    study = magnet(50)
    study["lattice"] = {"file": cell}
    study["exchange"] = [{"pairs": [[0, 1]], "J": 1.0}]
    study.run(tmp_path / "out.h5", progress=False).close()
    assert (tmp_path / "out-lattice.extxyz").read_text() == cell.text()
    study["lattice"]["file"] = larmor.Structure(["A", "A"], [[0, 0, 0], [2, 0, 0]])
    (tmp_path / "out.h5").unlink()
    with pytest.raises(larmor.InputError, match="out-lattice.extxyz' exists and holds another structure"):
        study.run(tmp_path / "out.h5", progress=False)


def test_the_methods_fit_the_field_tables():
    done = subprocess.run([sys.executable, ROOT / "tools/make_python_tables.py", "--check"],
                          env={**os.environ, "LARMOR": LARMOR}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_program_is_found(tmp_path, monkeypatch):
    from larmor import program

    fake = tmp_path / "larmor"
    fake.write_text("#!/bin/sh\n")
    fake.chmod(0o755)
    assert program.find_program(fake) == str(fake)
    assert program.find_program() == LARMOR
    monkeypatch.delenv("LARMOR")
    monkeypatch.setattr(program, "PACKAGE", tmp_path / "python" / "larmor")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program.find_program() == str(fake)
    inside = tmp_path / "python" / "larmor" / "_bin" / "larmor"
    inside.parent.mkdir(parents=True)
    fake.rename(inside)
    assert program.find_program() == str(inside)
    built = tmp_path / "build" / "release" / "larmor"
    built.parent.mkdir(parents=True)
    inside.rename(built)
    assert program.find_program() == str(built)
    built.unlink()
    with pytest.raises(larmor.MachineError, match="there is no program 'larmor'"):
        program.find_program()
