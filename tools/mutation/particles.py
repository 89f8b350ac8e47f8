"""Mutants of larmor/particles. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MOTION = "larmor/particles/motion.cpp"
POTENTIAL = "larmor/particles/potential.cpp"

MUTANTS = {
    "diffusion_with_half_of_its_noise": Mutant(
        MOTION,
        "const double spread = std::sqrt(«2 * keys_.diffusion * keys_.timestep»);",
        "keys_.diffusion * keys_.timestep",
        "ParticleMotion.HasTheVarianceOfEulerAndMaruyama",
    ),
    "drift_that_ignores_the_temperature": Mutant(
        MOTION,
        "const double drift = «keys_.diffusion / keys_.thermal_energy * keys_.timestep»;",
        "keys_.diffusion * keys_.timestep",
        "ParticleMotion.HasTheVarianceOfEulerAndMaruyama",
    ),
    "friction_noise_of_first_order": Mutant(
        MOTION,
        "const double spread = std::sqrt(«(1 - keep * keep)» * keys_.thermal_energy);",
        "(1 - keep)",
        "ParticleMotion.WithFrictionHasTheExactVarianceOfAHarmonicWell",
    ),
    "noise_of_calls_alike": Mutant(
        MOTION,
        "of_timestep.step = «(key.step + static_cast<std::uint64_t>(done++))» * n;",
        "(key.step * 0 + static_cast<std::uint64_t>(done++))",
        "ParticleMotion.DoesNotDependOnTheCallsThatMakeIt",
    ),
    "references_of_their_finder": Mutant(
        MOTION,
        "Configuration reference = worker->potential.minimum_near(«place»).place;",
        "std::vector<double>(configuration.begin(), configuration.begin() + 2)",
        "ParticleStates.AreThoseOfTheirMinima",
    ),
    "differences_of_second_order": Mutant(
        POTENTIAL,
        "gradient[i] = «(8 * near - far) / (12 * s)»;",
        "near / (2 * s)",
        "Potential.HasAGradientByDifferences",
    ),
    "saddles_left_along_their_highest_mode": Mutant(
        POTENTIAL,
        "x += step_from_saddle * length_ * modes.vectors.col(«0»);",
        "static_cast<int>(n - 1)",
        "Potential.LeavesASaddle",
    ),
    "flat_minima_accepted": Mutant(
        POTENTIAL,
        "if («lowest < flat * highest») throw refusal(\" ends in a minimum",
        "false",
        "Potential.RefusesADescentWithoutAnIsolatedMinimum",
    ),
}
