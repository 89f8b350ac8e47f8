#include "larmor/study/models/spins/measurements/overlap_of_spins.hpp"

#include "larmor/study/lattice/wave_axes.hpp"
#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {
namespace {

/// The pairs of sites that exchange couples.
std::vector<std::array<std::int32_t, 2>> bonds_of(const SpinSimulation& simulation) {
  std::vector<std::array<std::int32_t, 2>> bonds;
  for (const spins::LoweredTerm& term :
       lower_terms(simulation.tables, simulation.geometry, simulation.model.moments())) {
    if (term.name != std::string(spins::Exchange::name)) continue;
    lattice::SelectedBonds selected;
    for (const auto& coupling : term.stencil) selected.stencil.push_back(coupling.bond);
    for (const auto& coupling : term.pairs) selected.pairs.push_back(coupling.bond);
    for (const lattice::PairBond& bond : pair_by_pair(selected, simulation.geometry).pairs)
      bonds.push_back({static_cast<std::int32_t>(bond.i), static_cast<std::int32_t>(bond.j)});
  }
  return bonds;
}

bool has_exchange_alone(const TermTables& terms) {
  const auto is_other = [](const auto& tables) {
    using Term = typename std::decay_t<decltype(tables)>::value_type;
    return !std::is_same_v<Term, spins::Exchange> && !tables.empty();
  };
  return std::apply([&](const auto&... of_kind) { return !(is_other(of_kind) || ...); }, terms);
}

class SpinsSnapshot : public CopiesSnapshot {
 public:
  /// @param spins (replica, site, component)
  SpinsSnapshot(const overlaps::CopyGraph& graph, std::vector<double> spins)
      : graph_(graph), spins_(std::move(spins)) {}

  void sum(const ComparedPair& pair, double* sums) const override {
    const double *const a = of(pair.replicas[0]), *const b = of(pair.replicas[1]);
    overlaps::sum_vectors(graph_, a, b, sums);
  }

 private:
  const double* of(Index replica) const { return spins_.data() + 3 * graph_.sites * replica; }

  const overlaps::CopyGraph& graph_;
  std::vector<double> spins_;
};

class ComparedSpins : public ComparedCopies {
 public:
  explicit ComparedSpins(const SpinSimulation& simulation)
      : state_(simulation.state), replicas_(simulation.ranks.share().count) {
    graph_.sites = simulation.geometry.sites();
    graph_.spins = simulation.geometry.spins();
    graph_.bonds = bonds_of(simulation);
    graph_.axes = wave_axes(simulation.geometry);
    const auto& exchange = std::get<std::vector<spins::Exchange>>(simulation.tables.terms);
    if (has_exchange_alone(simulation.tables.terms))
      variance_ = lattice::variance_of_normal({exchange.begin(), exchange.end()});
  }

  overlaps::GlassParameters scale() const override {
    overlaps::GlassParameters scale;
    scale.spins = static_cast<double>(graph_.spins);
    scale.components = 3;
    scale.bonds_of_spin = static_cast<double>(std::ssize(graph_.bonds)) / scale.spins;
    scale.lengths = lengths_of(graph_.axes);
    scale.variance = variance_;
    return scale;
  }
  overlaps::OverlapBins bins(Index bins) const override {
    return overlaps::OverlapBins::of_vectors(bins);
  }
  std::unique_ptr<const CopiesSnapshot> snapshot() const override {
    return std::make_unique<SpinsSnapshot>(graph_, state_.configurations(replicas_));
  }

 private:
  const spins::SpinState& state_;
  Index replicas_;
  overlaps::CopyGraph graph_;
  std::optional<double> variance_;
};

}  // namespace

std::unique_ptr<const ComparedCopies> OverlapOfSpins::copies_of(
    const Simulation& simulation) const {
  return std::make_unique<ComparedSpins>(spins_of(simulation));
}

StageBytes OverlapOfSpins::forecast(const Sizing& sizing) const {
  constexpr Index most_axes = 3;
  const auto N = static_cast<double>(sizing.system.sites);
  StageBytes bytes = bytes_for(sizing, most_axes, 2 * 3 * sizeof(double) * N);
  bytes.host += most_axes * sizeof(std::int32_t) * N;
  return bytes;
}

}  // namespace larmor::study
