"""Mutants of larmor/symmetry on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "reversed_bonds_keep_their_matrix": Mutant(
        "larmor/symmetry/allowed_matrices.cpp",
        "return conjugated(rotation, «reverses ? matrix.transposed() : matrix»);",
        "matrix",
        "SpreadCouplings.AreRefusedIfTheSymmetryForbidsThem",
    ),
    "images_that_do_not_turn": Mutant(
        "larmor/symmetry/spread.cpp",
        "bonds.push_back({image.bond, «image.operation.apply(exact)»});",
        "exact",
        "SpreadCouplings.TensorsOfATriangularLatticeTurnWithTheirBonds",
    ),
    "supercells_without_their_translations": Mutant(
        "larmor/symmetry/space_group.cpp",
        "operations.push_back({rotation, «t + more»});",
        "t",
        "SpreadCouplings.OfASupercellAreThoseOfTheCrystal",
    ),
    "atoms_without_spins_ignored": Mutant(
        "larmor/symmetry/space_group.cpp",
        "for (const auto& atom : surroundings.atoms) «add(atom, false)»;",
        "static_cast<void>(atom)",
        "SpreadCouplings.AreRefusedIfTheSymmetryForbidsThem",
    ),
}
