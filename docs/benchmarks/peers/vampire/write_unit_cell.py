#!/usr/bin/env python3
"""Writes iron.ucf, the unit cell that the inputs name: bcc iron with its four shells, 50 neighbours.

J is the energy of a pair, -J e.e', in Joule here.
"""

import itertools

MRY = 2.179872325e-21
EDGE = 2.87
# Squared distance over a^2 / 4, J / mRy
SHELLS = {3: 2.67534969539968, 4: 1.51407153091300, 8: -0.11950875287692, 11: -0.17639668321316}


def bonds():
    """(atom, other atom, cells between them, J) for each bond of the two atoms."""
    for atom, other in itertools.product((0, 1), repeat=2):
        for cells in itertools.product(range(-2, 3), repeat=3):
            twice = [2 * cell + other - atom for cell in cells]
            shell = sum(number * number for number in twice)
            if shell in SHELLS:
                yield atom, other, cells, SHELLS[shell] * MRY


listed = list(bonds())
assert len(listed) == 100, len(listed)
with open("iron.ucf", "w", encoding="ascii") as file:
    file.write(f"# edges, vectors\n{EDGE} {EDGE} {EDGE}\n1 0 0\n0 1 0\n0 0 1\n")
    file.write("# atoms\n2 1\n0 0.0 0.0 0.0 0 0 0\n1 0.5 0.5 0.5 0 0 0\n")
    file.write(f"# bonds\n{len(listed)} isotropic\n")
    for number, (atom, other, (x, y, z), strength) in enumerate(listed):
        file.write(f"{number} {atom} {other} {x} {y} {z} {strength:.12e}\n")
