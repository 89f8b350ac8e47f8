"""Mistakes in keys and values of the examples, of the starters, and of inputs of other programs. The changed input is
still valid, or one message names its file, line and key, and the remedy. Nothing is written."""
# Rooms: study, imports

import json
import os
import pathlib
import random
import re
import shutil
import subprocess

import pytest

from program import DEPTH, ROOT, command

PATIENCE = 60

STUDIES = sorted([*ROOT.glob("examples/*/study.toml"), *ROOT.glob("cli/starters/*.toml")])
# Inputs of other programs, of which some hold several files (tests/fuzz/studies.hpp).
CORPUS = ROOT / "tests" / "fuzz" / "corpus"
MAIN_FILES = {"uppasd-folder": "inpsd.dat", "vampire-folder": "input", "vampire-unit-cell": "a.ucf",
              "tb2j": "exchange.out", "cif": "a.cif", "mcif": "a.mcif", "poscar-crystal": "POSCAR"}
INPUTS = sorted(path for kind in MAIN_FILES for path in (CORPUS / kind).glob("*")
                if not path.name.startswith("wrong"))
# MutatedFiles and `make fuzz` change far more files, without a process for each.
if DEPTH:
    MUTATIONS_OF_STUDY, MUTATIONS_OF_INPUT = 10, 25
else:
    STUDIES, INPUTS = STUDIES[::5], INPUTS[::3]
    MUTATIONS_OF_STUDY, MUTATIONS_OF_INPUT = 5, 5
NAMES = [path.parent.name if path.stem == "study" else path.stem for path in STUDIES]

KEY = re.compile(r"^(\s*)([\w-]+)(\s*=\s*)(.*?)(\s*(?:#[^\"]*)?)$")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
UNIT = re.compile(r"(?<=\d) ([A-Za-zÅµ/_]+)(?=\")")
WORD = re.compile(r"\S+")
NUMBERS = ("0", "-1", "1", "nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0.5", "2147483648", "4294967296",
           "9223372036854775807", "9223372036854775808", '"1"', "true", "[]", "[[1]]")
UNITS = ("meV", "mRy", "K", "T", "fs", "ps", "Å", "nm", "GHz", "g/mol", "GPa", "mev", "")


def misspelt(key, draw):
    at = draw.randrange(len(key))
    return draw.choice((key[:at] + key[at + 1:], key[:at] + key[at] + key[at:], key.upper(), key + "s",
                        key.replace("_", "-"), "x" + key))


def one_of(pattern, line, draw, replacement):
    """The line with one match of the pattern replaced. @return the line itself if nothing matches"""
    found = list(pattern.finditer(line))
    if not found:
        return line
    match = draw.choice(found)
    return line[:match.start()] + replacement + line[match.end():]


def change(lines, draw):
    """Makes one mistake in the lines of a study."""
    keys = [n for n, line in enumerate(lines) if KEY.match(line)]
    tables = [n for n, line in enumerate(lines) if line.startswith("[")]
    n, m = draw.choice(keys), draw.choice(keys)
    before, key, equals, value, after = KEY.match(lines[n]).groups()
    other = KEY.match(lines[m])
    how = draw.randrange(12)
    if how == 0:
        del lines[n]
    elif how == 1:
        lines.insert(m, lines[n])
    elif how == 2:
        lines[n], lines[m] = lines[m], lines[n]
    elif how == 3:
        lines[n] = before + misspelt(key, draw) + equals + value + after
    elif how == 4:
        lines[n] = before + other[2] + equals + value + after
    elif how == 5:
        lines[n] = before + key + equals + other[4] + after
    elif how == 6:
        lines[n] = before + key + equals + draw.choice(NUMBERS) + after
    elif how in (7, 8):
        lines[n] = one_of(NUMBER, lines[n], draw, draw.choice(NUMBERS))
    elif how == 9:
        unit = draw.choice(UNITS)
        lines[n] = one_of(UNIT, lines[n], draw, unit and " " + unit)
    elif how == 10:
        t = draw.choice(tables)
        lines[t] = lines[t].replace("[[", "[").replace("]]", "]") if "[[" in lines[t] else f"[{lines[t]}]"
    else:
        del lines[draw.choice(tables)]


def mutated(text, draw, change=change):
    lines = text.splitlines()
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        change(lines, draw)
    return "\n".join(lines) + "\n"


def change_words(lines, draw):
    """Makes one mistake in the lines of any text."""
    filled = [n for n, line in enumerate(lines) if line.strip()]
    if not filled:
        return
    n, m = draw.choice(filled), draw.choice(filled)
    word, other = draw.choice(list(WORD.finditer(lines[n]))), draw.choice(WORD.findall(lines[m]))
    how = draw.randrange(9)
    if how == 0:
        del lines[n]
    elif how == 1:
        lines.insert(m, lines[n])
    elif how == 2:
        lines[n], lines[m] = lines[m], lines[n]
    elif how in (3, 4):
        lines[n] = one_of(NUMBER, lines[n], draw, draw.choice(NUMBERS))
    elif how == 8:
        del lines[n:]
    else:
        by = {5: misspelt(word[0], draw), 6: other, 7: ""}[how]
        lines[n] = lines[n][:word.start()] + by + lines[n][word.end():]


def listing(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def assert_tidy_end(folder, name, text, verb="check"):
    """@param text the changed input, for messages @return exit code"""
    before = listing(folder)
    try:
        ended = subprocess.run(command(verb, name), cwd=folder, capture_output=True, text=True, timeout=PATIENCE,
                               env={**os.environ, "LARMOR_ERRORS": "json"})
    except subprocess.TimeoutExpired:
        pytest.fail(f"the {verb} of this input does not end:\n{text}")
    where = f"{ended.returncode}: {ended.stderr}\n{text}"
    assert listing(folder) == before, where
    if ended.returncode == 0:
        return 0
    assert ended.returncode in (2, 3, 4), where
    assert ended.stdout == "" and ended.stderr.count("\n") == 1, where
    error = json.loads(ended.stderr)
    if ended.returncode == 4:
        # The check makes a few steps, which may be too long for huge couplings.
        assert "smaller time step" in error["text"], where
        return 4
    if ended.returncode == 3:
        # A study may be too large for the machine.
        assert "memory" in error["text"], where
        return 3
    assert error["problem"] and error["remedy"], where
    assert (folder / error["file"]).is_file(), where
    # A missing table or keyword has no line, nor has an empty file.
    missing = r"the key '[\w-]+' is missing" if name == "study.toml" else r".*( is missing|has no | lack| is empty)"
    if re.match(missing, error["problem"]):
        return 2
    assert error["line"] > 0, where
    # Text that is not TOML has no keys, and the files of others have none.
    if error["file"] == name == "study.toml" and "TOML" not in error["problem"]:
        assert error["key"], where
    return 2


def copy_others(study, folder):
    """Copies the files that a study names."""
    others = study.parent if study.name == "study.toml" else study.with_suffix("")
    for path in others.glob("*"):
        if path.suffix not in (".toml", ".md", ".py", ".png"):
            shutil.copy(path, folder)


@pytest.mark.parametrize("study", STUDIES, ids=NAMES)
def test_mistakes_are_told(tmp_path, study):
    copy_others(study, tmp_path)
    draw = random.Random(str(study.relative_to(ROOT)))
    ends = []
    for _ in range(MUTATIONS_OF_STUDY):
        text = mutated(study.read_text(), draw)
        (tmp_path / "study.toml").write_text(text)
        ends.append(assert_tidy_end(tmp_path, "study.toml", text))
    assert 2 in ends


def files_of(path):
    """The files of an input of another program, as texts by their names."""
    text = path.read_text()
    parts = re.split(r"^=== (\S+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2])) if len(parts) > 1 else {MAIN_FILES[path.parent.name]: text}


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_mistakes_in_inputs_of_others_are_told(tmp_path, path):
    draw = random.Random(str(path.relative_to(ROOT)))
    files = files_of(path)
    ends = []
    for _ in range(MUTATIONS_OF_INPUT):
        changed = draw.choice(sorted(files))
        texts = {**files, changed: mutated(files[changed], draw, change_words)}
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        # A file of a crystal has neither couplings nor stages to check.
        main = MAIN_FILES[path.parent.name]
        verb = "symmetry" if main in ("a.cif", "a.mcif", "POSCAR") else "check"
        ends.append(assert_tidy_end(tmp_path, main, f"{changed}:\n{texts[changed]}", verb))
    assert 2 in ends
