"""Mutants of code that only a GPU executes. Tests are of gpu_tests, or, after `physics_tests:`, of
physics_tests with the spins on the GPU."""

from mutation.mutant import Mutant

STENCIL_SOURCE = "larmor/spins/jit/stencil_source.cpp"
INTEGRATORS = "larmor/spins/integrators"
HALOS = "larmor/spins/domains/gpu_halos.cu"
SNAP_ON_GPU = "larmor/atoms/potentials/snap/gpu"
PAIRS_ON_GPU = "larmor/correlations/pairs/gpu"
# A few dozen kernels, which are compiled again for each mutant.
MEASURED = "Schemes/JitKernelsOnTheWay.MeasureWhatTablesMeasure/depondt_double"

EXCHANGED = "JitKernels.ExchangeReplicasAmongSweepsAsBetweenThem"

MUTANTS = {
    "specialised_kernel_dmi_swapped": Mutant(
        STENCIL_SOURCE,
        "A = «matrix_of(stencil_.bond_class, share.bond->coupling.data())»;",
        "matrix_of(stencil_.bond_class, share.bond->coupling.data()).transposed()",
        MEASURED,
    ),
    "specialised_kernel_neighbour_the_other_way": Mutant(
        STENCIL_SOURCE,
        "const Index up = «shift > 0 ? shift : shift + cells»;",
        "(2 * cells - shift) % cells",
        MEASURED,
    ),
    "specialised_kernel_noise_of_another_site": Mutant(
        STENCIL_SOURCE,
        "canonical = {}u * X + {}u * Y + {}u * Z;\", step[0], step[1], «step[2]»);",
        "step[1]",
        MEASURED,
    ),
    "specialised_kernel_bonds_of_the_last_thread_left_out": Mutant(
        STENCIL_SOURCE,
        "for (unsigned k = 0; k < {}u; ++k) {{\", «shape_.split»);",
        "shape_.split - 1",
        MEASURED,
    ),
    "specialised_kernel_sums_without_the_first_warp": Mutant(
        STENCIL_SOURCE,
        "for (int w = «0»; w < threads / 32; ++w) total +=",
        "1",
        MEASURED,
    ),
    "specialised_kernel_counts_twice": Mutant(
        STENCIL_SOURCE,
        "atomicAdd(total + threadIdx.x % lanes, «count»);",
        "2u * count",
        "JitKernels.CountAsTablesDo",
    ),
    "measured_on_the_way_per_replica": Mutant(
        "larmor/spins/jit/stencil_sums.cu",
        "const double per_site = 1 / static_cast<double>(«layout.spins()»);",
        "layout.replicas",
        MEASURED,
    ),
    "layers_at_the_upper_end_left_out": Mutant(
        "larmor/spins/jit/stencil_launch.cu",
        "high_ = {inner_.last, «last»};",
        "inner_.last",
        "Kernels/SharedLatticeOnGpu.OfTwoPartsIsThatOfOneRank/1",
    ),
    "midpoint_blocks_go_on_after_they_have_converged": Mutant(
        f"{INTEGRATORS}/midpoint_kernel.hpp",
        "return after != nullptr && «after[at.replica / lane_count] > 0»;",
        "false",
        "MidpointOnGpu.BlocksOfReplicasConvergeByThemselves",
    ),
    "midpoint_blocks_converge_with_the_first": Mutant(
        f"{INTEGRATORS}/midpoint_kernel.hpp",
        "if (changes[«at.replica + lane»] > enough) return;",
        "lane",
        "MidpointOnGpu.BlocksOfReplicasConvergeByThemselves",
    ),
    "halo_ends_early": Mutant(
        HALOS,
        "if (i >= «places.numbers()») return;",
        "places.numbers() / 2",
        "Kernels/SharedLatticeOnGpu.OfTwoPartsIsThatOfOneRank/0",
    ),
    "random_spins_of_the_first_replica": Mutant(
        "larmor/spins/state/spin_state_gpu.strict.cu",
        "random_direction(key, canonical_sites(at, canonical), «replica_indices(at)»);",
        "0 * replica_indices(at)",
        "SpinsOnGpu.AreThoseOfTheCpuToTheBit",
    ),
    "spins_that_are_not_finite_not_seen": Mutant(
        "larmor/spins/state/spin_state_gpu.strict.cu",
        "sum - sum == Real(0.0) ? Real(0.0) : «Real(1.0)»",
        "Real(0.0)",
        "SpinsOnGpu.ThatAreNotFiniteAreNamed",
    ),
    "dipole_field_of_a_gpu_without_moment": Mutant(
        "larmor/spins/long_range/grid_fields.cuh",
        "converted<typename Numbers::Real>(«w» * Vec3<Real>{in[0]",
        "Real(1)",
        "physics_tests:Dipoles.FftAndBondsAreTheSameInteraction",
    ),
    "dipole_field_of_a_gpu_conjugated": Mutant(
        "larmor/spins/long_range/convolution.cu",
        "y[1] = «h.y.im»;",
        "-h.y.im",
        "physics_tests:Dipoles.FftAndBondsAgreeForAnyNumberOfAtoms",
    ),
    "amplitude_of_one_replica_conjugated": Mutant(
        "larmor/correlations/fourier/factorised.cu",
        "im[g][1] += «phase.im * e.y»;",
        "-phase.im * e.y",
        "Lattices/AmplitudesOnGpu.OfTheGpuAreThoseOfTheCpu/*",
    ),
    "amplitudes_of_replicas_conjugated": Mutant(
        "larmor/correlations/fourier/phase_product.cu",
        "position.is_there ? double2{phase.re, «phase.im»}",
        "-phase.im",
        "Lattices/AmplitudesOnGpu.OfTheGpuAreThoseOfTheCpu/*",
    ),
    "amplitude_of_one_wave_vector_conjugated": Mutant(
        "larmor/correlations/fourier/one_wave_vector.cu",
        "phases[site] = {phase.re, «phase.im»};",
        "-phase.im",
        "LargeAmplitudesOnGpu.OfOneWaveVectorAndSeveralReplicas",
    ),
    "half_spectrum_not_conjugated": Mutant(
        "larmor/correlations/fourier/fft.cu",
        "im = «point.conjugated ? -A[1] : A[1]»;",
        "A[1]",
        "Lattices/AmplitudesOnGpu.OfTheGpuAreThoseOfTheCpu/*",
    ),
    "amplitudes_added_to_those_before": Mutant(
        "larmor/correlations/fourier/integer_totals.cu",
        "totals.values[place] = 0;",
        "",
        "Lattices/AmplitudesOnGpu.OfTheGpuAreThoseOfTheCpu/*",
    ),
    "pairs_with_the_phase_of_the_rows_conjugated": Mutant(
        f"{PAIRS_ON_GPU}/fourier_epilogue.cuh",
        "im += «cosine * y - sine * x»;",
        "cosine * y + sine * x",
        "Sizes/FusedSumsOnGpu.InEveryPrecisionAreThePlainSums/517_sites_1_plain",
    ),
    "displacements_not_folded_back": Mutant(
        f"{PAIRS_ON_GPU}/bin_epilogue.cuh",
        "step[d] > highest[d]  ? «step[d] - period[d]»",
        "step[d]",
        "*PairBins.DisplacementsAreThoseOfALoop/*",
    ),
    "exchanges_of_the_last_block_left_out": Mutant(
        "larmor/tempering/replica_exchange.strict.cu",
        "cuda::shape_of(«pass.places()», 1, block_threads), exchange_places,",
        "pass.places() - block_threads",
        "ReplicaExchangeOnGpu.DecidesAsTheCpuDoes",
    ),
    "energies_of_exchanges_without_fields": Mutant(
        "larmor/spins/jit/energy_sums.hpp",
        "dot(«external_field(model, at) + earlier», e)",
        "earlier",
        EXCHANGED,
    ),
    "energies_of_exchanges_with_bonds_of_later_colours": Mutant(
        STENCIL_SOURCE,
        "«colour(bond.to) < colour(patch[n].sublattice)»});",
        "true",
        EXCHANGED,
    ),
    "energies_of_exchanges_without_what_other_warps_sum": Mutant(
        "larmor/tempering/replica_exchange.strict.cu",
        "for (int share = 1; share < «layout.shares»; ++share)",
        "1",
        EXCHANGED,
    ),
    "exchanges_among_sweeps_take_no_step": Mutant(
        "larmor/spins/samplers/stencil_updates.cu",
        "exchange.key.step = «step++»;",
        "step",
        EXCHANGED,
    ),
    "ising_late_words_left_out": Mutant(
        "larmor/ising/multispin/grid/kernels.cu",
        "if (flips != 0) flip(word, «flips»);",
        "0u",
        "Grids/BitLatticeOnGpu.HasTheBitsOfTheCpu/torus_2048_512",
    ),
    "ising_windows_with_mail_of_the_first_replica": Mutant(
        "larmor/ising/multispin/grid/kernels.cu",
        "(number % 2 * gridDim.y + «blockIdx.y») * 2 + colour;",
        "0u",
        "Grids/BitLatticeOnGpu.HasTheBitsOfTheCpu/torus_2048_512",
    ),
    "ising_windows_with_the_other_colour_of_neighbours": Mutant(
        "larmor/ising/multispin/grid/kernels.cu",
        "const int updated = static_cast<int>((done + «1») % 2);",
        "0",
        "Grids/BitLatticeOnGpu.HasTheBitsOfTheCpu/bulk_256_128_64",
    ),
    "ising_windows_with_numbers_of_the_colour_before": Mutant(
        "larmor/ising/multispin/grid/kernels.cu",
        "random = random_now(«1 - colour»);",
        "colour",
        "Grids/BitLatticeOnGpu.HasTheBitsOfTheCpu/torus_320_600",
    ),
    "ising_second_words_of_groups_drawn_as_the_first": Mutant(
        "larmor/ising/multispin/grid/kernels.cu",
        "words.w[i] = first + static_cast<Word>(«i»);",
        "0 * i",
        "Grids/BitLatticeOnGpu.HasTheBitsOfTheCpu/torus_2048_2048",
    ),
    "cluster_words_of_the_other_row": Mutant(
        "larmor/ising/clusters/gpu_clusters.cu",
        "word[1][axis] = upper ? w(2 + axis) : «got»;",
        "w(axis)",
        "*ClustersOnGpu.AreThoseOfACpu/square*",
    ),
    "samples_on_gpu_second_half_with_numbers_of_the_first": Mutant(
        "larmor/ising/multispin/samples/sample_kernels.cu",
        "SamplePlanes(key, «replica + 1», 0, 0)",
        "replica",
        "Graphs/BitSamplesOnGpu.HaveTheBitsOfTheCpu/cube_16",
    ),
    "samples_on_gpu_late_halves_left_out": Mutant(
        "larmor/ising/multispin/samples/sample_kernels.cu",
        "decision.open = «undecided.open[n]»;",
        "0u",
        "Graphs/BitSamplesOnGpu.HaveTheBitsOfTheCpu/cube_16",
    ),
    "samples_on_gpu_transposed_in_part": Mutant(
        "larmor/ising/multispin/samples/transposed.cuh",
        "(word & low) | («(other & low) << step»)",
        "other & low",
        "Graphs/BitSamplesOnGpu.HaveTheBitsOfTheCpu/cube_16",
    ),
    "ladders_on_gpu_exchange_every_second_time": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        "place = «exchanged(run.exchange, proposal, word, sample, place)»;",
        "proposal % 2 == 0 ? exchanged(run.exchange, proposal, word, sample, place) : place",
        "Graphs/SampleLaddersOnGpu.HaveTheBitsOfTheCpu/cube_8",
    ),
    "ladders_on_gpu_decide_by_ends_of_another_proposal": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        "record_ends(run.exchange, «proposal», word, sample, place.rung,",
        "proposal + 1",
        "Graphs/SampleLaddersOnGpu.HaveTheBitsOfTheCpu/cube_8",
    ),
    "ladders_on_gpu_add_ends_of_all_sweeps": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        "if (has_sample) memory.unsatisfied[sample] = 0;",
        "if (has_sample && sweep == 0) memory.unsatisfied[sample] = 0;",
        "Graphs/SampleLaddersOnGpu.HaveTheBitsOfTheCpu/cube_8",
    ),
    "ladders_on_gpu_leave_temperatures_behind": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        "word, sample, place);\n        memory.rung[sample] = «place.rung»;",
        "memory.rung[sample]",
        "Graphs/SampleLaddersOnGpu.HaveTheBitsOfTheCpu/cube_8",
    ),
    "ladders_on_gpu_second_half_at_temperatures_of_the_first": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        "thresholds[memory.rung[«h * warp_size + lane»] * axes + c];",
        "lane",
        "Graphs/SampleLaddersOnGpu.HaveTheBitsOfTheCpu/cube_8",
    ),
    "ladders_on_gpu_late_flips_not_counted": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        "for (Word left_over = «counts ? flips : 0»; left_over != 0;",
        "0u",
        "Graphs/SampleLaddersOnGpu.HaveTheBitsOfTheCpu/cube_16",
    ),
    "ladders_on_gpu_satisfied_bonds_for_unsatisfied_ones": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        ": «axes * positions - memory.unsatisfied[sample]»);",
        "memory.unsatisfied[sample]",
        "Graphs/SampleLaddersOnGpu.HaveTheBitsOfTheCpu/negative_coupling",
    ),
    "ladders_on_gpu_repeat_proposals_of_the_first_launch": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        "launch.run.proposals += static_cast<std::uint64_t>(«launch.run.sweeps / run.exchange_every»);",
        "0",
        "SampleLaddersOnGpu.ManySweepsAreDone",
    ),
    "ladders_on_gpu_with_ends_of_the_first_sample": Mutant(
        "larmor/ising/multispin/samples/ladder_kernels.strict.cu",
        "static_cast<std::int32_t>(«sums[n].twice_unsatisfied»));",
        "sums[0].twice_unsatisfied",
        "Graphs/SampleLaddersOnGpu.HaveTheBitsOfTheCpu/odd_cube",
    ),
    "clusters_of_runs_that_touch_once_left_apart": Mutant(
        "larmor/ising/clusters/gpu_clusters.cu",
        "bonds[axis] & ~((«bonds[axis] & bonds[0] & next») << 1);",
        "bonds[axis] & bonds[0]",
        "*ClustersOnGpu.AreThoseOfACpu/square*",
    ),
    "cluster_borders_around_the_grid_left_apart": Mutant(
        "larmor/ising/clusters/gpu_clusters.cu",
        "if («!has_bond(grid, x, axis)») return;",
        "x + 1 >= grid.length[axis]",
        "*ClustersOnGpu.AreThoseOfACpu/square*",
    ),
    "cluster_sizes_of_one_of_a_warp": Mutant(
        "larmor/ising/clusters/gpu_clusters.cu",
        "atomicAdd(size + root, «sum»);",
        "count",
        "*ClustersOnGpu.AreThoseOfACpu/square*",
    ),
    "clusters_beside_the_same_one_of_another_rank_left_apart": Mutant(
        "larmor/ising/clusters/gpu_slab.cu",
        "(before == 0 || a != pair.a || «b != pair.b»);",
        "false",
        "*SharedClustersOnGpu.AreThoseOfOneRank/square*",
    ),
    "clusters_of_ranks_left_apart_on_a_gpu": Mutant(
        "larmor/ising/clusters/gpu_slab.cu",
        "site_of_label(view, clusters::site_of(«merged[n].after»));",
        "merged[n].before",
        "*SharedClustersOnGpu.AreThoseOfOneRank/square*",
    ),
    "grid_words_of_a_rank_from_the_first_one": Mutant(
        "larmor/ising/multispin/grid/kernels.cu",
        "const Index begin = «lattice.grid.first» + tile * groups_of_thread * words_at_once;",
        "0",
        "Grids/SharedGridOnGpu.HasTheBitsOfTheCpu/torus_192_64",
    ),
    "cluster_labels_compared_once": Mutant(
        "larmor/ising/clusters/gpu_clusters.cu",
        "*changed = «1»;",
        "0",
        "*ClustersOnGpu.AreThoseOfACpu/square*",
    ),
    "field_bonds_that_leave_tiles_forgotten": Mutant(
        "larmor/clusters/gpu_reflections.strict.cu",
        "static_cast<std::uint8_t>(«active & leaving»);",
        "0u",
        "Fields/FieldsOnGpu.AreThoseOfACpu/four_axes*",
    ),
    "field_bonds_around_a_tile_left_out": Mutant(
        "larmor/clusters/gpu_reflections.strict.cu",
        "other[axis] = ends ? «t - own.local[axis] * step» : t + step;",
        "t",
        "Fields/FieldsOnGpu.AreThoseOfACpu/*",
    ),
    "field_cluster_sums_of_one_of_a_warp": Mutant(
        "larmor/clusters/gpu_reflections.strict.cu",
        "atomicAdd(moment + root, «leads ? sums : sum»);",
        "sum",
        "Fields/FieldsOnGpu.AreThoseOfACpu/four_axes*",
    ),
    "spins_reflected_by_clusters_of_the_first_replica": Mutant(
        "larmor/spins/samplers/reflections_gpu.strict.cu",
        "is_reflected(clusters_view, found, «at.replica»,",
        "Index{0}",
        "Spins/SpinClustersOnGpu.AreThoseOfACpu/cube",
    ),
    "spins_of_one_replica_in_eight_projected": Mutant(
        "larmor/spins/samplers/reflections_gpu.strict.cu",
        "const Index replica = block * lane_count + «n % lane_count»;",
        "n / lane_count % lane_count",
        "Spins/SpinClustersOnGpu.AreThoseOfACpu/cube",
    ),
    "field_sums_of_the_first_half_of_a_block": Mutant(
        "larmor/core/gpu/block_sums.cuh",
        "for (unsigned half = «sum_width / 2»; half > 0; half /= 2) {",
        "sum_width / 4",
        "Fields/FieldsOnGpu.AreThoseOfACpu/square",
    ),
    "atoms_that_outran_their_list_not_searched": Mutant(
        "larmor/atoms/forces/gpu_neighbours.strict.cu",
        "outdated = outdated || «validity.is_outdated_by(r, view.first_position[atom])»;",
        "false",
        "Boxes/AtomsOnGpuRows.AreThoseOfACpuWhileAtomsAndBoxesMove/triclinic",
    ),
    "rows_of_atoms_in_the_order_of_cells": Mutant(
        "larmor/atoms/forces/gpu_neighbours.strict.cu",
        "const Index entry = atom * view.found_width + «rank»;",
        "n",
        "Boxes/AtomsOnGpuRows.AreThoseOfACpuWhileAtomsAndBoxesMove/slab",
    ),
    "forces_of_pairs_without_their_mirrors": Mutant(
        "larmor/atoms/forces/gpu_force_field.strict.cu",
        "gradient[rows.entry(rows.neighbour[entry], «rows.mirror[entry]»)]",
        "0",
        "AtomsOnGpu.ForcesOfPotentialsThatOverlayAreThoseOfACpu",
    ),
    "second_potential_forgets_the_first": Mutant(
        "larmor/atoms/forces/gpu_force_field.strict.cu",
        "gradient_.data(), «n > 0»,",
        "false",
        "AtomsOnGpu.ForcesOfPotentialsThatOverlayAreThoseOfACpu",
    ),
    "atoms_not_put_back_where_rows_were_too_narrow": Mutant(
        "larmor/atoms/integrators/integrator.cpp",
        "state.position = «position»;",
        "state.position",
        "AtomsOnGpu.RunAgainWhereRowsBecameTooNarrow",
    ),
    "chains_not_put_back_where_rows_were_too_narrow": Mutant(
        "larmor/atoms/integrators/integrator_state.hpp",
        "void restore_snapshot() override { now_ = «snapshot_»; }",
        "now_",
        "AtomsOnGpu.RunAgainWhereRowsBecameTooNarrow",
    ),
    "forces_of_the_first_structure_for_all": Mutant(
        "larmor/evaluation/gpu_evaluator.cpp",
        "rows_of(forces, «first», count)",
        "0",
        "physics_tests:Evaluation.StructuresOfABatchHaveTheNumbersThatTheyHaveAlone",
    ),
    "snap_groups_at_minus_p_without_their_sign": Mutant(
        SNAP_ON_GPU + "/adjoint_by_tensor_cores.cuh",
        "opposite[local_tile].add(«negative ? -coefficient : coefficient»,",
        "coefficient",
        "Sizes/SnapOnGpu.IsThatOfACpu/2J_8",
    ),
    "snap_terms_at_minus_p_without_their_sign": Mutant(
        SNAP_ON_GPU + "/adjoint_by_tensor_cores.cuh",
        "const double factor = «opposite ? -of_product : of_product»;",
        "of_product",
        "Flags/SnapOnGpu.IsThatOfACpu/two_elements",
    ),
    "snap_lanes_at_minus_p_without_their_sign": Mutant(
        SNAP_ON_GPU + "/coupling_lanes.cuh",
        "Z[layer] = {«-Z[layer].re», -Z[layer].im};",
        "Z[layer].re",
        "Sizes/SnapPrecisionOnGpu.HasTheDigitsOfItsNumbers/8",
    ),
    "snap_short_rows_summed_twice": Mutant(
        SNAP_ON_GPU + "/density_kernel.cuh",
        "for (int other = «lane / numbers»; other < live; other += lanes_of_number)",
        "0",
        "Sizes/SnapOnGpu.IsThatOfACpu/2J_8",
    ),
    "snap_middle_row_not_mirrored": Mutant(
        SNAP_ON_GPU + "/gradient_kernel.cuh",
        "return beyond ? «mirrored(place.j - ma + place.mb, here)» : here;",
        "here",
        "Sizes/SnapOnGpu.IsThatOfACpu/2J_8",
    ),
    "enumeration_prefix_of_the_first_thread": Mutant(
        "larmor/ground_states/enumeration_gpu.cu",
        "visited.bits() | («first + i») << (low_spins + view.middle)",
        "first",
        "EnumerationOnGpu.HasTheBitsOfTheCpu",
    ),
    "enumeration_least_of_the_last_state": Mutant(
        "larmor/ground_states/enumeration_gpu.cu",
        "found = «lesser(found, visited.least())»;",
        "visited.least()",
        "EnumerationOnGpu.HasTheBitsOfTheCpu",
    ),
}
