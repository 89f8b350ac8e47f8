"""Mutants of larmor/evaluation on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "stress_like_a_pressure": Mutant(
        "larmor/evaluation/evaluation.cpp",
        "matrix_text(found.virial, «-1» / frame.atoms.box.volume())",
        "1",
        "Evaluation.TheStressOfRepulsionIsNegativeAndTheVirialPositive",
    ),
    "virial_written_as_voigt_orders_it": Mutant(
        "larmor/evaluation/evaluation.cpp",
        "factor * «t[n]»",
        "t[n > 2 ? 8 - n : n]",
        "Evaluation.TheStressOfRepulsionIsNegativeAndTheVirialPositive",
    ),
    "charges_of_types_of_the_script": Mutant(
        "larmor/evaluation/overlaid_potential.cpp",
        "(«potential.elements[static_cast<std::size_t>(j)]»)",
        "potential.elements[static_cast<std::size_t>(i)]",
        "Evaluation.PairsHaveTheChargesOfTheirNuclei",
    ),
}
