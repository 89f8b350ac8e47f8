#include "larmor/atoms/observables/radial_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "larmor/atoms/neighbours/neighbours.hpp"
#include "larmor/atoms/observables/frames.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/saved_numbers.hpp"

namespace larmor::atoms {
namespace {

std::vector<std::array<Index, 2>> pairs_of(Index types) {
  std::vector<std::array<Index, 2>> pairs;
  for (Index a = 0; a < types; ++a)
    for (Index b = a; b < types; ++b) pairs.push_back({a, b});
  return pairs;
}

}  // namespace

RadialDistribution::RadialDistribution(const AtomLayout& layout, Index types,
                                       const Settings& settings, int threads)
    : layout_(layout),
      types_(types),
      settings_(settings),
      threads_(threads),
      pairs_(pairs_of(types)),
      means_(layout.replicas(), static_cast<Index>(pairs_.size()) * settings.bins),
      sum_(static_cast<std::size_t>(layout.replicas() * means_.numbers())) {
  if (!(settings.r_max > 0) || !std::isfinite(settings.r_max))
    throw InputError("the largest distance is " + number_text(settings.r_max) + " Angstrom",
                     "give a positive length");
  if (settings.bins < 1 || settings.frames_of_block < 1)
    throw InputError("the number of bins is " + std::to_string(settings.bins) +
                         ", and the number of frames of a block is " +
                         std::to_string(settings.frames_of_block),
                     "give 1 or more for both numbers");
}

std::vector<double> RadialDistribution::edges() const {
  std::vector<double> edges;
  for (Index n = 0; n <= settings_.bins; ++n)
    edges.push_back(settings_.r_max * static_cast<double>(n) / static_cast<double>(settings_.bins));
  return edges;
}

std::size_t RadialDistribution::number_of(std::int32_t a, std::int32_t b) const {
  const Index low = std::min(a, b), high = std::max(a, b);
  return static_cast<std::size_t>(low * types_ - low * (low - 1) / 2 + high - low);
}

std::vector<double> RadialDistribution::count(const AtomState& state, Index replica) const {
  const auto positions = state.positions_of(replica);
  const auto types = state.types_of(replica);
  const NeighbourSearch search(state.box[static_cast<std::size_t>(replica)], positions,
                               settings_.r_max);
  const double bins_of_length = static_cast<double>(settings_.bins) / settings_.r_max;
  const Index first = layout_.first_atom_block(replica),
              atom_blocks = layout_.first_atom_block(replica + 1) - first;
  std::vector<std::vector<double>> counts(
      static_cast<std::size_t>(atom_blocks),
      std::vector<double>(static_cast<std::size_t>(means_.numbers())));
  parallel_for(threads_, atom_blocks, [&](Index n) {
    const AtomBlock& atom_block = layout_.atom_blocks()[static_cast<std::size_t>(first + n)];
    std::vector<Neighbour> row;
    for (Index atom = atom_block.first; atom < atom_block.last; ++atom) {
      const Index i = atom - layout_.first(replica);
      search.find(i, row);
      for (const Neighbour& neighbour : row) {
        const auto bin = static_cast<Index>(length(neighbour.displacement) * bins_of_length);
        if (bin >= settings_.bins) continue;
        const std::size_t pair = number_of(types[static_cast<std::size_t>(i)],
                                           types[static_cast<std::size_t>(neighbour.atom)]);
        ++counts[static_cast<std::size_t>(n)]
                [pair * static_cast<std::size_t>(settings_.bins) + static_cast<std::size_t>(bin)];
      }
    }
  });
  // The counts are integers, so their sum is exact in any order.
  for (std::size_t n = 1; n < counts.size(); ++n)
    for (std::size_t k = 0; k < counts[n].size(); ++k) counts[0][k] += counts[n][k];
  return counts[0];
}

void RadialDistribution::add(const AtomState& state) {
  const std::vector<double> edge = edges(), atoms = atoms_of_types(state, types_);
  for (Index replica = 0; replica < layout_.replicas(); ++replica) {
    const Box& box = state.box[static_cast<std::size_t>(replica)];
    if (box.periodic != std::array{true, true, true})
      throw InputError("a radial distribution needs a density, which an open box does not have",
                       "make the box periodic in all directions");
    const std::vector<double> counts = count(state, replica);
    double* sum = sum_.data() + replica * means_.numbers();
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const auto [a, b] = pairs_[p];
      // If a and b are different types, each pair is found twice, once from each of its atoms.
      const double pairs = (a == b ? 1 : 2) *
                           atoms[static_cast<std::size_t>(replica * types_ + a)] *
                           atoms[static_cast<std::size_t>(replica * types_ + b)];
      for (std::size_t n = 0; n + 1 < edge.size(); ++n) {
        const double shell =
            4.0 / 3 * std::numbers::pi *
            (edge[n + 1] * edge[n + 1] * edge[n + 1] - edge[n] * edge[n] * edge[n]);
        const std::size_t k = p * (edge.size() - 1) + n;
        sum[k] += counts[k] * box.volume() / (pairs * shell);
      }
    }
  }
  if (++frames_ % settings_.frames_of_block != 0) return;
  for (double& sum : sum_) sum /= static_cast<double>(settings_.frames_of_block);
  means_.add_block(sum_);
  std::fill(sum_.begin(), sum_.end(), 0.0);
}

std::vector<double> RadialDistribution::save() const {
  std::vector<double> out;
  for (Index replica = 0; replica < layout_.replicas(); ++replica) {
    save_numbers(out, {static_cast<double>(frames_)});
    const double* sum = sum_.data() + replica * means_.numbers();
    out.insert(out.end(), sum, sum + means_.numbers());
    means_.save(out, replica);
  }
  return out;
}

void RadialDistribution::load(std::span<const double> saved) {
  for (Index replica = 0; replica < layout_.replicas(); ++replica) {
    frames_ = static_cast<Index>(take_number(saved));
    std::ranges::copy(take_numbers(saved, static_cast<std::size_t>(means_.numbers())),
                      sum_.begin() + replica * means_.numbers());
    means_.load(saved, replica);
  }
}

}  // namespace larmor::atoms
