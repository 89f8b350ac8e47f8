"""--profile reports where time is spent and changes nothing else."""
# Rooms: core, study

import re

from program import assert_same_bits, larmor, write_study

ROW = re.compile(r"^( +)(\S.*?) +(\d+) +(\d+\.\d+) +(\d+\.\d)% +(\d+\.\d+)$")


def rows_of(table):
    """(depth, name, calls, seconds) of every row of the regions."""
    rows = []
    for line in table.split("on the GPU")[0].splitlines():
        found = ROW.match(line)
        if found:
            indent, name, calls, seconds, _, mean = found.groups()
            assert abs(int(calls) * float(mean) * 1e-6 - float(seconds)) < 1e-3 * int(calls)
            rows.append(((len(indent) - 2) // 2, name, int(calls), float(seconds)))
    return rows


def inside(rows, stage):
    """Numbers of calls of the regions directly inside a stage, by name."""
    first = [name for _, name, _, _ in rows].index(stage)
    calls = {}
    for depth, name, count, _ in rows[first + 1 :]:
        if depth == 0:
            break
        if depth == 1:
            calls[name] = count
    return calls


def test_the_table_has_samplers_and_measurements(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=100)
    run = larmor("run", study, "-o", tmp_path / "r.h5", "--profile")
    assert run.returncode == 0, run.stderr
    total = float(re.search(r"where the time went: ([\d.]+) s", run.stdout)[1])
    rows = rows_of(run.stdout)
    top = [seconds for depth, _, _, seconds in rows if depth == 0]
    assert 0 < sum(top) <= total + 1e-3
    assert sum(top) > 0.5 * total
    sampled = inside(rows, "stage 2 monte-carlo")
    assert sampled["energy and magnetisation"] == 2 * 20
    assert sampled["energy"] == 2 * 20 * 4  # for each term
    assert sampled["amplitudes A(q)"] == 2 * 33
    # The regions are energy with magnetisation, three further observables, and amplitudes.
    assert sampled["measurements"] == 2 * (20 * (1 + 3) + 33)
    assert "heat bath and over-relaxation" in sampled
    assert inside(rows, "stage 3 dynamics")["amplitudes A(q)"] == 100 // 5 + 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.h5", "study.toml"]


def test_it_does_not_change_a_bit(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=50)
    plain = larmor("run", study, "-o", tmp_path / "plain.h5")
    assert plain.returncode == 0 and "where the time went" not in plain.stdout
    profiled = larmor("run", study, "-o", tmp_path / "profiled.h5", "--profile")
    assert profiled.returncode == 0
    assert_same_bits(tmp_path / "plain.h5", tmp_path / "profiled.h5")
