#!/usr/bin/env python3
"""Breaks the physics on purpose and shows that a test notices.

Each mutant changes one line of a copy of the sources, builds the physics tests from that copy (for
this machine's instruction set only) and runs the test that must fail. A mutant that survives, or a
pattern that no longer stands in the source, is an error.

    tools/mutants.py             all mutants
    tools/mutants.py NAME ...    some of them
    tools/mutants.py --list      their names
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
FORMS = "larmor/spins/forms.hpp"
STATIC = "larmor/correlations/static_structure_factor.cpp"

# name: (file, original, mutated, test that must fail)
MUTANTS = {
    "exchange_sign": (
        "larmor/spins/lowered_term.hpp",
        "return {{{J, 0, 0}, {0, J, 0}, {0, 0, J}}};",
        "return {{{-J, 0, 0}, {0, -J, 0}, {0, 0, -J}}};",
        "Conventions.FerromagnetCountsEachPairOnce",
    ),
    "pairs_counted_twice": (
        FORMS,
        "Real(0.5) * (dot(bonds.field, e)",
        "Real(1.0) * (dot(bonds.field, e)",
        "Conventions.FerromagnetCountsEachPairOnce",
    ),
    "dmi_swapped": (
        FORMS,
        "return a[first] * e + cross(e, d);",
        "return a[first] * e + cross(d, e);",
        "Conventions.DmiPrefersToTurnFromTheFirstToTheSecondAboutD",
    ),
    "dmi_swapped_in_dynamics": (
        FORMS,
        "return a[first] * e + cross(e, d);",
        "return a[first] * e + cross(d, e);",
        "Spectrum.DmiChainTellsQFromMinusQ",
    ),
    "reverse_bond_not_transposed": (
        "larmor/spins/bond_table.cpp",
        "{t, c.bilinear.transposed(), c.biquadratic}",
        "{t, c.bilinear, c.biquadratic}",
        "Terms/EveryTerm.FieldIsMinusTheDerivativeOfTheEnergy/dmi",
    ),
    "reverse_pair_not_transposed": (
        "larmor/spins/bond_table.hpp",
        "reversed ? coupling->bilinear.transposed() : coupling->bilinear",
        "reversed ? coupling->bilinear : coupling->bilinear",
        "Terms/EveryTerm.FieldIsMinusTheDerivativeOfTheEnergy/tensor_pairs",
    ),
    "anisotropy_field_half": (
        FORMS,
        "h += p * (Real(2.0) * k[i + 3]",
        "h += p * (Real(1.0) * k[i + 3]",
        "Terms/EveryTerm.FieldIsMinusTheDerivativeOfTheEnergy/anisotropy",
    ),
    "zeeman_without_moment": (
        "larmor/spins/terms/field.cpp",
        "(moments[static_cast<std::size_t>(site)] * mu_B) * B",
        "(0.0 * moments[static_cast<std::size_t>(site)] + mu_B) * B",
        "Conventions.ZeemanEnergyIsMinusMomentTimesField",
    ),
    "kitaev_axes_swapped": (
        "larmor/spins/terms/kitaev.cpp",
        "return angle_of(u) < angle_of(v);",
        "return angle_of(u) > angle_of(v);",
        "Conventions.KitaevBondsAreXYZInTheOrderOfTheirAngles",
    ),
    "spin_current_of_one_end": (
        "larmor/spins/spin_current.cpp",
        "push_back(weighted_end(i, A.transposed(), -weight));",
        "push_back(weighted_end(i, A.transposed(), 0 * weight));",
        "SpinCurrents.MoveTheCentreOfTheSpin",
    ),
    "spin_temperature_without_curvature": (
        FORMS,
        "sum = sum - (Real(1.0) - p2) *",
        "sum = sum - (Real(0.0) - p2) *",
        "SpinTemperature.IsThatOfTheSampler",
    ),
    "dipole_without_own_image": (
        "larmor/spins/terms/dipolar.cpp",
        "return sum->self();",
        "return Mat3<double>{};",
        "Dipoles/EveryMethod.EndlessChain/fft",
    ),
    "dipole_own_gaussian_kept": (
        "larmor/spins/long_range/dipole_sum.cpp",
        "if (same_site) T =",
        "if (!same_site) T =",
        "Dipoles/EveryMethod.BulkHasTheLorentzFieldOfItsShape/bonds",
    ),
    "dipole_field_without_moment": (
        "larmor/spins/long_range/convolution.cpp",
        "h[position] = static_cast<Real>(weight * convolved[point]);",
        "h[position] = static_cast<Real>((weight != 0) * convolved[point]);",
        "Dipoles.FftAndBondsAreTheSameInteraction",
    ),
    "dipole_tensor_of_one_sense": (
        "larmor/spins/long_range/convolution_product.hpp",
        "ComplexTensor<true, Scalar, Load>{",
        "ComplexTensor<false, Scalar, Load>{",
        "Dipoles.FftAndBondsAgreeForAnyNumberOfAtoms",
    ),
    "dipole_field_of_the_old_spins": (
        "larmor/spins/integrators/steps.lanes.cpp",
        "extent.layout, kernel.input(),",
        "extent.layout, kernel.view.spins,",
        "Schemes/DipolarDynamics.FftAndBondsTurnTheSpinsAlike/1",
    ),
    "biquadratic_twice": (
        "larmor/spins/terms/biquadratic.cpp",
        "term.stencil.push_back({bond, {}, b});",
        "term.stencil.push_back({bond, {}, 2 * b});",
        "Conventions.PositiveBiquadraticExchangeFavoursCollinearSpins",
    ),
    "biquadratic_field_half": (
        FORMS,
        "h += two * Vec3<Real>{w.diagonal.x",
        "h += Vec3<Real>{w.diagonal.x",
        "Terms/EveryTerm.FieldIsMinusTheDerivativeOfTheEnergy/biquadratic",
    ),
    "random_field_too_wide": (
        "larmor/spins/terms/random_field.cpp",
        "return (strength * moments[",
        "return (1.4 * strength * moments[",
        "Conventions.RandomFieldsAreNormalWithTheGivenWidth",
    ),
    "random_field_on_two_axes": (
        "larmor/spins/terms/random_field.cpp",
        "(n ? g.x * *n : g)",
        "(n ? g.x * *n : Vec3<double>{g.x, g.x, g.z})",
        "Conventions.RandomFieldsAreNormalWithTheGivenWidth",
    ),
    "disorder_depends_on_the_direction": (
        "larmor/spins/terms/quenched_disorder.cpp",
        "static_cast<std::uint64_t>(std::max(i, j))",
        "static_cast<std::uint64_t>(std::max(j, Index{0}))",
        "Conventions.DisorderBelongsToThePairHoweverItIsNamed",
    ),
    "gradient_points_up": (
        "larmor/spins/landscape/sphere.cpp",
        "store(g, n, i, cross(spin, torque));",
        "store(g, n, i, cross(torque, spin));",
        "Minimisers/EveryMinimiser.FollowsAUniformFieldBesideTheModels/*",
    ),
    "field_beside_the_models_without_moment": (
        "larmor/spins/landscape/energy_surface.cpp",
        "p[0] += m * uniform_.x;\n    p[n] += m * uniform_.y;",
        "p[0] += m * uniform_.x;\n    p[n] += uniform_.y;",
        "Minimisers/EveryMinimiser.FollowsAUniformFieldBesideTheModels/*",
    ),
    "history_not_carried": (
        "larmor/spins/landscape/sphere.cpp",
        "store(*v, n, i, x - dot(t.towards, x) * change);",
        "store(*v, n, i, x + dot(t.towards, x) * change);",
        "Minimisers.CarryTangentVectorsAlong",
    ),
    "curvature_not_turned_at_saddles": (
        "larmor/spins/landscape/lbfgs.cpp",
        "curvature = -curvature;",
        "",
        "Minimisers.LbfgsTurnsTheCurvatureOfASaddleRound",
    ),
    "energy_may_rise": (
        "larmor/spins/landscape/line_search.cpp",
        "const bool fallen = change <= sufficient_decrease * length_ * slope_;",
        "const bool fallen = change <= -sufficient_decrease * length_ * slope_;",
        "Minimisers/EveryMinimiser.EnergyNeverRisesAndSpinsStayUnit/*",
    ),
    "path_force_not_projected": (
        "larmor/spins/landscape/elastic_band.cpp",
        "add_scaled((climbs ? 2 : 1) * slope_[i], tangent, force, threads);",
        "add_scaled((climbs ? 2 : 0) * slope_[i], tangent, force, threads);",
        "ElasticBand.SpringsSpaceTheImagesAlongThePathOnly",
    ),
    "springs_not_along_the_path": (
        "larmor/spins/landscape/elastic_band.cpp",
        "add_scaled(settings_.spring * (to_next - to_last), tangent, force, threads);",
        "add_scaled(settings_.spring, ahead, force, threads);",
        "ElasticBand.SpringsSpaceTheImagesAlongThePathOnly",
    ),
    "saddle_not_climbed": (
        "larmor/spins/landscape/elastic_band.cpp",
        "add_scaled((climbs ? 2 : 1) * slope_[i]",
        "add_scaled((climbs ? 1 : 1) * slope_[i]",
        "ElasticBand.BarrierOfOneSpinIsItsAnisotropy",
    ),
    "precession_without_moment": (
        "larmor/spins/integrators/integrator.cpp",
        "row[llg_field_turn] = ratio_dt / moment * factor;",
        "row[llg_field_turn] = ratio_dt * factor;",
        "Integrators/EveryIntegrator.PrecessionInAnExchangeFieldSlowsWithTheMoment/*",
    ),
    "precession_clockwise": (
        "larmor/spins/integrators/rk4_kernel.hpp",
        "cross(damped(view, at, e, turn<C>(view, input, at, e, drive)), e);",
        "cross(e, damped(view, at, e, turn<C>(view, input, at, e, drive)));",
        "Integrators/EveryIntegrator.LarmorPrecessionInClosedForm/rk4",
    ),
    "rotation_left_handed": (
        "larmor/spins/integrators/rotation.hpp",
        "return renormalised(e + s * v + c * cross(u, v));",
        "return renormalised(e - s * v + c * cross(u, v));",
        "Integrators/EveryIntegrator.LarmorPrecessionInClosedForm/depondt",
    ),
    "runge_kutta_weight": (
        "larmor/spins/integrators/rk4_kernel.hpp",
        "a.store(at, spins.load(at) + slope);",
        "a.store(at, spins.load(at) + Real(0.5) * slope);",
        "Integrators/EveryIntegrator.ConvergesWithItsOrder/rk4",
    ),
    "damping_sign": (
        "larmor/spins/integrators/llg.hpp",
        "return w + RowValues<At>(view.site, at)[llg_damping] * cross(e, w);",
        "return w + RowValues<At>(view.site, at)[llg_damping] * cross(w, e);",
        "Integrators/EveryIntegrator.DampedReversalInClosedForm/*",
    ),
    "gilbert_factor_missing": (
        "larmor/spins/integrators/integrator.cpp",
        "const double factor = 1 / (1 + alpha * alpha);",
        "const double factor = 1;",
        "Integrators/EveryIntegrator.DampedReversalInClosedForm/*",
    ),
    "thermal_field_without_gilbert_factor": (
        "larmor/spins/integrators/integrator.cpp",
        "row[llg_noise_turn] = std::sqrt(2 * alpha * ratio_dt / moment) * factor;",
        "row[llg_noise_turn] = std::sqrt(2 * alpha * ratio_dt / moment);",
        "Integrators/HeatBathDynamics.FreeSpinsFollowLangevinForAnyDamping/*",
    ),
    "thermal_field_factor_two": (
        "larmor/spins/integrators/integrator.cpp",
        "row[llg_noise_turn] = std::sqrt(2 * alpha",
        "row[llg_noise_turn] = std::sqrt(alpha",
        "Integrators/HeatBathDynamics.DirectionsAreForgottenAtTheRateOfTheFluctuationDissipationTheorem"
        "/*",
    ),
    "thermal_field_without_moment": (
        "larmor/spins/integrators/integrator.cpp",
        "row[llg_noise_turn] = std::sqrt(2 * alpha * ratio_dt / moment) * factor;",
        "row[llg_noise_turn] = std::sqrt(2 * alpha * ratio_dt) * factor;",
        "Integrators/HeatBathDynamics.UnequalMomentsAndDampingsShareOneTemperature/*",
    ),
    "noise_drawn_anew": (
        "larmor/spins/integrators/depondt_kernel.hpp",
        "if (view.root_thermal_energy != nullptr) carried += damped(view, at, predicted, w.noise);",
        "",
        "Integrators/HeatBathDynamics.FreeSpinsFollowLangevinForAnyDamping/depondt",
    ),
    "spin_transfer_sign": (
        "larmor/spins/integrators/llg.hpp",
        "Real(-drive.drift) * bilinear_field",
        "Real(drive.drift) * bilinear_field",
        "SpinTransferTorque.ShiftsSpinWavesByDoppler",
    ),
    "nonadiabatic_sign": (
        "larmor/spins/integrators/llg.hpp",
        "b += Real(torque.nonadiabaticity) * G + cross(e, G);",
        "b += Real(-torque.nonadiabaticity) * G + cross(e, G);",
        "DomainWall.MovesWithTheCurrentWhereBetaEqualsAlpha",
    ),
    "damping_like_sign": (
        "larmor/spins/integrators/llg.hpp",
        "b += a * cross(e, p)",
        "b += a * cross(p, e)",
        "Integrators/PolarisedTorque.TurnsAndDampsASpinInClosedForm/*",
    ),
    "metropolis_energy_sign": (
        "larmor/spins/samplers/metropolis_kernel.hpp",
        "dot(w.field, e - trial)",
        "dot(w.field, trial - e)",
        "Samplers/ExactAverage.TwoSpins/metropolis_uniform",
    ),
    "metropolis_half_the_rise": (
        "larmor/spins/samplers/metropolis_kernel.hpp",
        "load(at) * rise)",
        "load(at) * rise * Real(0.5))",
        "Samplers/Balance.SweepsLeaveTheDistributionUnchanged/metropolis_cone",
    ),
    "heat_bath_kappa_twice": (
        "larmor/spins/samplers/heat_bath_kernel.hpp",
        "exponential(Real(-2.0) * safe)",
        "exponential(Real(-1.0) * safe)",
        "Samplers/ExactAverage.TwoSpins/heat_bath",
    ),
    "heat_bath_forgets_anisotropy": (
        "larmor/spins/samplers/heat_bath_kernel.hpp",
        "if (is_linear(sweep.model)) {",
        "if (is_linear(sweep.model) || true) {",
        "Samplers/ExactAverage.UniaxialAnisotropyWithFieldAlongIt/heat_bath",
    ),
    "reflection_forgets_anisotropy": (
        "larmor/spins/samplers/over_relaxation_kernel.hpp",
        "if (is_linear(sweep.model)) {",
        "if (is_linear(sweep.model) || true) {",
        "Samplers/Balance.SweepsLeaveTheDistributionUnchanged/over_relaxation",
    ),
    "uniform_biased": (
        "larmor/core/philox.hpp",
        "return (integer + Real(0.5)) * Real(1.0 / 4294967296.0);",
        "return (integer + Real(0.5)) * Real(0.95 / 4294967296.0);",
        "Samplers/Balance.ASingleMoveCarriesEqualFluxBothWays/over_relaxation:"
        "Samplers/ExactAverage.*:Samplers/Balance.SweepsLeaveTheDistributionUnchanged/*",
    ),
    "phase_sign": (
        "larmor/correlations/factorised.lanes.cpp",
        "im[a] = im[a] - s * e;",
        "im[a] = im[a] + s * e;",
        "Spectrum.DmiChainTellsQFromMinusQ",
    ),
    "spectrum_time_reversed": (
        "larmor/correlations/structure_factor.cpp",
        "lagged.push_back(x * std::conj(d[0]));",
        "lagged.push_back(std::conj(x) * d[0]);",
        "Spectrum.DmiChainTellsQFromMinusQ",
    ),
    "quantum_gains_as_much_as_it_loses": (
        "larmor/correlations/detailed_balance.cpp",
        "x / -std::expm1(-x)",
        "x / std::expm1(x)",
        "SpinWaveIntensities.QuantumOnesAreClassicalOnesWithDetailedBalance",
    ),
    "spin_waves_against_the_phase": (
        "larmor/spinwaves/quadratic_hamiltonian.cpp",
        "std::polar(1.0, dot(k, c.r))",
        "std::polar(1.0, -dot(k, c.r))",
        "SpinWaveFrequencies.DmiAlongTheFieldTellsKFromMinusK",
    ),
    "spin_waves_turn_clockwise": (
        "larmor/spinwaves/normal_modes.cpp",
        "product.row(row) = -i * M.row(row + 1);\n    product.row(row + 1) = i * M.row(row);",
        "product.row(row) = i * M.row(row + 1);\n    product.row(row + 1) = -i * M.row(row);",
        "SpinWaveIntensities.AreAtTheFrequenciesThatCirculateCounterclockwise",
    ),
    "spin_waves_without_moments": (
        "larmor/spinwaves/quadratic_hamiltonian.cpp",
        "std::sqrt(gyromagnetic_ratio / hamiltonian.moment(site))",
        "std::sqrt(gyromagnetic_ratio + 0 * hamiltonian.moment(site))",
        "SpinWaveFrequencies.FerrimagnetOfUnequalMoments",
    ),
    "spin_waves_biquadratic_of_collinear_spins_only": (
        "larmor/spinwaves/quadratic_hamiltonian.cpp",
        "(-2 * b) * (outer(f, e) +",
        "(-2 * b) * (0.0 * outer(f, e) +",
        "SpinWaveDynamics.DisorderedCouplingsInANonCollinearMinimum",
    ),
    "spin_waves_of_half_the_energy": (
        "larmor/spinwaves/spectrum.cpp",
        "return k_B_T / std::abs(W);",
        "return 0.5 * k_B_T / std::abs(W);",
        "SpinWaveIntensities.SumToTheExactGaussianIntegralTensorByTensor",
    ),
    "vacancies_counted_in_averages": (
        "larmor/spins/observables.cpp",
        "spins = static_cast<double>(state.layout().spins())](std::vector<double>& energy)",
        "spins = static_cast<double>(state.layout().sites)](std::vector<double>& energy)",
        "Vacancies.FerromagneticEnergyIsThatOfTheBondsBetweenSpins",
    ),
    "vacancies_move": (
        "larmor/spins/integrators/steps.lanes.cpp",
        "return {layout, 0, layout.spins(), blocks.first, blocks.last};",
        "return {layout, 0, layout.sites, blocks.first, blocks.last};",
        "Integrators/DilutedDynamics.LeavesVacanciesZeroAndSpinsOfUnitLength/heun",
    ),
    "vacancies_scatter": (
        "larmor/correlations/structure_factor.cpp",
        "N = static_cast<double>(spins_);",
        "N = static_cast<double>(sites_);",
        "Vacancies.StructureFactorIsASpinAndTheSameByFftAndBySums",
    ),
    "one_substitute_too_few": (
        "larmor/lattice/occupancy.cpp",
        "const Index wanted = std::llround(*replacement.fraction * static_cast<double>(count));",
        "const Index wanted = Index(*replacement.fraction * static_cast<double>(count));",
        "Occupancy.TheNumberReplacedIsExact",
    ),
    "first_sites_replaced": (
        "larmor/lattice/occupancy.cpp",
        "return rank != other.rank ? rank < other.rank : site < other.site;",
        "return site < other.site;",
        "Occupancy.EverySiteIsAsLikelyAndNeighboursAreIndependent",
    ),
    "species_of_one_end": (
        "larmor/lattice/bonds.cpp",
        "return (s == (*between)[0] && t == (*between)[1]) ||",
        "return s == (*between)[0] ||",
        "Alloy.CouplingsBetweenSpeciesCountedByHand",
    ),
    "substitute_with_the_moment_of_the_atom": (
        "larmor/study/system.cpp",
        "moments.push_back(geometry.moment(site));",
        "moments.push_back(geometry.occupied(site) ? geometry.crystal.basis[0].moment : 0);",
        "Samplers/AlloySampling.TwoSpinsOfUnequalMomentsInAField/heat_bath",
    ),
    "couplings_of_the_first_replica": (
        "larmor/spins/model.cpp",
        "more(v.pair->bond.i, v.pair->bond.j, replica)",
        "more(v.pair->bond.i, v.pair->bond.j, 0 * replica)",
        "ReplicaDisorder.EveryReplicaIsTheSystemOfItsOwnCouplings",
    ),
    "fields_of_the_first_block": (
        "larmor/spins/forms.hpp",
        "+ at.block * table.block_stride +",
        "+ 0 * at.block * table.block_stride +",
        "ReplicaDisorder.EveryReplicaIsTheSystemOfItsOwnCouplings",
    ),
    "disorder_counted_as_fluctuation": (
        "larmor/study/averages.cpp",
        "return units.replicas_differ ? disorder_mean_of(columns, replicas, quantity)",
        "return units.spins == 0 ? disorder_mean_of(columns, replicas, quantity)",
        "ReplicaDisorder.AveragesAreThoseOfEachReplicaAndErrorsTheirScatter",
    ),
    "bimodal_disorder_of_one_sign": (
        "larmor/spins/terms/exchange.cpp",
        "std::copysign(1.0, deviate)",
        "std::copysign(1.0, deviate * deviate)",
        "Conventions.BimodalExchangeHasTwoValuesEquallyOften",
    ),
    "mean_over_replicas_left_out": (
        "larmor/correlations/real_space/pair_correlations.cpp",
        "if (!left_out.holds(m)) mean += vectors[3 * m + a];",
        "mean += vectors[3 * m + a];",
        "*PairCorrelationsOfSystem.AreThoseOfLoops*",
    ),
    "square_of_correlations_with_itself": (
        "larmor/correlations/real_space/pair_correlations.cpp",
        "(of_sum - sum_of_squares) / (M * (M - 1))",
        "of_sum / (M * M)",
        "*PairCorrelationsOfSystem.AreThoseOfLoops*",
    ),
    "displacement_the_other_way": (
        "larmor/correlations/real_space/displacement_panels.cpp",
        "place(1, row.y - from.cell[1])",
        "place(1, from.cell[1] - row.y)",
        "*PairCorrelationsOfSystem.AreThoseOfLoops*",
    ),
    "site_with_itself_in_the_distribution": (
        "larmor/correlations/real_space/value_panels.cpp",
        "add_stretch(tile, r, itself + 1, tile.columns",
        "add_stretch(tile, r, itself, tile.columns",
        "*PairCorrelationsOfSystem.AreThoseOfLoops*",
    ),
    "pairs_not_turned_round_at_negative_times": (
        "larmor/correlations/real_space/pair_correlations_in_time.cpp",
        "turned.push_back(h * groups + g);",
        "turned.push_back(g * groups + h);",
        "*PairsInTimeOfSystem.AreThoseOfLoops*",
    ),
    "spectrum_of_pairs_conjugated": (
        "larmor/correlations/real_space/pair_correlations_in_time.cpp",
        "spectrum.emplace_back(real[k], -imaginary[k]);",
        "spectrum.emplace_back(real[k], imaginary[k]);",
        "*PairsInTimeOfSystem.AreThoseOfLoops*",
    ),
    "topological_charge_sign": (
        "larmor/spins/solid_angle.hpp",
        "dot(e1, cross(e2, e3))",
        "dot(e1, cross(e3, e2))",
        "Lattices/TopologicalCharge.SkyrmionWithCoreDownIsMinusOneAndItsAntiskyrmionPlusOne/*",
    ),
    "solid_angle_half_plane": (
        "larmor/spins/solid_angle.hpp",
        "1 + dot(e1, e2) + dot(e2, e3) + dot(e3, e1)",
        "std::abs(1 + dot(e1, e2) + dot(e2, e3) + dot(e3, e1))",
        "Lattices/TopologicalCharge.RandomSpinsOnAPeriodicLayerHaveAWholeCharge/*",
    ),
    "layers_not_closed": (
        "larmor/lattice/triangulation.cpp",
        "if (geometry.periodic[d]) at[d] = (at[d] % size + size) % size;",
        "if (geometry.periodic[2]) at[d] = (at[d] % size + size) % size;",
        "Lattices/TopologicalCharge.RandomSpinsOnAPeriodicLayerHaveAWholeCharge/*",
    ),
    "static_tensor_conjugated": (
        STATIC,
        "A[a] * std::conj(A[(a + 1) % 3])",
        "std::conj(A[a]) * A[(a + 1) % 3]",
        "StaticStructureFactor.IsTheSumOverPairsOfSites",
    ),
    "static_not_per_spin": (
        STATIC,
        "return of_rows[static_cast<std::size_t>(row)].value / spins;",
        "return of_rows[static_cast<std::size_t>(row)].value;",
        "StaticStructureFactor.IsTheSumOverPairsOfSites",
    ),
    "static_pairs_of_replicas_miscounted": (
        STATIC,
        "(of_sum - of_each) / (M * (M - 1))",
        "(of_sum - of_each) / (M * M)",
        "StaticStructureFactor.ConnectedSubtractsTheMeansOfTwoReplicas",
    ),
}


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def prepare(copy):
    shutil.copytree(
        ROOT, copy, ignore=shutil.ignore_patterns(".git", "build", "results", ".venv", ".*carry*")
    )
    # Kernels of other instruction sets would only cost time.
    configured = run(
        ["cmake", "--preset", "release", "-DLARMOR_CUDA=OFF", "-DLARMOR_NATIVE=ON",
         "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-B", str(copy / "build" / "mutants")],
        cwd=copy,
    )
    if configured.returncode:
        sys.exit(configured.stdout + configured.stderr)


def build(copy):
    return run(["cmake", "--build", str(copy / "build" / "mutants"), "--target", "physics_tests"])


def outcome(copy, test):
    """True if the test fails, which it should."""
    tests = copy / "build" / "mutants" / "physics_tests"
    listed = run([tests, f"--gtest_filter={test}", "--gtest_list_tests"])
    if listed.stdout.count("\n  ") < 1:
        sys.exit(f"no test is called {test}")
    return run([tests, f"--gtest_filter={test}", "--gtest_brief=1"]).returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="print the names of all mutants")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(MUTANTS)
    if unknown:
        parser.error(f"no mutant is called {', '.join(sorted(unknown))}")
    if arguments.list:
        print("\n".join(MUTANTS))
        return 0
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "larmor"
        prepare(copy)
        for name in arguments.names or MUTANTS:
            file, original, mutated, test = MUTANTS[name]
            source = (ROOT / file).read_text()
            if source.count(original) != 1:
                sys.exit(f"{name}: the line to change stands {source.count(original)} times in {file}")
            (copy / file).write_text(source.replace(original, mutated))
            built = build(copy)
            if built.returncode:
                sys.exit(f"{name} does not compile:\n{built.stdout[-3000:]}")
            killed = outcome(copy, test)
            print(f"{name:<32} {'killed' if killed else 'SURVIVED':<9} {test}", flush=True)
            if not killed:
                survivors.append(name)
            (copy / file).write_text(source)
    print(f"{len(survivors)} survived" if survivors else "all killed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
