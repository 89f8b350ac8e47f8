#pragma once
// Graphs for tests of cluster updates, each in two forms. One form is that of the program, and the
// other lists every bond with the place of its random word.

#include <ostream>
#include <vector>

#include "larmor/ising/clusters/cluster_graph.hpp"
#include "larmor/ising/clusters/cluster_view.hpp"

namespace larmor::testing_support {

using namespace larmor::ising;

using States = std::vector<std::uint8_t>;

/// A bond for the reference, with the place of its random word as clusters::WordPlace gives it.
struct ReferenceBond {
  std::uint32_t i, j;
  double coupling;
  std::uint64_t call;
  int word;
};

/// Graph and couplings of a test in both forms: the form of the program, and the list of bonds.
struct ClusterSystem {
  ClusterGraph graph;
  std::vector<ReferenceBond> bonds;
};

inline std::uint64_t random_word(std::uint64_t n, int word = 0) {
  const RandomKey key{4711, 0, Stream::initial_configuration};
  return philox(key, n, std::uint64_t{0}).w[word];
}

enum class CouplingKind { ferromagnetic, antiferromagnetic, both_signs, all_different };

inline double coupling_of(CouplingKind kind, std::uint64_t n) {
  switch (kind) {
    case CouplingKind::ferromagnetic:
      return 0.7;
    case CouplingKind::antiferromagnetic:
      return -0.7;
    case CouplingKind::both_signs:
      return random_word(n) % 2 == 0 ? 0.7 : -0.7;
    case CouplingKind::all_different:
      return 0.1 + static_cast<double>(random_word(n)) / 4294967296.0;
  }
  return 0;
}

inline bool one_coupling(CouplingKind kind) {
  return kind == CouplingKind::ferromagnetic || kind == CouplingKind::antiferromagnetic;
}

inline ClusterSystem grid_system(StateModel model, int states, const std::vector<Index>& lengths,
                                 const std::vector<bool>& periodic, CouplingKind kind) {
  const auto axes = lengths.size();
  Index sites = 1;
  for (const Index length : lengths) sites *= length;
  std::vector<double> couplings;
  for (std::size_t slot = 0; slot < axes * static_cast<std::size_t>(sites); ++slot)
    couplings.push_back(coupling_of(kind, slot));
  ClusterSystem system;
  // The number of words per site, and of sites per group of eight calls.
  const int words = axes == 1 ? 1 : axes == 2 ? 2 : 4;
  const Index group = 8 * (4 / words);
  for (Index site = 0; site < sites; ++site) {
    Index stride = 1;
    for (std::size_t axis = 0; axis < axes; stride *= lengths[axis], ++axis) {
      const Index length = lengths[axis], x = site / stride % length;
      if (length == 1 || (!periodic[axis] && x == length - 1)) continue;
      const Index other = site + ((x + 1) % length - x) * stride;
      const Index place = site % group;
      system.bonds.push_back(
          {static_cast<std::uint32_t>(site), static_cast<std::uint32_t>(other),
           couplings[axis * static_cast<std::size_t>(sites) + static_cast<std::size_t>(site)],
           static_cast<std::uint64_t>(site / group * 8 + place % 8),
           static_cast<int>(place / 8) * words + static_cast<int>(axis)});
    }
  }
  if (one_coupling(kind)) couplings.resize(1);
  system.graph = ClusterGraph::on_grid(model, states, {lengths, periodic}, couplings);
  return system;
}

/// Random bonds between random sites. Some pairs have two bonds.
inline ClusterSystem random_system(StateModel model, int states, Index sites, Index count,
                                   CouplingKind kind) {
  std::vector<lattice::CoupledPair> bonds;
  ClusterSystem system;
  for (std::uint64_t n = 0; std::ssize(bonds) < count; ++n) {
    const auto i = static_cast<Index>(random_word(n, 1) % static_cast<std::uint64_t>(sites));
    const auto j = static_cast<Index>(random_word(n, 2) % static_cast<std::uint64_t>(sites));
    if (i == j) continue;
    const auto b = static_cast<std::uint64_t>(bonds.size());
    bonds.push_back({i, j, coupling_of(kind, b)});
    system.bonds.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                            bonds.back().J, b / 32 * 8 + b % 8, static_cast<int>(b % 32 / 8)});
  }
  system.graph = ClusterGraph::of_bonds(model, states, sites, bonds);
  return system;
}

inline States random_states(Index count, int q, std::uint64_t seed = 5) {
  States states;
  const RandomKey key{seed, 0, Stream::initial_configuration};
  for (Index n = 0; n < count; ++n) {
    // State 0 is more frequent than other states, so that larger clusters occur.
    const auto words = philox(key, static_cast<std::uint64_t>(n), std::uint64_t{0});
    states.push_back(words.w[0] % 3 == 0
                         ? static_cast<std::uint8_t>(words.w[1] % static_cast<std::uint64_t>(q))
                         : std::uint8_t{0});
  }
  return states;
}

/// Couplings of both signs and all sizes, on a grid and on a graph. Each sample has its own
/// couplings.
/// @param only index of one sample; -1: all samples
inline ClusterGraph grid_of_samples(Index samples, Index only = -1) {
  const std::vector<Index> lengths{12, 10, 9};
  constexpr std::size_t slots = 3 * 12 * 10 * 9;
  std::vector<double> couplings;
  for (Index sample = only < 0 ? 0 : only; sample < (only < 0 ? samples : only + 1); ++sample)
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const std::uint64_t n = static_cast<std::uint64_t>(sample) * slots + slot;
      // Sample 1 has more distinct couplings than any other sample.
      couplings.push_back(sample == 1 ? coupling_of(CouplingKind::all_different, n) - 0.4
                                      : coupling_of(CouplingKind::both_signs, n));
    }
  return ClusterGraph::on_grid(StateModel::ising, 2, {lengths, {true, false, true}}, couplings,
                               only < 0 ? samples : 1);
}
inline ClusterGraph graph_of_samples(Index samples, Index only = -1) {
  std::vector<lattice::CoupledPair> bonds;
  for (const ReferenceBond& bond :
       random_system(StateModel::potts, 3, 400, 900, CouplingKind::ferromagnetic).bonds)
    bonds.push_back({bond.i, bond.j, bond.coupling});
  std::vector<double> couplings;
  for (Index sample = 0; sample < samples; ++sample)
    for (std::size_t b = 0; b < bonds.size(); ++b) {
      const double J =
          coupling_of(CouplingKind::all_different, 7 * b + static_cast<std::uint64_t>(sample));
      if (sample == only) bonds[b].J = J;
      couplings.push_back(J);
    }
  if (only >= 0) couplings.clear();
  return ClusterGraph::of_bonds(StateModel::potts, 3, 400, bonds, couplings);
}

inline constexpr auto ising_model = StateModel::ising;
inline constexpr auto potts_model = StateModel::potts;

struct ClusterCase {
  const char* name;
  ClusterSystem (*make)();
};
inline void PrintTo(const ClusterCase& c, std::ostream* out) { *out << c.name; }

inline std::vector<ClusterCase> cluster_cases() {
  return {
      ClusterCase{
          "chain_periodic",
          [] { return grid_system(ising_model, 2, {77}, {true}, CouplingKind::ferromagnetic); }},
      ClusterCase{
          "chain_open",
          [] { return grid_system(potts_model, 3, {50}, {false}, CouplingKind::ferromagnetic); }},
      ClusterCase{
          "one_site",
          [] { return grid_system(ising_model, 2, {1}, {true}, CouplingKind::ferromagnetic); }},
      ClusterCase{
          "square_odd",
          [] {
            return grid_system(ising_model, 2, {13, 7}, {true, true}, CouplingKind::ferromagnetic);
          }},
      ClusterCase{"square_of_many_blocks",
                  [] {
                    return grid_system(ising_model, 2, {97, 101}, {true, true},
                                       CouplingKind::ferromagnetic);
                  }},
      ClusterCase{
          "square_long_rows",
          [] {
            return grid_system(ising_model, 2, {5001, 3}, {true, false}, CouplingKind::both_signs);
          }},
      ClusterCase{"square_antiferromagnet",
                  [] {
                    return grid_system(ising_model, 2, {16, 9}, {false, true},
                                       CouplingKind::antiferromagnetic);
                  }},
      ClusterCase{
          "square_two_wide",
          [] {
            return grid_system(ising_model, 2, {2, 1}, {true, true}, CouplingKind::ferromagnetic);
          }},
      ClusterCase{"cubic_both_signs",
                  [] {
                    return grid_system(ising_model, 2, {5, 3, 7}, {true, false, true},
                                       CouplingKind::both_signs);
                  }},
      ClusterCase{"cubic_potts_10",
                  [] {
                    return grid_system(potts_model, 10, {9, 8, 5}, {true, true, true},
                                       CouplingKind::ferromagnetic);
                  }},
      ClusterCase{"four_axes",
                  [] {
                    return grid_system(potts_model, 3, {5, 2, 3, 4}, {true, true, false, true},
                                       CouplingKind::all_different);
                  }},
      ClusterCase{"random_graph_both_signs",
                  [] { return random_system(ising_model, 2, 300, 500, CouplingKind::both_signs); }},
      ClusterCase{
          "random_graph_potts",
          [] { return random_system(potts_model, 10, 5000, 9000, CouplingKind::all_different); }},
      ClusterCase{"no_bonds", [] {
                    return random_system(ising_model, 2, 10, 0, CouplingKind::ferromagnetic);
                  }}};
}

}  // namespace larmor::testing_support
