"""Mutants of larmor/clusters on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

GROWN_CLUSTER = "larmor/clusters/grown_cluster.strict.cpp"

MUTANTS = {
    "couplings_of_the_first_replica_for_all_clusters": Mutant(
        "larmor/clusters/reflection_cluster_view.hpp",
        "view.edges.coupling[«replica * view.edges.of_replica» + bond];",
        "0",
        "Samplers/SpinClusters.ReplicasHaveCouplingsOfTheirOwn/*",
    ),
    "clusters_not_joined_around_blocks": Mutant(
        "larmor/clusters/cpu_forest.cpp",
        "next.is_there && («next.first_site < begin || next.first_site >= end»)",
        "next.first_site >= end",
        "Graphs/SharedReplica.HasTheSameBitsOnTwoThreads/square",
    ),
    "clusters_joined_by_one_of_two_bonds": Mutant(
        "larmor/clusters/cpu_forest.cpp",
        "label = unite(trees, label, other);",
        "label = label < other ? label : other;",
        "Graphs/EveryGraph.SwendsenWangIsTheSlowSearch/square_odd",
    ),
    "clusters_of_ranks_left_apart": Mutant(
        "larmor/clusters/slab_clusters.cpp",
        "merged.push_back({labels_[n], «labels_[root_of(n)]»});",
        "labels_[n]",
        "Grids/SharedClusters.AreThoseOfOneRank/square",
    ),
    "axes_with_the_same_random_words": Mutant(
        "larmor/clusters/cluster_words.hpp",
        "(slot << words_shift) + «axis»};",
        "0 * axis",
        "Graphs/EveryGraph.WolffIsTheClusterOfItsSeed/square_odd",
    ),
    "field_cluster_bonds_one_per_cent_seldom": Mutant(
        "larmor/clusters/reflection_cluster_view.hpp",
        "return («Real(-2.0f)» * K) * (a * b);",
        "Real(-1.98f)",
        "Systems/FieldAverages.AreExactByEverySampler/open_chain_antiferromagnet",
    ),
    "field_clusters_of_wolff_from_the_first_sites": Mutant(
        "larmor/clusters/reflection_cluster_view.hpp",
        "return («words.w[0] * sites + ((words.w[1] * sites) >> 32)») >> 32;",
        "words.w[0] * (sites / 2)",
        "Grids/EveryFieldGrid.ClustersAreThoseOfTheSlowSearch/square_odd",
    ),
    "field_clusters_all_reflected": Mutant(
        "larmor/clusters/reflection_cluster_view.hpp",
        "bool is_reflected(std::uint64_t word) { return «word >> 31 != 0»; }",
        "true",
        "Grids/EveryFieldGrid.ClustersAreThoseOfTheSlowSearch/square_odd",
    ),
    "field_sums_of_clusters_without_signs": Mutant(
        "larmor/clusters/reflection_cluster_view.hpp",
        "return static_cast<Index>(«sigma * view.unit»);",
        "(sigma < 0 ? -sigma : sigma) * view.unit",
        "Systems/FieldAverages.AreExactByEverySampler/open_chain_antiferromagnet",
    ),
    "field_bonds_around_the_grid_left_out": Mutant(
        "larmor/clusters/cpu_reflections.strict.cpp",
        "if (wraps && «grid.periodic[axis]»)",
        "grid.periodic[axis] && stride > 1",
        "Grids/EveryFieldGrid.ClustersAreThoseOfTheSlowSearch/long_rows",
    ),
    "field_clusters_grown_forwards": Mutant(
        GROWN_CLUSTER,
        "if («has_bond(grid, x_before, axis)»)",
        "false",
        "Grids/EveryFieldGrid.ClustersAreThoseOfTheSlowSearch/chain",
    ),
    "field_clusters_grown_by_first_words": Mutant(
        GROWN_CLUSTER,
        "bonds_.push_back({site, to, place.call, static_cast<std::uint64_t>(«place.word»)});",
        "0",
        "Grids/EveryFieldGrid.ClustersAreThoseOfTheSlowSearch/cubic",
    ),
}
