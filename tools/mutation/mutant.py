"""Mutants, and their insertion into one copy of the sources.

An expression becomes `(larmor_mutant(7) ? (mutated) : (original))`. Whole statements become `{ if
(larmor_mutant(7)) { mutated } else { original } }`. One build has all mutants, and LARMOR_MUTANT in
the environment of its programs selects one of them.
"""

import collections
import re
from typing import NamedTuple

HEADER = "larmor/core/larmor_mutant.hpp"


class Mutant(NamedTuple):
    file: str
    text: str  # unique in the file; « » enclose an expression that is changed
    mutated: str
    test: str  # filter of GoogleTest for the tests that must fail


class Misfit(Exception):
    """A mutant that cannot be inserted into the source."""


class Place(NamedTuple):
    begin: int
    end: int
    is_expression: bool


def place_of(source, mutant):
    """Position of the changed text of a mutant in its file.
    @throws Misfit"""
    parts = re.split("[«»]", mutant.text)
    is_expression = len(parts) == 3
    if not is_expression and not (len(parts) == 1 and mutant.text.endswith(";")):
        raise Misfit("text must have one «expression», or be statements that end with ;")
    before, original = (parts[0], parts[1]) if is_expression else ("", mutant.text)
    context = "".join(parts)
    times = source.count(context)
    if times != 1:
        raise Misfit(f"the text occurs {times} times in {mutant.file}, not once")
    if " ".join(mutant.mutated.split()) == " ".join(original.split()):
        raise Misfit("the mutated text equals the original")
    for text in (original, mutant.mutated):
        if any(text.count(a) != text.count(b) for a, b in ("()", "[]", "{}")):
            raise Misfit(f"brackets do not close in {text}")
    begin = source.index(context) + len(before)
    return Place(begin, begin + len(original), is_expression)


def woven(source, mutants):
    """The source with some mutants of its file. @param mutants (number, mutant) @throws Misfit"""
    of_place = collections.defaultdict(list)
    for number, mutant in mutants:
        of_place[place_of(source, mutant)].append((number, mutant))
    places = sorted(of_place)
    for place, after in zip(places, places[1:]):
        if place.end > after.begin:
            texts = [of_place[p][0][1].text for p in (place, after)]
            raise Misfit(f"mutants overlap: {', '.join(texts)}")
    for place in reversed(places):
        text = source[place.begin : place.end]
        text = f"({text})" if place.is_expression else f"{{ {text} }}"
        for number, mutant in of_place[place]:
            chosen = f"larmor_mutant({number})"
            if place.is_expression:
                text = f"({chosen} ? ({mutant.mutated}) : {text})"
            else:
                text = f"{{ if ({chosen}) {{ {mutant.mutated} }} else {text} }}"
        source = source[: place.begin] + text + source[place.end :]
    return f'#include "{HEADER}"\n' + source


def numbered(table):
    """Numbers of the mutants of a table, by name. If several tests must notice one change, its
    mutants share a number."""
    numbers, known = {}, {}
    for name, mutant in table.items():
        numbers[name] = known.setdefault(mutant[:3], len(known) + 1)
    return numbers
