#!/usr/bin/env python3
"""Writes python/larmor/study_tables.py from the field tables.   tools/make_python_tables.py [--check]

The program that the environment variable LARMOR names, or else build/release/larmor, prints the field tables. The
package would not do: it cannot be imported without this file. The file has a method for each table of a study, with the
keys of this table as its arguments. `--check` writes nothing, and fails if the file is not the generated one.
"""

import argparse
import json
import keyword
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "python/larmor/study_tables.py"
WIDTH = 118
# Tables of `explain` that are not tables at the top of a study.
OTHER_TABLES = ("study", "fit")
PATH_KEYS = ("prefix", "script", "coefficients", "parameters")
# The key `file` of these tables names a file of sites or atoms.
STRUCTURE_TABLES = ("lattice", "structure")
# Lists of tables that a study nearly always gives as a single table, such as [field].
SINGLE_TABLES = ("field", "dipolar")
# The table [[scan]] is not a key of one study.
LIST_TABLES = ("scan",)

HEAD = '''"""The tables of a study as methods. tools/make_python_tables.py writes this file from the field tables."""

from __future__ import annotations

from typing import Any, Literal, overload

from .study_values import File, List, Map, Number, PathName, Quantity, Table, TableBuilder, Whole, of_table


class StudyTables(TableBuilder):
    """A study with a method for each table."""

    __slots__ = ()
'''


def field_tables():
    """The field tables of the program."""
    program = os.environ.get("LARMOR", ROOT / "build/release/larmor")
    shown = subprocess.run([program, "explain", "--json"], capture_output=True, text=True, check=True)
    return json.loads(shown.stdout)


def python_name(key):
    """The name of a key or table in Python."""
    name = key.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def choices_type(key):
    """The annotation of the choices of a key."""
    return f"Literal[{', '.join(map(json.dumps, key['choices']))}]"


def element_type(words, key):
    """The annotations of one alternative of a type, such as "whole number" or "list of 3 numbers"."""
    if words.startswith("list of "):
        elements = words.removeprefix("list of ")
        # A single value counts as a list of one.
        singles = {"numbers": ["number"], "whole numbers": ["whole number"], "strings": ["string"],
                   "tables": ["table"], "bool": ["bool"], "strings and tables": ["string", "table"],
                   "any values": ["any value"]}.get(elements, [])
        return [*(one for single in singles for one in element_type(single, key)), "List"]
    if words == "string":
        return [choices_type(key) if key["choices"] else "PathName" if is_path(key) else "str"]
    has_unit = bool(key["dimension"]) or words in ("temperature", "pressure")
    simple = {"bool": "bool", "list": "List", "table": "Map", "table of masses": "Map", "table of numbers": "Map",
              "any value": "Any", "whole number": "Whole", "temperature": "Quantity", "pressure": "Quantity",
              "number": "Quantity" if has_unit else "Number"}
    if words.startswith('"'):
        return [f"Literal[{words}]"]
    if words not in simple:
        sys.exit(f"{OUTPUT.name}: the type '{words}' of the key '{key['key']}' is not known")
    return [simple[words]]


def is_path(key):
    """Is the value the path of a file?"""
    return key["key"].endswith("file") or key["key"] in PATH_KEYS


def annotation(keys, table):
    """The annotation of an argument. @param keys the key in each table that has it @param table name of the table"""
    if keys[0]["key"] == "file" and table in STRUCTURE_TABLES:
        return "File | None"
    found = []
    for key in keys:
        for words in re.split(r", | or ", key["type"].replace("true or false", "bool")):
            found += element_type(words, key)
    if "Any" in found:
        return "Any"
    choices = [choice for one in found if one.startswith("Literal[") for choice in one[len("Literal["):-1].split(", ")]
    unique = [one for one in dict.fromkeys(found) if not one.startswith("Literal[")]
    if "Quantity" in unique:
        unique = [one for one in unique if one not in ("Number", "str")]
    literal = [f"Literal[{', '.join(dict.fromkeys(choices))}]"] if choices else []
    return " | ".join([*literal, *unique, "None"])


def quoted(text):
    """A text as it stands in a docstring."""
    return text.replace("\\", "\\\\").replace('"""', "'''")


def details(key):
    """Type, unit, default and limits of a key."""
    parts = [key["type"]]
    if key["dimension"]:
        parts[0] += f" ({key['dimension']}, for instance \"1 {key['unit']}\")"
    if key["required"]:
        parts.append("required")
    elif key["default"]:
        parts.append(f"default {key['default']}")
    parts += key["limits"]
    return "; ".join(parts)


def key_lines(name, variants, kinds, place):
    """Lines of a docstring about a key. @param variants the model kinds with each form of the key
    @param kinds all model kinds of its table @param place name of the table for `explain`"""
    lines = []
    for key, own in variants:
        of_kinds = "" if sorted(own) == sorted(kinds) else f" ({', '.join(own)})"
        text = f"{name}{of_kinds}: {key['doc']}. {details(key)}."
        if key["choices"]:
            docs = dict(zip(key["choices"], key["choice_docs"]))
            text += " One of " + "; ".join(f'"{c}"' + (f": {docs[c]}" if c in docs else "") for c in key["choices"]) + "."
        if key["children"]:
            names = ", ".join(f"`{child['key']}`" for child in key["children"])
            text += f" Keys: {names}; see larmor.explain(\"{place}.{key['key']}\")."
        lines += textwrap.wrap(quoted(text), WIDTH - 8, initial_indent="", subsequent_indent="    ",
                               break_long_words=False, break_on_hyphens=False)
    return lines


def merged_keys(tables):
    """The keys of tables of one name: name -> [(key, model kinds)], where equal keys are joined."""
    keys = {}
    for table in tables:
        for key in table["keys"]:
            variants = keys.setdefault(key["key"], [])
            same = next((variant for variant in variants if variant[0] == key), None)
            if same:
                same[1].extend(table["kinds"])
            else:
                variants.append((key, list(table["kinds"])))
    return keys


def docstring(head, lines):
    """A docstring of a method."""
    wrapped = textwrap.wrap(quoted(head), WIDTH - 8, break_on_hyphens=False)
    text = "\n".join(f"        {line}".rstrip() for line in [*wrapped, "", *lines])
    return f'        """{text.strip()}\n        """\n'


def packed(begin, parts, end, indent):
    """Lines begin + parts, separated by commas + end, within WIDTH. @param indent of the later lines"""
    lines, line = [], begin
    for n, part in enumerate(parts):
        part += end if n == len(parts) - 1 else ", "
        if len(line) + len(part.rstrip()) > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = " " * indent
        line += part
    return "\n".join([*lines, line]) + "\n"


def signature(name, first, keys, result, table):
    """The head of a method. @param keys as from merged_keys"""
    arguments = [f"{python_name(key)}: {annotation([k for k, _ in variants], table)} = None"
                 for key, variants in keys.items()]
    begin = f"    def {name}("
    return packed(begin, [*first, *(["*"] if arguments else []), *arguments], f") -> {result}:", len(begin))


def dictionary(begin, keys, end):
    """A call with the arguments by their keys."""
    pairs = [f'"{key}": {python_name(key)}' for key in keys]
    return packed(" " * 8 + begin + "{", pairs, "}" + end, 12)


def head_of(label, tables, kinds):
    """The first sentences of the docstring of a table."""
    docs = {}
    for table in tables:
        docs.setdefault(table["doc"], []).extend(table["kinds"])
    all_kinds = [kind for table in tables for kind in table["kinds"]]
    of_kinds = "" if sorted(all_kinds) == sorted(kinds) else f" (model kind {' or '.join(all_kinds)})"
    if len(docs) == 1:
        return f"{label}{of_kinds}: {next(iter(docs))}."
    return f"{label}: " + " ".join(f"{', '.join(own)}: {doc}." for doc, own in docs.items())


def method(name, tables, kinds):
    """The method of a table of a study."""
    keys = merged_keys(tables)
    own = [kind for table in tables for kind in table["kinds"]]
    is_list = name in LIST_TABLES or (tables[0]["array"] and name not in SINGLE_TABLES)
    label = f"[[{name}]]" if is_list else f"[{name}]"
    lines = [line for key, variants in keys.items() for line in key_lines(python_name(key), variants, own, name)]
    return (f'    @of_table("{label}")\n' + signature(python_name(name), ["self"], keys, "Table", name)
            + docstring(head_of(label, tables, kinds), lines)
            + dictionary(f'return self._add_table("{name}", {is_list}, ', keys, ")"))


def stage_methods(stages, kinds):
    """The overloads of `stage`, one for each kind of stage."""
    text = ""
    for name, tables in stages.items():
        keys = {key: variants for key, variants in merged_keys(tables).items() if key != "kind"}
        own = [kind for table in tables for kind in table["kinds"]]
        lines = [line for key, variants in keys.items() for line in key_lines(python_name(key), variants, own, name)]
        text += "\n    @overload\n" + signature("stage", ["self", f'kind: Literal["{name}"]'], keys, "Table",
                                                 name)
        text += docstring(head_of(f'[[stage]] of kind "{name}"', tables, kinds), lines) + "        ...\n"
    lines = [line for name, tables in stages.items()
             for line in textwrap.wrap(quoted(head_of(f'"{name}"', tables, kinds)), WIDTH - 8, subsequent_indent="    ",
                                       break_on_hyphens=False)]
    head = ("Appends a [[stage]]: a step of the study. Its keys depend on its kind; larmor.explain(KIND) prints them. "
            "Raises TypeError for a key that a stage of this kind does not have. The kinds:")
    text += "\n    def stage(self, kind: str, **keys: Any) -> Table:\n" + docstring(head, lines)
    return text + "        return self._add_stage(kind, keys, STAGE_KEYS)\n"


def stage_keys(stages):
    """The constant with the keys of each kind of stage."""
    text = "\n\nSTAGE_KEYS: dict[str, tuple[str, ...]] = {\n"
    for name, tables in stages.items():
        keys = ", ".join(json.dumps(key) for key in merged_keys(tables))
        text += textwrap.fill(f'"{name}": ({keys},),', WIDTH, initial_indent="    ", subsequent_indent="        ",
                              break_on_hyphens=False) + "\n"
    return text + "}\n"


def first_method(study, tables):
    """`__init__` with the keys at the top of a study that are not tables."""
    keys = {key["key"]: [(key, key["kinds"])] for key in study["keys"] if key["key"] not in (*tables, "stage")}
    lines = [line for name, variants in keys.items()
             for line in key_lines(python_name(name), variants, variants[0][1], "study")]
    head = "An empty study. Raises InputError for values that TOML does not have."
    return ('\n    @of_table("a study")\n' + signature("__init__", ["self"], keys, "None", "study") + docstring(head, lines)
            + "        super().__init__()\n" + dictionary("self._set(", keys, ")"))


def name_model_kinds(fields):
    """Makes the model kinds choices of `model.kind`, which describes them only in its text."""
    key = next(table for table in fields["tables"] if table["name"] == "model")["keys"][0]
    key["doc"] = key["doc"].split(";")[0]
    key["choices"] = [kind["name"] for kind in fields["model_kinds"]]
    key["choice_docs"] = [kind["doc"] for kind in fields["model_kinds"]]


def by_name(tables, kinds):
    """The tables by name, each with the model kinds that have it.
    @param kinds all model kinds, which have the tables of every study"""
    named = {}
    for table in tables:
        named.setdefault(table["name"], []).append({**table, "kinds": table["model_kinds"] or kinds})
    return named


def generated(fields):
    """The text of the file."""
    kinds = [kind["name"] for kind in fields["model_kinds"]]
    name_model_kinds(fields)
    tables = by_name((t for t in fields["tables"] if t["name"] not in OTHER_TABLES), kinds)
    stages = by_name(fields["stages"], kinds)
    study = next(table for table in fields["tables"] if table["name"] == "study")
    methods = "".join("\n" + method(name, same, kinds) for name, same in tables.items())
    return HEAD + first_method(study, tables) + methods + stage_methods(stages, kinds) + stage_keys(stages)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if the file differs from the generated one")
    checks = parser.parse_args().check
    text = generated(field_tables())
    if not checks:
        OUTPUT.write_text(text, encoding="utf-8")
    elif OUTPUT.read_text(encoding="utf-8") != text:
        sys.exit(f"{OUTPUT.relative_to(ROOT)} does not fit the field tables; run tools/make_python_tables.py")


if __name__ == "__main__":
    main()
