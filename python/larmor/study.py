"""A study as data: the tables and keys of a TOML file, built in Python.

    study = larmor.Study(title="Heisenberg ferromagnet", seed=1, replicas=16)
    study.lattice(type="sc", size=16)
    study.exchange(shell=1, J=1.0)
    study.stage("monte-carlo", temperature=1.44, sweeps=20_000)

    results = study.run()

`larmor.explain("lattice")` prints the keys of a table.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from .errors import InputError
from .study_tables import StudyTables
from .study_toml import read_toml, toml_of
from .study_values import List, Map, StructureText, Table, joined, value_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .engine import Simulation, StartOptions
    from .results import Results
    from .running import CheckOptions, Plan, ResumeOptions, RunOptions


class Study(StudyTables):
    """The tables of a study: a dictionary with the keys of the TOML file, and a method for each table.

    `study.exchange(shell=1, J=1.0)` appends an [[exchange]] table. `study.lattice(type="sc")` sets keys of
    [lattice], and a second call keeps the keys that it does not give. Both return the table, a dictionary, so that
    `study["exchange"][0]["J"] = 2` also works. Names of tables with a dash have an underscore in Python
    (`study.random_field`). A key that is a word of Python ends with an underscore (`with_`).

    NumPy numbers and arrays, tuples, ranges, paths and enumerations are values. Structures of atoms
    (`larmor.Structure`, Atoms of ASE, or a list of these) are values of keys `file`.

    """

    __slots__ = ("_folder",)

    @property
    def folder(self) -> Path | None:
        """The folder of the files that the study names; None: the working folder."""
        return getattr(self, "_folder", None)

    @folder.setter
    def folder(self, folder: str | os.PathLike[str] | None) -> None:
        self._folder = None if folder is None else Path(folder)

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> Study:
        """The study of a TOML file or text. A path object, or a text that ends with ".toml", is a file.

        `folder` is then the folder of the file. Raises InputError for a text that is not TOML, and OSError for a
        file that cannot be read.
        """
        if isinstance(source, str) and not source.endswith(".toml") and not {*source} & {"=", "[", "\n"}:
            raise InputError(f"{source!r} is neither a TOML text nor the name of a file .toml",
                             remedy="give the path of another file as pathlib.Path(...)")
        if isinstance(source, str) and not source.endswith(".toml"):
            return cls.from_dict(read_toml(source))
        path = Path(source)
        return cls.from_dict(read_toml(path.read_text(encoding="utf-8"), str(path)), folder=path.parent)

    @classmethod
    def from_dict(cls, tables: Map, folder: str | os.PathLike[str] | None = None) -> Study:
        """The study with these tables and keys. Raises InputError for values that TOML does not have."""
        study = cls()
        study.update(tables)
        study.folder = folder
        return study

    def to_toml(self) -> str:
        """The study as a TOML text. Raises InputError if a key holds a structure of atoms; `save` writes those."""
        def refuse(value: StructureText, key: str) -> str:
            raise InputError(f"a TOML text cannot hold {value!r}", key=key,
                             remedy="write the study with Study.save, which writes the structures too")

        return self._toml(refuse)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the study as a TOML file, and structures of atoms as files next to it.

        Names of other files in the study are then relative to the folder of this file. Raises FileExistsError if a
        file exists, unless `force` is set.
        """
        path = Path(path)
        text, structures = self.written(path.with_suffix(""), lambda file: file.name)
        for file, contents in {**structures, path: text}.items():
            with open(file, "w" if force else "x", encoding="utf-8") as output:
                output.write(contents)

    def written(self, stem: Path, named: Callable[[Path], str] = lambda file: str(file.absolute())
                ) -> tuple[str, dict[Path, str]]:
        """The TOML text, and the files of structures that it names, with their contents.
        @param stem path and begin of the names of these files @param named the name of a file in the text"""
        files: dict[Path, str] = {}

        def name(value: StructureText, key: str) -> str:
            path = stem.with_name(f"{stem.name}-{key.removesuffix('.file').replace('.', '-')}.extxyz")
            files[path] = value.text
            return named(path)

        return self._toml(name), files

    def _toml(self, name: Callable[[StructureText, str], str]) -> str:
        """@param name the text that stands for a structure at a key"""
        def plain(value: Any, key: str) -> Any:
            if isinstance(value, StructureText):
                return name(value, key)
            if isinstance(value, Mapping):
                return {own: plain(entry, joined(key, own)) for own, entry in value.items()}
            if isinstance(value, list):
                return [plain(entry, joined(key, number)) for number, entry in enumerate(value, 1)]
            return value

        # A list may have new entries, which no table has checked.
        return toml_of(plain(value_of(dict(self), ""), ""))

    @overload
    def scan(self, values: Map, /) -> Study: ...

    @overload
    def scan(self, /, *, key: str | None = None, values: List | Map | None = None,
             with_: List | Map | None = None) -> Table: ...

    def scan(self, tables: Map | None = None, /, **keys: Any) -> Study | Table:
        """Makes the study a scan over the values of keys; every combination of the values is a point.

        `study.scan({"stage.1.temperature": [1.0, 1.5], "lattice.size": [[8, 8], [16, 16]]})` has a [[scan]] table for
        each key. A key that is scanned already gets the new values. Returns the study, so that
        `study.scan({...}).run()` runs the scan. `study.scan(key=..., values=..., with_=...)` appends one table and
        returns it.

        A path of a key joins names by dots, and counts entries of lists from 1. Values are a list, or a range
        `{"from": 1.0, "to": 2.0, "points": 11}`.
        """
        if tables is None:
            return super().scan(**keys)
        if keys:
            raise TypeError(f"scan takes a dictionary of keys with their values, or '{next(iter(keys))}', but not both")
        for name, wanted in tables.items():
            before = [entry for entry in self.get("scan", []) if entry.get("key") == name]
            if before:
                before[0]["values"] = wanted
            else:
                super().scan(key=name, values=wanted)
        return self

    def check(self, **options: Unpack[CheckOptions]) -> Plan:
        """The plan of the study: see `larmor.check`."""
        from .running import check

        return check(self, **options)

    def run(self, output: str | os.PathLike[str] | None = None,
            **options: Unpack[RunOptions]) -> Results:
        """Runs the study: see `larmor.run`."""
        from .running import run

        return run(self, output, **options)

    def start(self, output: str | os.PathLike[str] | None = None, **options: Unpack[StartOptions]) -> Simulation:
        """Starts the study in the process of Python, to run it chunk by chunk: see `larmor.start`."""
        from .engine import start

        return start(self, output, **options)

    def resume(self, output: str | os.PathLike[str], **options: Unpack[ResumeOptions]) -> Results:
        """Continues an interrupted run: see `larmor.resume`. The study in the results counts, so that later changes of
        this object have no effect."""
        from .running import resume

        return resume(output, **options)

    def copy(self) -> Study:
        """A study with equal tables, which can change without this one."""
        return copy.deepcopy(self)

    __copy__ = copy

    def __str__(self) -> str:
        return self._toml(lambda value, key: repr(value))

    def __repr__(self) -> str:
        return f"<Study\n{self}>"
