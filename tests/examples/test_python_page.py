"""The code of docs/python.md runs, in the order of the page."""
# Rooms: study, ground_states, evaluation

import re
import warnings

import pytest

import larmor
from running import LARMOR, ROOT, require_potential

PAGE = ROOT / "docs" / "python.md"


def test_the_code_of_the_page_runs(tmp_path, monkeypatch, capsys):
    for package in ("ase", "dimod", "networkx"):
        pytest.importorskip(package, reason=f"no {package} here")
    require_potential("W_2940_2017_2.snap")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LARMOR", LARMOR)
    text = PAGE.read_text(encoding="utf-8")
    names = {}
    with warnings.catch_warnings():
        # The studies of the page are short.
        warnings.simplefilter("ignore", larmor.LarmorWarning)
        for block in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, block.start(1))
            # Errors then have the line of the page.
            exec(compile("\n" * line + block[1], str(PAGE), "exec"), names)
    assert names["cumulant"].shape == (3, 3)
    assert names["relaxed"].stages["minimise"].completed
    assert names["found"].energy == -3.5 and names["found"].state == {"a": -1, "b": 1, "c": 1}
    assert names["evaluated"].forces.shape == (53, 3)
    assert "stage.1.temperature" in capsys.readouterr().out
