#include "larmor/study/kinds/discrete/overlap_of_states.hpp"

#include <cstring>

#include "larmor/study/kinds/discrete/discrete_bonds.hpp"
#include "larmor/study/kinds/discrete/discrete_system.hpp"
#include "larmor/study/lattice/wave_axes.hpp"

namespace larmor::study {
namespace {

/// Of a grid, whose axes may be four.
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
  for (const ising::Bond& bond : potts_definition(system.tables, sites).bonds)
    graph.bonds.push_back({static_cast<std::int32_t>(bond.i), static_cast<std::int32_t>(bond.j)});
  if (sites.is_grid())
    graph.axes = axes_of_grid(sites.grid, sites.count);
  else if (!system.tables.lattice.sites)
    graph.axes = wave_axes(*sites.geometry);
  return graph;
}

class ComparedStates : public ComparedCopies {
 public:
  explicit ComparedStates(DiscreteSystem& system) : system_(system), graph_(graph_of(system)) {}

  overlaps::GlassScale scale() const override {
    const Index q = system_.tables.states();
    overlaps::GlassScale scale;
    scale.spins = static_cast<double>(graph_.spins);
    scale.components = q - 1;
    scale.bonds_of_spin = static_cast<double>(std::ssize(graph_.bonds)) / scale.spins;
    scale.lengths = lengths_of(graph_.axes);
    const auto& exchange = system_.tables.exchange;
    // Potts spins have other energies, and a field adds to them.
    if (system_.tables.is_ising() && system_.tables.field.h == 0)
      scale.variance = lattice::variance_of_normal({exchange.begin(), exchange.end()});
    return scale;
  }
  overlaps::OverlapBins bins(Index bins) const override {
    return overlaps::OverlapBins::of_states(graph_.spins, system_.tables.states(), bins);
  }
  std::vector<std::byte> configurations() const override {
    const std::vector<std::uint8_t> states = system_.site_states().to_host();
    std::vector<std::byte> bytes(states.size());
    std::memcpy(bytes.data(), states.data(), states.size());
    return bytes;
  }
  void sum(const std::byte* a, const std::byte* b, double* sums) const override {
    overlaps::sum_states(graph_, static_cast<int>(system_.tables.states()),
                         reinterpret_cast<const std::uint8_t*>(a),
                         reinterpret_cast<const std::uint8_t*>(b), sums);
  }

 private:
  DiscreteSystem& system_;
  overlaps::CopyGraph graph_;
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
                (sizeof(ising::Bond) + 8) * count_bonds(tables, sites_of(tables));
  return bytes;
}

}  // namespace larmor::study
