"""Mutants of larmor/imports on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "uppasd_pairs_counted_once": Mutant(
        "larmor/imports/uppasd/couplings.cpp",
        "numbers[n] = «there.numbers[n] + returned[n]»;",
        "there.numbers[n]",
        "UppasdStudies.FerromagneticIronHasTheEnergyOfUppasd",
    ),
    "uppasd_field_of_the_measurement_in_both_phases": Mutant(
        "larmor/imports/uppasd/stages.cpp",
        'return «input_.vector("ip_hfield", {0, 0, 0}) - input_.vector("hfield", {0, 0, 0})»;',
        "(Vec3<double>{0, 0, 0})",
        "UppasdStudies.FieldsOfTheInitialPhaseActOnlyThere",
    ),
    "uppasd_spirals_turn_the_other_way": Mutant(
        "larmor/imports/uppasd/three_waves.cpp",
        "m += «std::sin(phase)» * s[k]",
        "-std::sin(phase)",
        "UppasdStudies.ThreeSpiralsAreASkyrmionLattice",
    ),
}
