#include "larmor/study/models/discrete/measurements/overlap_of_states.hpp"

#include "larmor/ising/multispin/samples/ladder_overlaps.hpp"
#include "larmor/study/lattice/wave_axes.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/discrete/system/discrete_system.hpp"

namespace larmor::study {
namespace {

/// The axes of a grid, which may have four.
std::vector<overlaps::WaveAxis> axes_of_grid(const ising::RegularGrid& grid, Index sites) {
  std::vector<overlaps::WaveAxis> axes;
  Index stride = 1;
  for (std::size_t axis = 0; axis < grid.lengths.size(); ++axis) {
    const Index length = grid.lengths[axis];
    if (grid.periodic[axis] && length > 1) {
      std::vector<double> position;
      for (Index site = 0; site < sites; ++site)
        position.push_back(static_cast<double>(site / stride % length));
      axes.push_back(overlaps::wave_axis(static_cast<double>(length), position));
    }
    stride *= length;
  }
  return axes;
}

overlaps::CopyGraph graph_of(const DiscreteSystem& system) {
  const DiscreteSites& sites = system.sites;
  overlaps::CopyGraph graph;
  graph.sites = graph.spins = sites.count;
  for (const lattice::CoupledPair& bond : potts_definition(system.tables, sites).bonds)
    graph.bonds.push_back({static_cast<std::int32_t>(bond.i), static_cast<std::int32_t>(bond.j)});
  if (sites.is_grid())
    graph.axes = axes_of_grid(sites.grid, sites.count);
  else if (!system.tables.lattice.sites)
    graph.axes = wave_axes(*sites.geometry);
  return graph;
}

class StatesSnapshot : public CopiesSnapshot {
 public:
  /// @param states (replica, site)
  StatesSnapshot(const overlaps::CopyGraph& graph, Index q, std::vector<std::uint8_t> states)
      : graph_(graph), q_(static_cast<int>(q)), states_(std::move(states)) {}

  void sum(const ComparedPair& pair, double* sums) const override {
    const auto of = [&](Index replica) { return states_.data() + replica * graph_.sites; };
    overlaps::sum_states(graph_, q_, of(pair.replicas[0]), of(pair.replicas[1]), sums);
  }

 private:
  const overlaps::CopyGraph& graph_;
  int q_;
  std::vector<std::uint8_t> states_;
};

/// For multispin samples: counts all pairs of copies at once.
class SamplesSnapshot : public CopiesSnapshot {
 public:
  /// @param before number of samples that precede the first sample of the process in the first word
  SamplesSnapshot(const overlaps::CopyGraph& graph, ising::LadderOverlaps& overlaps, Index copies,
                  Index before)
      : graph_(graph), opposite_(overlaps.count()), copies_(copies), before_(before) {}

  void sum(const ComparedPair& pair, double* sums) const override {
    const auto& [a, b] = pair.ladders;
    const ising::OppositeSpins opposite =
        opposite_.of(pair.rung, before_ + a / copies_, {a % copies_, b % copies_});
    overlaps::sum_opposites(graph_, {opposite.spins, opposite.bonds, opposite.of_layer}, sums);
  }

 private:
  const overlaps::CopyGraph& graph_;
  ising::LadderOverlaps::Counts opposite_;
  Index copies_, before_;
};

class ComparedStates : public ComparedCopies {
 public:
  explicit ComparedStates(DiscreteSystem& system) : system_(system), graph_(graph_of(system)) {}

  overlaps::GlassParameters scale() const override {
    const Index q = system_.tables.states();
    overlaps::GlassParameters scale;
    scale.spins = static_cast<double>(graph_.spins);
    scale.components = q - 1;
    scale.bonds_of_spin = static_cast<double>(std::ssize(graph_.bonds)) / scale.spins;
    scale.lengths = lengths_of(graph_.axes);
    const auto& exchange = system_.tables.exchange;
    // The variance serves a relation of energies that holds only for Ising spins without a field.
    if (system_.tables.is_ising() && system_.tables.field.h == 0)
      scale.variance = lattice::variance_of_normal({exchange.begin(), exchange.end()});
    return scale;
  }
  overlaps::OverlapBins bins(Index bins) const override {
    return overlaps::OverlapBins::of_states(graph_.spins, system_.tables.states(), bins);
  }
  std::unique_ptr<const CopiesSnapshot> snapshot() const override {
    const ising::SampleLadders* const ladders = system_.ladders();
    if (ladders == nullptr)
      return std::make_unique<StatesSnapshot>(graph_, system_.tables.states(),
                                              system_.site_states().to_host());
    if (overlaps_ == nullptr) {
      std::vector<std::vector<std::int32_t>> planes;
      for (const overlaps::WaveAxis& axis : graph_.axes) planes.push_back(axis.plane);
      overlaps_ = std::make_unique<ising::LadderOverlaps>(*ladders, planes);
    }
    return std::make_unique<SamplesSnapshot>(graph_, *overlaps_, ladders->layout().copies,
                                             system_.samples_before());
  }

 private:
  DiscreteSystem& system_;
  overlaps::CopyGraph graph_;
  /// Overlaps of the system's ladders, made at the first use and kept until the stage ends.
  mutable std::unique_ptr<ising::LadderOverlaps> overlaps_;
};

}  // namespace

std::unique_ptr<const ComparedCopies> OverlapOfStates::copies_of(
    const Simulation& simulation) const {
  return std::make_unique<ComparedStates>(discrete_system(simulation));
}

StageBytes OverlapOfStates::forecast(const Sizing& sizing) const {
  constexpr Index most_axes = 4;
  const auto N = static_cast<double>(sizing.system.sites);
  const DiscreteTables& tables = discrete_tables(sizing.study);
  StageBytes bytes = bytes_for(sizing, most_axes, N);
  bytes.device += N * static_cast<double>(sizing.replicas);
  bytes.host += most_axes * sizeof(std::int32_t) * N +
                (sizeof(lattice::CoupledPair) + 8) * count_bonds(tables, sites_of(tables));
  return bytes;
}

}  // namespace larmor::study
