"""One study gives equal bits for any number of threads."""
# Rooms: spins, study

import pytest

from program import assert_same_bits, datasets, larmor, write_alloy_study, write_study


@pytest.mark.parametrize("write", [write_study, write_alloy_study])
@pytest.mark.parametrize("replicas", [1, 8, 20])
def test_threads_do_not_change_a_bit(tmp_path, replicas, write):
    study = write(tmp_path / "study.toml", replicas=replicas, sweeps=30)
    for threads in (1, 2, 7):
        run = larmor("run", study, "-o", tmp_path / f"{threads}.h5", "--threads", threads)
        assert run.returncode == 0, run.stderr
    assert_same_bits(tmp_path / "1.h5", tmp_path / "2.h5")
    assert_same_bits(tmp_path / "1.h5", tmp_path / "7.h5")


def test_another_seed_gives_another_run(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=50)
    other = tmp_path / "other.toml"
    other.write_text(study.read_text().replace("seed = 7", "seed = 8"))
    assert larmor("run", study, "-o", tmp_path / "a.h5").returncode == 0
    assert larmor("run", other, "-o", tmp_path / "b.h5").returncode == 0
    name = "stages/02-monte-carlo/averages/energy/value"
    assert datasets(tmp_path / "a.h5")[name] != datasets(tmp_path / "b.h5")[name]
