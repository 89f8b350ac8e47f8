#include "larmor/ising/clusters/cluster_graph.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/error.hpp"

namespace larmor::ising {
namespace {

void check_states(StateModel model, int states) {
  if (model == StateModel::ising && states != 2)
    throw InputError("an Ising model has " + std::to_string(states) + " states",
                     "give 2 states to an Ising model");
  if (states < 2 || states > 256)
    throw InputError("a Potts model has " + std::to_string(states) + " states", "give 2 to 256");
}

void check_sites(Index sites) {
  if (sites < 1 || sites > clusters::most_sites)
    throw InputError("a graph of clusters has " + std::to_string(sites) + " sites",
                     "give 1 to 2^32");
}

}  // namespace

ClusterGraph ClusterGraph::on_grid(StateModel model, int states, const RegularGrid& grid,
                                   std::span<const double> couplings, Index samples) {
  check_states(model, states);
  ClusterGraph graph;
  graph.model_ = model;
  graph.states_ = states;
  graph.grid_ = grid;
  graph.sites_ = checked_sites(grid);
  graph.bonds_ = bonds_of(grid);
  if (couplings.size() == 1) {
    graph.set_couplings(couplings, {true});
    return graph;
  }
  const std::size_t axes = grid.lengths.size();
  const auto slots = axes * static_cast<std::size_t>(graph.sites_);
  if (samples < 1 || couplings.size() != static_cast<std::size_t>(samples) * slots)
    throw InputError(std::to_string(couplings.size()) + " couplings are given for a grid",
                     "give one coupling for all bonds, or " + std::to_string(slots) +
                         " for each sample: one for each axis and site");
  std::vector<bool> is_there(slots);
  Index stride = 1;
  for (std::size_t axis = 0, slot = 0; axis < axes; ++axis) {
    const Index length = grid.lengths[axis];
    for (Index site = 0; site < graph.sites_; ++site, ++slot)
      is_there[slot] = length > 1 && (grid.periodic[axis] || site / stride % length != length - 1);
    stride *= length;
  }
  graph.set_couplings(couplings, is_there);
  return graph;
}

ClusterGraph ClusterGraph::of_bonds(StateModel model, int states, Index sites,
                                    std::span<const lattice::CoupledPair> bonds,
                                    std::span<const double> of_samples) {
  check_states(model, states);
  check_sites(sites);
  ClusterGraph graph;
  graph.model_ = model;
  graph.states_ = states;
  graph.sites_ = sites;
  graph.bonds_ = std::ssize(bonds);
  std::vector<double> couplings;
  couplings.reserve(bonds.size());
  graph.ends_.reserve(2 * bonds.size());
  for (const lattice::CoupledPair& bond : bonds) {
    const auto is_site = [&](Index site) { return site >= 0 && site < sites; };
    if (!is_site(bond.i) || !is_site(bond.j) || bond.i == bond.j)
      throw InputError(
          "a bond joins the sites " + std::to_string(bond.i) + " and " + std::to_string(bond.j),
          "give two different sites from 0 to " + std::to_string(sites - 1));
    couplings.push_back(bond.J);
    graph.ends_.push_back(static_cast<std::uint32_t>(bond.i));
    graph.ends_.push_back(static_cast<std::uint32_t>(bond.j));
  }
  if (!of_samples.empty() && (bonds.empty() || of_samples.size() % bonds.size() != 0))
    throw InputError(std::to_string(of_samples.size()) + " couplings are given for " +
                         std::to_string(bonds.size()) + " bonds",
                     "give one coupling for each bond of each sample");
  graph.set_couplings(of_samples.empty() ? std::span<const double>(couplings) : of_samples,
                      std::vector<bool>(bonds.size(), true));
  return graph;
}

void ClusterGraph::set_couplings(std::span<const double> couplings,
                                 const std::vector<bool>& is_there) {
  const std::size_t bonds = is_there.size(),
                    sets = couplings.size() / std::max(bonds, std::size_t{1});
  std::vector<std::vector<double>> strengths(std::max(sets, std::size_t{1}));
  double largest_sum = 0;
  for (std::size_t s = 0; s < sets; ++s) {
    double sum = 0;
    for (std::size_t b = 0; b < bonds; ++b) {
      if (!is_there[b]) continue;
      const double J = couplings[s * bonds + b];
      if (!std::isfinite(J)) throw InputError("a coupling is not a finite number");
      if (model_ == StateModel::potts && !(J > 0))
        throw InputError("a coupling of a Potts model is " + std::to_string(J),
                         "give J > 0, because clusters of Potts states need a positive J");
      strengths[s].push_back(std::abs(J));
      sum += std::abs(J);
    }
    std::sort(strengths[s].begin(), strengths[s].end());
    strengths[s].erase(std::unique(strengths[s].begin(), strengths[s].end()), strengths[s].end());
    largest_sum = std::max(largest_sum, sum);
  }
  std::size_t most = 1;
  for (const std::vector<double>& of_sample : strengths) most = std::max(most, of_sample.size());
  if (most >= std::size_t{1} << 31)
    throw InputError("a sample has 2^31 different couplings or more");
  for (const std::vector<double>& of_sample : strengths) {
    strengths_.insert(strengths_.end(), of_sample.begin(), of_sample.end());
    strengths_.insert(strengths_.end(), most - of_sample.size(), 0.0);
  }
  total_weight_.assign(strengths.size(), 0);
  if (couplings.size() == 1 && is_grid()) {
    antiferromagnetic_ = couplings[0] < 0;
    weight_unit_ = strengths_[0];
    weights_ = {1};
    total_weight_ = {bonds_};
    return;
  }
  // BITS: the largest power of two, at most 2^40, for which no sum of weights needs more than 62
  // bits.
  const int bits = largest_sum > 0 ? std::min(40, 61 - std::ilogb(largest_sum)) : 0;
  weight_unit_ = std::ldexp(1.0, -bits);
  for (const double strength : strengths_)
    weights_.push_back(std::llround(std::ldexp(strength, bits)));
  codes_.resize(couplings.size());
  for (std::size_t n = 0; n < couplings.size(); ++n) {
    if (!is_there[n % bonds]) continue;
    const std::vector<double>& own = strengths[n / bonds];
    const auto number = static_cast<std::uint32_t>(
        std::lower_bound(own.begin(), own.end(), std::abs(couplings[n])) - own.begin());
    codes_[n] = 2 * number + (couplings[n] < 0 ? 1 : 0);
    total_weight_[n / bonds] += weights_[n / bonds * most + number];
  }
}

std::vector<std::uint32_t> ClusterGraph::thresholds(double beta, Index replica) const {
  std::vector<std::uint32_t> found;
  const auto count = static_cast<std::size_t>(classes());
  found.reserve(count);
  for (std::size_t n = 0; n < count; ++n) {
    const double strength = strengths_[sample_of(replica) * count + n];
    const double exponent = (model_ == StateModel::ising ? 2 : 1) * strength;
    const double probability = exponent > 0 ? -std::expm1(-beta * exponent) : 0;
    // A bond of probability 1 is inactive once in 2^32 draws.
    found.push_back(static_cast<std::uint32_t>(
        std::min(std::floor(std::ldexp(probability, 32) + 0.5), 4294967295.0)));
  }
  return found;
}

double ClusterGraph::energy(Index satisfied, Index replica) const {
  const Index all = total_weight_[sample_of(replica)];
  const Index sum = model_ == StateModel::ising ? 2 * satisfied - all : satisfied;
  return -weight_unit_ * static_cast<double>(sum);
}

}  // namespace larmor::ising
