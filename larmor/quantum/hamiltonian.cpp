#include "larmor/quantum/hamiltonian.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/quantum/product_kernels.hpp"

namespace larmor::quantum {
namespace {

/// @param count bits of the group, which begins at `begin` or ends with the last bit
HighPass group_of_bits(int bits, int element_bits, int begin, int count) {
  HighPass pass{};
  pass.bits = bits;
  pass.element_bits = element_bits;
  pass.first_bit = std::min(begin, bits - count);
  pass.chunk = pass.first_flip = element_bits - count;
  return pass;
}

/// The groups of bits from tile_bits on.
std::vector<HighPass> groups_on_cpu(int bits) {
  constexpr int count = 8;
  std::vector<HighPass> groups;
  for (int begin = tile_bits; begin < bits; begin += count)
    groups.push_back(group_of_bits(bits, tile_bits, begin, count));
  return groups;
}

/// The first group is that of the middle bits. Chunks of the others have 16 numbers or more, a
/// whole cache line.
std::vector<HighPass> groups_on_gpu(int bits) {
  constexpr int most_middle = 7, most_high = 9, least = 4;
  std::vector<HighPass> groups;
  if (bits <= tile_bits) return groups;
  const int middle = std::clamp(bits - tile_bits, least, most_middle);
  groups.push_back(group_of_bits(bits, tile_bits, tile_bits, middle));
  const int rest = bits - tile_bits - middle;
  if (rest <= 0) return groups;
  const int passes = (rest + most_high - 1) / most_high;
  const int count = std::max((rest + passes - 1) / passes, least);
  for (int begin = bits - rest; begin < bits; begin += count)
    groups.push_back(group_of_bits(bits, most_tile_bits, begin, count));
  return groups;
}

bool has_flips(const HighPass& pass) {
  return std::ranges::any_of(pass.c, [](double c) { return c != 0; });
}

/// Pairs of ranks of low words, list after list.
struct PairLists {
  std::vector<Index> first{0};
  std::vector<RankPair> pairs;

  void end_list() { first.push_back(std::ssize(pairs)); }
};

/// Bonds within the low bits, between both parts and within the high bits. Bits of the latter count
/// from the first high one.
struct BondsByPart {
  std::vector<Exchange> low, across, high;
  std::vector<int> across_site;
};

BondsByPart bonds_by_part(const std::vector<Exchange>& all, const SpaceView& view) {
  BondsByPart parts;
  for (const Exchange& bond : all) {
    const Index low = bond.bits & view.low_mask(), high = bond.bits >> view.low_bits;
    if (high == 0) {
      parts.low.push_back({low, bond.c});
    } else if (low == 0) {
      parts.high.push_back({high, bond.c});
    } else {
      parts.across.push_back({high, bond.c});
      parts.across_site.push_back(std::countr_zero(static_cast<std::uint64_t>(low)));
    }
  }
  return parts;
}

}  // namespace

Hamiltonian::Hamiltonian(const Device& device, const SpinModel& model, const Sector& sector)
    : space_(device, model, sector), diagonal_(device, model, space_) {
  if (space_.view().has_magnetisation)
    make_exchanges(device, model);
  else
    make_flips(device, model);
}

void Hamiltonian::make_flips(const Device& device, const SpinModel& model) {
  const SpaceView& view = space_.view();
  const int bits = view.bits;
  const Index all = (Index{1} << bits) - 1;
  const bool is_on_gpu = device.backend == Backend::cuda;
  low_.diagonal = diagonal_.view();
  std::vector<HighPass> groups = is_on_gpu ? groups_on_gpu(bits) : groups_on_cpu(bits);
  std::vector<FlipTerm> terms;
  for (int site = 0; site < model.sites; ++site) {
    const double c = -model.Gamma[static_cast<std::size_t>(site)];
    if (c == 0) continue;
    if (site >= bits) {
      terms.push_back({all, 0, c * view.sign});
    } else if (site < view.low_bits) {
      low_.c[site] = c;
    } else {
      const auto pass = std::ranges::find_if(groups, [&](const HighPass& group) {
        return site >= group.first_bit && site < group.first_bit + group.element_bits - group.chunk;
      });
      pass->c[site - pass->first_bit + pass->chunk] = c;
    }
  }
  for (const HighPass& group : groups) {
    if (!has_flips(group)) continue;
    if (is_on_gpu && &group == &groups.front())
      middle_ = group;
    else
      high_.push_back(group);
  }
  if (is_on_gpu && !high_.empty()) move_lowest_flips(high_.front());
  for (const SpinBond& bond : model.bonds) {
    if (bond.i == bond.j || bond.Jxy == 0) continue;
    const Index pair = (Index{1} << bond.i | Index{1} << bond.j) & all;
    // With the last site down, its partner is antiparallel if it is up.
    const bool has_last = std::max(bond.i, bond.j) >= bits;
    terms.push_back(
        {has_last ? all ^ pair : pair, pair, -2 * bond.Jxy * (has_last ? view.sign : 1)});
  }
  terms_ = Array<FlipTerm>(device, terms);
  if (is_on_gpu) progress_ = Array<std::uint32_t>(device, 1 + std::max<Index>(view.highs(), 1));
  low_.terms = terms_.data();
  low_.term_count = static_cast<int>(terms.size());
}

void Hamiltonian::move_lowest_flips(HighPass& pass) {
  low_.first_flip = 4;
  std::copy_n(low_.c, low_.first_flip, pass.c);
  std::fill_n(low_.c, low_.first_flip, 0.0);
  pass.first_flip = 0;
}

void Hamiltonian::make_exchanges(const Device& device, const SpinModel& model) {
  const SpaceView& view = space_.view();
  std::vector<Exchange> all;
  for (const SpinBond& bond : model.bonds)
    if (bond.i != bond.j && bond.Jxy != 0)
      all.push_back({Index{1} << bond.i | Index{1} << bond.j, -2 * bond.Jxy});
  const BondsByPart parts = bonds_by_part(all, view);
  PairLists low, raise;
  const std::vector<Index> words = space_.low_words();
  std::vector<std::uint32_t> rank(words.size());
  std::vector<std::vector<Index>> by_up(static_cast<std::size_t>(view.low_bits + 1));
  for (const Index word : words) {
    std::vector<Index>& same = by_up[static_cast<std::size_t>(count_up(word))];
    rank[static_cast<std::size_t>(word)] = static_cast<std::uint32_t>(same.size());
    same.push_back(word);
  }
  const auto rank_of = [&](Index word) { return rank[static_cast<std::size_t>(word)]; };
  for (const std::vector<Index>& same : by_up) {
    for (const Exchange& bond : parts.low) {
      // Each pair once, from its smaller word.
      for (const Index word : same)
        if (count_up(word & bond.bits) == 1 && word < (word ^ bond.bits))
          low.pairs.push_back({rank_of(word), rank_of(word ^ bond.bits)});
      low.end_list();
    }
    for (int site = 0; site < view.low_bits; ++site) {
      for (const Index word : same)
        if ((word >> site & 1) == 0)
          raise.pairs.push_back({rank_of(word), rank_of(word | Index{1} << site)});
      raise.end_list();
    }
  }
  std::vector<double> low_c;
  for (const Exchange& bond : parts.low) low_c.push_back(bond.c);
  low_c_ = Array<double>(device, low_c);
  low_first_ = Array<Index>(device, low.first);
  low_pairs_ = Array<RankPair>(device, low.pairs);
  raise_first_ = Array<Index>(device, raise.first);
  raise_pairs_ = Array<RankPair>(device, raise.pairs);
  across_ = Array<Exchange>(device, parts.across);
  across_site_ = Array<int>(device, parts.across_site);
  high_exchange_ = Array<Exchange>(device, parts.high);
  all_ = Array<Exchange>(device, all);
  exchange_ = {.space = view,
               .diagonal = diagonal_.view(),
               .low_count = static_cast<int>(parts.low.size()),
               .across_count = static_cast<int>(parts.across.size()),
               .high_count = static_cast<int>(parts.high.size()),
               .low_c = low_c_.data(),
               .low_first = low_first_.data(),
               .low_pairs = low_pairs_.data(),
               .across = across_.data(),
               .across_site = across_site_.data(),
               .raise_first = raise_first_.data(),
               .raise_pairs = raise_pairs_.data(),
               .high = high_exchange_.data(),
               .all = all_.data(),
               .all_count = static_cast<int>(all.size())};
}

void Hamiltonian::multiply(const Vector& in, Vector& out) const {
  const Device& device = out.device();
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return multiply_on_gpu(in, out);
#endif
  const SpaceView& view = space_.view();
  transfer::for_tiles(device.threads, view.highs(), [&](Index first, Index last) {
    if (view.has_magnetisation)
      product_kernels().exchange(exchange_, in.data(), out.data(), first, last);
    else
      product_kernels().low(low_, in.data(), out.data(), first, last);
  });
  for (const HighPass& pass : high_)
    transfer::for_tiles(device.threads, pass.tiles(), [&](Index first, Index last) {
      product_kernels().high(pass, in.data(), out.data(), first, last);
    });
}

double Hamiltonian::traffic() const { return 2 + 3 * static_cast<double>(high_.size()); }

double Hamiltonian::bytes(int sites, const Sector& sector) {
  double bytes = StateSpace::bytes(sites, sector) + Diagonal::bytes(sites, sector);
  const double half = std::exp2((sites + 1) / 2);
  // Pairs of ranks of the bonds of a lattice with four bonds a site, and of raised spins.
  if (sector.kind == Sector::Kind::magnetisation) bytes += 8 * half * sites;
  return bytes;
}

}  // namespace larmor::quantum
